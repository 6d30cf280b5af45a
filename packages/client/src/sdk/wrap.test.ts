import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { answer, scriptedHttp, succeed } from '../../test/scripted-http.ts';
import { httpTransport, resilient } from '../index.ts';

const create = (): Client => new Client({ name: 'agent', version: '1.0.0' });

it.each([
  [
    { transport: new InMemoryTransport() as never },
    'Expected `transport` to be a function that makes a new transport each time',
  ],
  [{ failures: 'maybe' as never }, 'Expected `failures` to be one of sdk, throw, result, got maybe'],
  [{ attempts: 0 }, 'Expected `attempts` to be a positive integer, got 0'],
  [{ deadlineMs: -1 }, 'Expected `deadlineMs` to be a positive number of milliseconds, got -1'],
  [{ upstream: { concurrency: 0 } }, 'Expected `concurrency` to be a positive integer, got 0'],
  [{ atempts: 3 } as never, 'Unknown option `atempts` of a resilient client; did you mean `attempts`?'],
  [{ retries: 3 } as never, 'Unknown option `retries` of a resilient client; did you mean `retryIf`?'],
  [
    { upstream: { patience: 3 } } as never,
    'Unknown option `patience` of an upstream; did you mean `patienceMs`?',
  ],
  [
    { tools: { pay: { repeatabel: false } } } as never,
    'Unknown option `repeatabel` of the tool pay; did you mean `repeatable`?',
  ],
])('says at once what is wrong with %j', (options, message) => {
  expect(() => resilient(create(), options)).toThrow(new TypeError(message));
});

it.each([
  [{ repeatabel: true }, 'Unknown option `repeatabel` of a call; did you mean `repeatable`?'],
  [
    { timeoutMs: 5 },
    'Unknown option `timeoutMs` of a call; it has attempts, deadlineMs, attemptTimeoutMs, hedgeAfterMs, retryIf, signal, repeatable, once, idempotencyKey',
  ],
  [{ idempotencykey: 'k' }, 'Unknown option `idempotencykey` of a call; did you mean `idempotencyKey`?'],
  [{ attempts: 0 }, 'Expected `attempts` to be a positive integer, got 0'],
  [{ deadlineMs: Number.NaN }, 'Expected `deadlineMs` to be a positive number of milliseconds, got NaN'],
])('says what is wrong with a call’s own %j, and sends nothing', async (extras, message) => {
  await expect(resilient(create()).call({ name: 'pay' }, extras as never)).rejects.toThrow(
    new TypeError(message),
  );
});

it('wraps a client once', () => {
  const client = create();
  expect(resilient(client)).toBe(client);
  expect(() => resilient(client)).toThrow(
    new TypeError('Expected a client that is not resilient yet; this one already is'),
  );
});

it('stays a client for everything that takes one', () => {
  const takesClient = (client: Client): Client => client;
  const client = resilient(create());
  expect(takesClient(client)).toBe(client);
  expect(client).toBeInstanceOf(Client);
});

it('says what is missing to connect', async () => {
  await expect(resilient(create()).connect()).rejects.toThrow(
    new TypeError('Expected a transport: pass one to `connect`, or a `transport` option that makes them'),
  );
});

it('sends the idempotency key and repeats a write with it', async () => {
  await using server = await scriptedHttp((heard, response, count) => {
    if (count === 1) response.destroy();
    else succeed(heard, response);
  });
  const client = resilient(create(), {
    transport: () => httpTransport(server.url),
    upstream: { random: () => 0 },
  });
  await client.connect();
  const outcome = await client.call({ name: 'write' }, { idempotencyKey: 'order-7' });
  expect(outcome).toMatchObject({ ok: true, attempts: 2 });
  expect(server.heard.at(-1)?.params?._meta).toMatchObject({ 'dev.mayday/idempotency-key': 'order-7' });
  await client.close();
});

it('tells the server nothing if asked to, and keeps what the caller put into `_meta`', async () => {
  await using server = await scriptedHttp((heard, response) => succeed(heard, response));
  const client = resilient(create(), { transport: () => httpTransport(server.url), tellServer: false });
  await client.connect();
  await client.callTool({ name: 'write', _meta: { own: 1 } });
  expect(server.heard.at(-1)?.params?._meta).toEqual({ own: 1 });
  await client.close();
});

it('keeps the SDK’s own options: signal, timeout, progress', async () => {
  await using server = await scriptedHttp(() => undefined);
  const client = resilient(create(), {
    transport: () => httpTransport(server.url),
    upstream: { random: () => 0 },
  });
  await client.connect();
  await expect(client.callTool({ name: 'write' }, { timeout: 50 })).rejects.toMatchObject({
    fault: { kind: 'timeout' },
  });
  await expect(client.callTool({ name: 'write' }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    fault: { kind: 'cancelled' },
  });
  await client.close();
});

it('reports circuits to every client of the upstream, and none after it is closed', async () => {
  await using server = await scriptedHttp((heard, response) =>
    answer(response, {
      jsonrpc: '2.0',
      id: heard.id,
      error: { code: -32603, message: 'The payment service is unavailable' },
    }),
  );
  const seen: string[] = [];
  const client = resilient(create(), {
    transport: () => httpTransport(server.url),
    upstream: { name: 'shop', targetBreaker: { consecutive: 1 } },
    attempts: 1,
    onEvent: (event) => {
      if (event.type === 'circuit' || event.type === 'session') seen.push(event.type);
    },
  });
  await client.connect();
  await client.call({ name: 'write' });
  await client.close();
  client.upstream.emit({ type: 'circuit', upstream: 'shop', state: 'closed' });
  expect(seen).toEqual(['circuit', 'session']);
});
