import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SLOW } from '../../acceptance/program.ts';
import {
  freshFolder,
  type HttpReference,
  referenceArguments,
  serveHttp,
} from '../../acceptance/reference.ts';
import { closeAll, connectEveryWay, WAYS, type Way } from '../../acceptance/six-ways.ts';
import { type Channel, callTool, type Wire } from '../../acceptance/wire.ts';
import { MACHINE_READABLE, ORDER } from './desk.ts';

const folder = freshFolder();
let server: HttpReference;
let channels: Map<Way, Channel>;
beforeAll(async () => {
  server = await serveHttp('onx', folder.path);
  channels = await connectEveryWay(server.mcp, referenceArguments('onx', ['--data', folder.path]));
}, SLOW);
afterAll(async () => {
  await closeAll(channels);
  await server.stop();
  folder.remove();
});

const at = (way: Way): Channel => channels.get(way) as Channel;
const errorOf = async (way: Way, tool: string, args: Wire): Promise<Wire> =>
  (await callTool(at(way), tool, args)).result?.error;

describe.each(WAYS)('%s', (way) => {
  it('EM-3 EM-22 EM-23 EM-25: an order that does not exist is ORDER_NOT_FOUND', async () => {
    const { result } = await callTool(at(way), 'cancel-order', { orderId: 'ord_4711' });
    expect(result.error).toMatchObject({
      code: 4001,
      retryable: false,
      details: { originalError: 'ORDER_NOT_FOUND' },
    });
    expect(result.isError).toBe(true);
    expect(result.error.details.reason ?? 'none').toMatch(MACHINE_READABLE);
  });

  it('EM-22 EM-23: an order in the wrong state is INVALID_ORDER_STATE', async () => {
    const made = await callTool(at(way), 'create-sales-order', { order: ORDER });
    const orderId = made.result.structuredContent.order.id;
    await callTool(at(way), 'cancel-order', { orderId });
    const error = await errorOf(way, 'cancel-order', { orderId });
    expect([error.code, error.retryable, error.details.originalError]).toEqual([
      4001,
      false,
      'INVALID_ORDER_STATE',
    ]);
  });

  it('EM-16 EM-36: a format that is wrong is 2003 and names its field', async () => {
    const error = await errorOf(way, 'get-orders', { createdAtMin: 'yesterday' });
    expect([error.code, error.retryable, error.details.field]).toEqual([2003, false, 'createdAtMin']);
  });

  it('EM-26: what breaks the schema is a protocol error for every client', async () => {
    const { error } = await callTool(at(way), 'cancel-order', {});
    expect([error?.code, error?.message, error?.data?.field]).toEqual([-32602, 'Invalid params', 'orderId']);
  });
});

describe('one limit for all', () => {
  it(
    'EM-17: the limit is shared by processes on one folder, and survives a restart',
    async () => {
      const shared = freshFolder();
      const limit = ['--per-minute', '3'];
      const [one, two] = await Promise.all([
        serveHttp('onx', shared.path, limit),
        serveHttp('onx', shared.path, limit),
      ]);
      const codes: Wire[] = [];
      const { Endpoint } = await import('../../acceptance/http.ts');
      const call = async (url: string): Promise<void> => {
        codes.push((await callTool(new Endpoint(url), 'get-orders', {})).result?.error?.code);
      };
      await call(one.mcp);
      await call(two.mcp);
      await call(one.mcp);
      await call(two.mcp);
      await Promise.all([one.stop(), two.stop()]);
      const again = await serveHttp('onx', shared.path, limit);
      await call(again.mcp);
      await again.stop();
      shared.remove();
      expect(codes).toEqual([undefined, undefined, undefined, 3001, 3001]);
    },
    SLOW,
  );
});
