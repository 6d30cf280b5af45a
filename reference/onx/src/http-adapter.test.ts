import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FaultError } from '@mayday/core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createHttpAdapter } from './http-adapter.ts';

let backend: Server;
let answer: readonly [status: number, body: string, headers?: { [name: string]: string }] = [200, '{}'];

beforeAll(async () => {
  backend = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(answer[0], answer[2]).end(answer[1]));
  });
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  backend.close();
  backend.closeAllConnections();
});

async function failed(
  name: 'get-orders' | 'cancel-order',
  ...said: typeof answer
): Promise<FaultError['fault']> {
  answer = said;
  const adapter = createHttpAdapter(`http://127.0.0.1:${(backend.address() as AddressInfo).port}`);
  const error = await Promise.resolve(
    adapter.tools[name]?.({ orderId: 'o-1' } as never, new AbortController().signal),
  ).catch((thrown: unknown) => thrown);
  return (error as FaultError).fault;
}

describe('what a backend answers', () => {
  it.each([
    [408, 'timeout', 'The backend took too long'],
    [504, 'timeout', 'The backend took too long'],
    [429, 'rate_limited', 'The backend is asked too often'],
    [501, 'unsupported', 'The backend does not do this'],
    [503, 'unavailable', 'The backend is not available'],
    [500, 'upstream_failed', 'The backend failed'],
    [502, 'upstream_failed', 'The backend failed'],
    [401, 'misconfigured', 'The backend refused: HTTP_401'],
    [403, 'forbidden', 'The backend refused: HTTP_403'],
    [400, 'unprocessable', 'The backend refused: HTTP_400'],
    [422, 'unprocessable', 'The backend refused: HTTP_422'],
    [404, 'not_found', 'The backend refused: HTTP_404'],
  ])('%i is %s: %s', async (status, kind, message) => {
    expect(await failed('get-orders', status, '{}')).toMatchObject({ kind, message });
  });

  it.each([408, 504])('%i after a change says that it may have been made', async (status) => {
    expect(await failed('cancel-order', status, '{}')).toMatchObject({
      name: 'GATEWAY_TIMEOUT',
      executed: 'maybe',
      message: 'The backend did not answer; the change may have been made',
      advice: 'Look it up before you try again.',
    });
  });

  it('EM-6 EM-32 503 after a change is not safe to ask for again; 429 is a refusal', async () => {
    expect(await failed('cancel-order', 503, '{"code":"MAINTENANCE"}', { 'retry-after': '7' })).toMatchObject(
      {
        name: 'SERVICE_UNAVAILABLE',
        retryable: false,
        executed: 'maybe',
        advice: 'Look it up before you try again.',
      },
    );
    expect(await failed('cancel-order', 429, '{}')).toMatchObject({ retryable: true, executed: 'no' });
  });

  it.each([429, 503])('%i hands its wait on', async (status) => {
    expect((await failed('get-orders', status, '{}', { 'retry-after': '7' })).retry.afterMs).toBe(7000);
  });

  it.each(['not json', '[]', 'null', '"text"'])('%j is no answer', async (body) => {
    expect(await failed('get-orders', 200, body)).toMatchObject({
      name: 'BAD_GATEWAY',
      message: 'The backend answered with something else than JSON',
    });
    expect((await failed('cancel-order', 200, body)).executed).toBe('maybe');
  });

  it('far too much is no answer, and asking again is of no use', async () => {
    const huge = JSON.stringify({ orders: 'x'.repeat(8 * 1024 * 1024) });
    expect(await failed('get-orders', 200, huge)).toMatchObject({
      name: 'BAD_GATEWAY',
      message: 'The backend answered with more than anybody can read',
      retryable: false,
    });
    expect(await failed('cancel-order', 200, huge)).toMatchObject({ retryable: false, executed: 'maybe' });
  });

  it.each([
    ['{"success":false,"error":{"code":"ORDER_NOT_FOUND","message":"SELECT failed"}}', 'ORDER_NOT_FOUND'],
    ['{"success":false}', 'HTTP_200'],
  ])('EM-19 EM-37 a 200 that says %s has failed, without its words', async (body, name) => {
    const fault = await failed('cancel-order', 200, body);
    expect(fault).toMatchObject({ name, message: `The backend refused: ${name}`, retryable: false });
    expect(JSON.stringify(fault)).not.toContain('SELECT');
  });

  it('is worth another try where it says so, and nowhere else', async () => {
    const said = (retryable: unknown) =>
      failed('get-orders', 409, JSON.stringify({ code: 'LOCKED', retryable }));
    expect(await said(true)).toMatchObject({ name: 'LOCKED', retryable: true });
    expect((await said('true')).retryable).toBe(false);
    expect((await said(undefined)).message).toBe('The backend refused: LOCKED');
  });
});

describe('what it can do', () => {
  it('has every tool but returns', () => {
    const names = Object.keys(createHttpAdapter('http://127.0.0.1:9').tools);
    expect(names.filter((name) => name.includes('return'))).toEqual([]);
    expect(names).toHaveLength(10);
  });

  it('asks with a JSON body for the operation of the tool, and follows nobody elsewhere', async () => {
    const asked: unknown[] = [];
    const shop = createServer(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece);
      asked.push([
        request.method,
        request.url,
        request.headers['content-type'],
        String(Buffer.concat(pieces)),
      ]);
      response.writeHead(302, { location: '/elsewhere' }).end('{}');
    }).listen(0, '127.0.0.1');
    await once(shop, 'listening');
    onTestFinished(() => void shop.close());
    const adapter = createHttpAdapter(`http://127.0.0.1:${(shop.address() as AddressInfo).port}`);
    const run = adapter.tools['get-orders']?.({ limit: 1 }, new AbortController().signal);
    const error = await Promise.resolve(run).catch((thrown: unknown) => thrown);
    expect((error as FaultError).fault.message).toBe('The backend refused: HTTP_302');
    expect(asked).toEqual([['POST', '/operations/get-orders', 'application/json', '{"limit":1}']]);
  });

  it('takes an answer of 8 MiB, in pieces that cut letters in two, and none that is longer', async () => {
    const empty = JSON.stringify({ orders: '' }).length;
    const of = (bytes: number) => JSON.stringify({ orders: 'é'.repeat((bytes - empty) / 2) });
    answer = [200, of(8 * 1024 * 1024 - 1)];
    const adapter = createHttpAdapter(`http://127.0.0.1:${(backend.address() as AddressInfo).port}`);
    const signal = new AbortController().signal;
    const taken = (await adapter.tools['get-orders']?.({ limit: 1 }, signal)) as { orders: string };
    expect([taken.orders.length, taken.orders.replaceAll('é', '')]).toEqual([4_194_297, '']);
    answer = [200, `${of(8 * 1024 * 1024 - 1)} `];
    expect(await adapter.tools['get-orders']?.({ limit: 1 }, signal)).toEqual(taken);
    expect(await failed('get-orders', 200, `${of(8 * 1024 * 1024 - 1)}  `)).toMatchObject({
      kind: 'upstream_failed',
      message: 'The backend answered with more than anybody can read',
    });
  });

  it.each([
    ['cancel-order', { name: 'TIMEOUT', executed: 'maybe', retryable: false }],
    ['get-orders', { kind: 'timeout', message: 'The backend took too long' }],
  ] as const)('waits no longer than it may, for %s', async (name, expected) => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => silent.closeAllConnections());
    const adapter = createHttpAdapter(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, {
      timeoutMs: 50,
    });
    const run = adapter.tools[name]?.({ orderId: 'o-1', limit: 1 }, new AbortController().signal);
    const error = await Promise.resolve(run).catch((thrown: unknown) => thrown);
    expect((error as FaultError).fault).toMatchObject(expected);
  });

  it('says when nobody is there', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const adapter = createHttpAdapter(`http://127.0.0.1:${port}`);
    const error = await Promise.resolve(
      adapter.tools['cancel-order']?.({ orderId: 'o-1' } as never, new AbortController().signal),
    ).catch((thrown: unknown) => thrown);
    expect((error as FaultError).fault).toMatchObject({
      kind: 'unavailable',
      executed: 'no',
      message: 'The backend cannot be reached',
    });
  });
});
