import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from '@mayday/reference-shared';
import { callTool, expectLawful, tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anOrder, openDesk } from '../test/fixture.ts';
import { createBackend, refused } from './backend.ts';
import { createHttpAdapter } from './http-adapter.ts';
import { createSqliteAdapter } from './sqlite/adapter.ts';
import { openOrders } from './sqlite/database.ts';

const SECRET = 'postgres://shop:hunter2@10.1.2.3/orders';

/** A desk in front of a backend that answers like this. */
async function deskBefore(answer: (request: Request) => Response | Promise<Response>, deadlineMs = 5000) {
  const backend = await listen(
    async (request) => answer(request),
    0,
    () => {},
  );
  onTestFinished(() => backend.close());
  return { backend, ...(await openDesk({ adapter: createHttpAdapter(backend.url), deadlineMs })) };
}

const answering =
  (status: number, body: unknown, headers = {}) =>
  () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });

it('the backend refuses what it cannot even read in its own form', async () => {
  const backend = await listen(createBackend(createSqliteAdapter(tempFolder())), 0, () => {}, { refused });
  onTestFinished(() => backend.close());
  const body = new Uint8Array([0x22, 0xff, 0x22]);
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${backend.url}/operations/get-products`, { method: 'POST', headers, body });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({
    code: 'PARSE_ERROR',
    message: 'The request body is not valid UTF-8',
  });
});

describe('the HTTP adapter', () => {
  it('passes orders through to a real backend, and its identifiers back', async () => {
    const { url } = await deskBefore(createBackend(createSqliteAdapter(tempFolder())));
    const { order } = (await callTool(url, 'create-sales-order', anOrder())).result.structuredContent;
    expect(order.status).toBe('open');
    await callTool(url, 'cancel-order', { orderId: order.id });
    const again = await callTool(url, 'cancel-order', { orderId: order.id });
    expect(again.result.error).toMatchObject({
      code: 4001,
      details: { originalError: 'INVALID_ORDER_STATE', context: { currentStatus: 'cancelled' } },
    });
    expect(expectLawful(again, 'onx').kind).toBe('conflict');
    const missing = await callTool(url, 'update-order', { orderId: 'ord_0', updates: { note: 'x' } });
    expect(missing.result.error.details.originalError).toBe('ORDER_NOT_FOUND');
    const tooMany = { orderId: order.id, lineItems: [{ sku: 'MUG-BLUE', quantity: 9 }] };
    expect((await callTool(url, 'fulfill-order', tooMany)).result.error.code).toBe(4001);
  });

  it('EM-20 EM-32 4002 when the backend is down, and serves again when it is back', async () => {
    const { backend, url } = await deskBefore(answering(200, { products: [] }));
    expect((await callTool(url, 'get-products', {})).result).not.toHaveProperty('error');
    await backend.close();
    const response = await callTool(url, 'get-products', {});
    expect(response.result.error).toMatchObject({
      code: 4002,
      retryable: true,
      message: 'The backend cannot be reached',
    });
    expect(expectLawful(response, 'onx').kind).toBe('unavailable');
    const again = await listen(
      async () => Response.json({ products: [] }),
      Number(new URL(backend.url).port),
      () => {},
    );
    onTestFinished(() => again.close());
    expect((await callTool(url, 'get-products', {})).result).not.toHaveProperty('error');
  });

  it('EM-6 EM-20 a backend that dies in the middle of its answer: 4002 for what reads, 4001 for what may be done', async () => {
    const backend = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-length': 1000 }).write('{"order":');
      setImmediate(() => response.destroy());
    });
    await once(backend.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void backend.close());
    const { port } = backend.address() as AddressInfo;
    const { url } = await openDesk({ adapter: createHttpAdapter(`http://127.0.0.1:${port}`) });
    expect((await callTool(url, 'get-orders', {})).result.error).toMatchObject({
      code: 4002,
      retryable: true,
    });
    expect((await callTool(url, 'create-sales-order', anOrder())).result.error).toEqual({
      code: 4001,
      message: 'The backend did not answer; the change may have been made',
      retryable: false,
      details: { suggestion: 'Look it up before you try again.', originalError: 'CONNECTION_LOST' },
    });
    const asked = { 'mayday-dialect': 'mayday' };
    const { result } = await callTool(url, 'create-sales-order', anOrder(), asked);
    expect(result._meta['dev.mayday/fault']).toMatchObject({
      name: 'CONNECTION_LOST',
      executed: 'maybe',
      retryable: false,
    });
  });

  it('EM-18 EM-32 3002 when the deadline has passed, and the backend is let go of', async () => {
    let letGo: () => void = () => {};
    const aborted = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const never = (request: Request) =>
      new Promise<Response>(() => request.signal.addEventListener('abort', () => letGo()));
    const { url } = await deskBefore(never, 300);
    const response = await callTool(url, 'get-products', {});
    expect(response.result.error).toMatchObject({ code: 3002, retryable: true });
    expect(expectLawful(response, 'onx').kind).toBe('timeout');
    await aborted;
  });

  it('EM-6 a change that took too long is not said to be safe to repeat, and its backend is let go of', async () => {
    let letGo: () => void = () => {};
    const aborted = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const backend = createServer((request) => void request.once('close', () => letGo()));
    await once(backend.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void backend.close());
    const { port } = backend.address() as AddressInfo;
    const adapter = createHttpAdapter(`http://127.0.0.1:${port}`, { timeoutMs: 200 });
    const { url } = await openDesk({ adapter });
    const { error } = (await callTool(url, 'create-sales-order', anOrder())).result;
    expect([error.code, error.retryable, error.details.originalError]).toEqual([4001, false, 'TIMEOUT']);
    await aborted;
  });

  it.each([
    [302, 4001, 'HTTP_302'],
    [401, 4001, 'NO_KEY'],
    [504, 4001, 'GATEWAY_TIMEOUT'],
    [408, 4001, 'GATEWAY_TIMEOUT'],
  ])('EM-6 EM-19 a %i to a change is %i, %s, and not worth repeating', async (status, code, identifier) => {
    const body = status === 401 ? { code: 'NO_KEY' } : {};
    const { url } = await deskBefore(answering(status, body, { location: 'http://10.0.0.5/' }));
    const { error } = (await callTool(url, 'create-sales-order', anOrder())).result;
    expect([error.code, error.retryable, error.details.originalError]).toEqual([code, false, identifier]);
  });

  it('EM-34 lets a field pass that the caller has sent, and no other', async () => {
    let field = 'orderId';
    const { url } = await deskBefore(() => Response.json({ code: 'BAD', field }, { status: 422 }));
    const said = async () => (await callTool(url, 'cancel-order', { orderId: 'o1' })).result.error.details;
    expect(await said()).toEqual({ field: 'orderId', originalError: 'BAD' });
    for (field of ['orders_internal_v2', 'constructor', 'orderId.length', ''])
      expect(await said()).toEqual({ originalError: 'BAD' });
  });

  it('does not hold an answer without an end', async () => {
    const { url, logger } = await deskBefore(answering(200, 'x'.repeat(9_000_000)));
    expect((await callTool(url, 'get-products', {})).result.error).toMatchObject({
      code: 4001,
      retryable: false,
    });
    expect(logger.lines[0]?.fields).toMatchObject({ err: { name: 'RangeError' } });
  });

  it.each(['constructor', 'create-return', 'nope'])('has no operation %s', async (name) => {
    const adapter = createSqliteAdapter(tempFolder());
    const { 'create-return': _none, ...tools } = adapter.tools;
    const request = new Request(`http://x/operations/${name}`, { method: 'POST', body: '{}' });
    const answer = await createBackend({ ...adapter, tools })(request);
    expect([answer.status, await answer.json()]).toEqual([501, { code: 'NOT_IMPLEMENTED' }]);
    adapter.close();
  });

  it('EM-21 EM-33 5001 for what the adapter does not support', async () => {
    const { url } = await deskBefore(answering(501, {}));
    const returns = await callTool(url, 'get-returns', {});
    expect(returns.result.error).toMatchObject({
      code: 5001,
      retryable: false,
      message: 'The http adapter does not support get-returns',
    });
    expect((await callTool(url, 'get-products', {})).result.error).toMatchObject({
      code: 5001,
      retryable: false,
    });
  });

  it.each([
    [
      'EM-17',
      429,
      { 'retry-after': '7' },
      { code: 3001, retryable: true, details: { context: { retryAfter: 7000 } } },
    ],
    ['EM-18', 504, {}, { code: 3002, retryable: true }],
    ['EM-20', 503, {}, { code: 4002, retryable: true }],
    ['EM-19', 500, {}, { code: 4001, retryable: false, details: { originalError: 'PG_DOWN' } }],
    ['EM-19', 409, {}, { code: 4001, retryable: false, details: { originalError: 'PG_DOWN' } }],
    ['EM-6', 403, {}, { code: 4001, retryable: false }],
  ])('%s a backend’s %i, without its words', async (_id, status, headers, expected) => {
    const { url, logger } = await deskBefore(
      answering(status, { code: 'PG_DOWN', message: `shard 17 lost: ${SECRET}` }, headers),
    );
    const response = await callTool(url, 'get-products', {});
    expect(response.result.error).toMatchObject(expected);
    expect(JSON.stringify(response)).not.toMatch(/hunter2|shard 17/);
    expect(logger.lines[0]?.fields).toMatchObject({ err: { message: expect.stringContaining('hunter2') } });
  });

  it('EM-19 an adapter error that says so is worth repeating', async () => {
    const { url } = await deskBefore(answering(500, { code: 'LOCK_LOST', retryable: true }));
    expect((await callTool(url, 'get-products', {})).result.error).toMatchObject({
      code: 4001,
      retryable: true,
    });
  });

  it('an answer that is no JSON is an adapter error', async () => {
    const { url } = await deskBefore(answering(200, '<html>'));
    expect((await callTool(url, 'get-products', {})).result.error).toMatchObject({
      code: 4001,
      retryable: false,
      details: { originalError: 'BAD_GATEWAY' },
    });
  });
});

describe('the desk itself', () => {
  it('EM-17 EM-32 3001 beyond its rate, with the wait', async () => {
    const { url } = await openDesk({ perMinute: 2 });
    const calls = await Promise.all([1, 2, 3].map(() => callTool(url, 'get-products', {})));
    const [refused] = calls.filter(({ result }) => result.error !== undefined);
    expect(refused?.result.error).toMatchObject({ code: 3001, retryable: true });
    expect(refused?.result.error.details.context.retryAfter).toBeGreaterThan(0);
  });

  it('EM-20 4002 while another process holds the database', async () => {
    const data = tempFolder();
    const { url } = await openDesk({ adapter: createSqliteAdapter(data) });
    const holder = openOrders(data);
    holder.exec('BEGIN IMMEDIATE');
    const response = await callTool(url, 'create-sales-order', anOrder());
    expect(response.result.error).toMatchObject({
      code: 4002,
      retryable: true,
      message: 'The order database is busy',
    });
    holder.exec('ROLLBACK');
    expect((await callTool(url, 'create-sales-order', anOrder())).result).not.toHaveProperty('error');
  });

  it('EM-25 EM-34 EM-37 an exception nobody meant is 4001, its cause only in the log', async () => {
    const adapter = {
      name: 'broken',
      tools: {
        'get-products': () => {
          throw new Error(`connect failed: ${SECRET}`);
        },
      },
      close: () => {},
    };
    const { url, logger } = await openDesk({ adapter });
    const response = await callTool(url, 'get-products', {});
    expect(response.result.error).toMatchObject({ code: 4001, retryable: false });
    expect(JSON.stringify(response)).not.toMatch(/hunter2|postgres|connect failed/);
    expect(logger.lines[0]?.fields).toMatchObject({ err: { message: `connect failed: ${SECRET}` } });
  });

  it('EM-34 planted secrets in arguments do not come back in failures', async () => {
    const { url } = await openDesk();
    const planted = 'sk-live-9f8e7d6c5b4a39281706f5e4d3c2b1a0';
    const order = anOrder() as { order: { customer: { email: string } } };
    order.order.customer.email = planted;
    for (const args of [order, { ...order, apiKey: planted }, { password: planted }])
      expect(JSON.stringify(await callTool(url, 'create-sales-order', args))).not.toContain(planted);
  });

  it('refuses flags it does not know with exit status 2', () => {
    const { status, stderr } = spawnSync(process.execPath, [
      '--conditions=@mayday/source',
      new URL('main.ts', import.meta.url).pathname,
      '--port',
      '1',
    ]);
    expect(status).toBe(2);
    expect(String(stderr)).toMatch(/^.*--port.*\n$/);
  });
});
