import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assaultEndpoint, assaultPipe, foreignMembers, HOSTILE, REFUSED } from '../../acceptance/hostile.ts';
import { Endpoint, exchange } from '../../acceptance/http.ts';
import { SLOW } from '../../acceptance/program.ts';
import { freshFolder, type HttpReference, serveHttp, serveStdio } from '../../acceptance/reference.ts';
import type { Pipe } from '../../acceptance/stdio.ts';
import { type Channel, callTool, type Message, type Wire } from '../../acceptance/wire.ts';
import { ORDER, PROTOCOL_NAMES } from './desk.ts';

const folder = freshFolder();
let server: HttpReference;
let pipe: Pipe;
let endpoint: Endpoint;
beforeAll(async () => {
  server = await serveHttp('onx', folder.path);
  endpoint = new Endpoint(server.mcp);
  pipe = serveStdio('onx', folder.path);
  await pipe.initialize();
}, SLOW);
afterAll(async () => {
  await Promise.all([server.stop(), pipe.close()]);
  folder.remove();
});

const CODES: Record<string, number> = { parse: -32700, request: -32600, params: -32602, too_large: -32600 };

/** A protocol error: the standard code by its name in the document, no data of another dialect. */
function expectProtocolError(message: Message | undefined, code: number): void {
  expect(message?.jsonrpc).toBe('2.0');
  expect([message?.error?.code, message?.error?.message]).toEqual([code, PROTOCOL_NAMES[code]]);
  expect(foreignMembers(message)).toEqual([]);
}

const malformed = HOSTILE.filter(({ kind }) => kind in CODES);
const others = HOSTILE.filter(({ kind }) => !(kind in CODES));

describe('what is no request', () => {
  it.each(malformed)('EM-2 EM-24: $name on stdio has its standard code and name', async (hostile) => {
    const [answer, ...more] = await assaultPipe(pipe, hostile);
    expectProtocolError(answer, CODES[hostile.kind] ?? 0);
    expect([hostile.id, null]).toContain(answer?.id);
    expect(more).toEqual([]);
  });

  it.each(malformed)('EM-2 EM-24: $name over HTTP has its standard code and name', async (hostile) => {
    const answer = await assaultEndpoint(server.mcp, hostile);
    expectProtocolError(answer.messages[0], CODES[hostile.kind] ?? 0);
    expect([hostile.id, null]).toContain(answer.messages[0]?.id);
  });

  it.each(REFUSED)('EM-2 EM-24: $name is refused with $status and a standard code', async (question) => {
    const answer = await exchange(server.mcp, question);
    expect(answer.status).toBe(question.status);
    expectProtocolError(answer.messages[0], -32600);
    expect(answer.messages[0]?.id).toBeNull();
  });

  it.each(others)('EM-24: $name does not end the connection', async (hostile) => {
    const answers = await assaultPipe(pipe, hostile);
    expect(answers.length).toBe(hostile.kind === 'silent' ? 0 : 1);
    expect(foreignMembers(answers)).toEqual([]);
  });

  it('EM-24: none of it makes the server grow', async () => {
    const huge = HOSTILE.find(({ kind }) => kind === 'too_large') as (typeof HOSTILE)[number];
    const before = pipe.program.memory();
    for (let times = 0; times < 8; times += 1) {
      await assaultPipe(pipe, huge);
    }
    expect(pipe.program.memory() - before).toBeLessThan(120 * 1024 * 1024);
  });
});

const BROKEN: [string, Wire, string][] = [
  ['create-sales-order', { order: { ...ORDER, customer: { email: 'ana' } } }, 'order.customer.email'],
  [
    'create-sales-order',
    { order: { ...ORDER, lineItems: [{ sku: 'MUG-BLUE', quantity: 0 }] } },
    'order.lineItems.0.quantity',
  ],
  ['create-sales-order', { order: { ...ORDER, lineItems: [] } }, 'order.lineItems'],
  ['create-sales-order', {}, 'order'],
  ['cancel-order', {}, 'orderId'],
  ['cancel-order', { orderId: 7 }, 'orderId'],
  ['cancel-order', { orderId: 'o1', urgent: true }, 'urgent'],
  [
    'create-sales-order',
    { order: { ...ORDER, customer: { email: 'a@b.co', vip: true } } },
    'order.customer.vip',
  ],
];

describe.each(['stdio', 'HTTP'])('found before the tool runs, over %s', (over) => {
  const channel = (): Channel => (over === 'stdio' ? pipe : endpoint);

  it.each(BROKEN)('EM-26 EM-29 EM-36: %s with %j is -32602 and names %s', async (tool, args, field) => {
    const answer = await callTool(channel(), tool, args);
    expect(answer).not.toHaveProperty('result');
    expectProtocolError(answer, -32602);
    expect(answer.error?.data?.field).toBe(field);
  });

  it('EM-28 EM-29: the document’s example of a protocol failure is what comes', async () => {
    const answer = await callTool(channel(), 'create-sales-order', {
      order: { ...ORDER, customer: { email: 'ana' } },
    });
    expect(answer.error).toMatchObject({
      code: -32602,
      message: 'Invalid params',
      data: { field: 'order.customer.email' },
    });
  });

  it('EM-2 EM-24: a method that does not exist is -32601', async () => {
    expectProtocolError(await channel().request('orders/steal', {}), -32601);
  });

  it('EM-2 EM-26: a tool that does not exist is refused before anything runs', async () => {
    const answer = await callTool(channel(), 'steal-order', {});
    expect(answer).not.toHaveProperty('result');
    expect([-32601, -32602]).toContain(answer.error?.code);
    expect(answer.error?.message).toBe(PROTOCOL_NAMES[answer.error?.code]);
  });

  it('EM-34: no value of the arguments is repeated', async () => {
    const email = 'jane.doe at example.com';
    const answer = await callTool(channel(), 'create-sales-order', {
      order: { ...ORDER, customer: { email } },
    });
    expect(answer.error?.code).toBe(-32602);
    expect(JSON.stringify(answer)).not.toContain('jane.doe');
  });
});
