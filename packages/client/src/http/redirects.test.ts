/** Redirects of a call: one is a move, more are not followed. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { mendFetch } from './mend-fetch.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server that answers the n-th request as told; counts the calls it was given. */
async function server(answer: (n: number, url: string) => [number, { [name: string]: string }, string]) {
  let calls = 0;
  const http = createServer((request, response) => {
    calls += 1;
    const [status, headers, body] = answer(calls, request.url ?? '');
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  ends.push(
    () => http.closeAllConnections(),
    () => http.close(),
  );
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, calls: () => calls };
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const BODY = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'pay' } });
const FINE: [number, { [name: string]: string }, string] = [
  200,
  { 'content-type': 'application/json' },
  '{"jsonrpc":"2.0","id":7,"result":{"content":[]}}',
];

/** As the SDKs do: each redirect is followed with another request. */
async function following(url: string, fetch: ReturnType<typeof mendFetch>, hops = 5) {
  let at = url;
  for (;;) {
    const response = await fetch(at, { method: 'POST', headers: HEADERS, body: BODY, redirect: 'manual' });
    if (response.status !== 307 || hops-- === 0) return response;
    at = new URL(response.headers.get('location') ?? '', at).href;
  }
}

const follow = (url: string, fetch: ReturnType<typeof mendFetch>) =>
  fetch(url, { method: 'POST', headers: HEADERS, body: BODY });

it.each([
  ['by the SDK', following],
  ['by us', follow],
])('a server that has moved is followed once, %s', async (_who, send) => {
  const { url, calls } = await server((n) => (n === 1 ? [307, { location: '/mcp/' }, ''] : FINE));
  expect(await (await send(url, mendFetch())).json()).toMatchObject({ result: { content: [] } });
  expect(calls()).toBe(2);
});

it.each([
  ['back and forth, by the SDK', following, (url: string) => (url === '/mcp' ? '/mcp2' : '/mcp'), 2],
  ['back and forth, by us', follow, (url: string) => (url === '/mcp' ? '/mcp2' : '/mcp'), 2],
  ['to itself, by the SDK', following, () => '/mcp', 1],
  ['to itself, by us', follow, () => '/mcp', 1],
])('one that sends it %s, is not', async (_how, send, to, made) => {
  const { url, calls } = await server((_n, at) => [307, { location: to(at) }, '']);
  const answer = await (await send(url, mendFetch())).json();
  expect(answer).toMatchObject({ error: { data: { kind: 'upstream_failed', executed: 'maybe' } } });
  expect(calls()).toBe(made);
});

it.each([
  ['by the SDK', following],
  ['by us', follow],
])('what the second refuses proves nothing about the first, %s', async (_who, send) => {
  const { url } = await server((n) => (n === 1 ? [307, { location: '/mcp/' }, ''] : [429, {}, '']));
  const answer = await (await send(url, mendFetch())).json();
  expect(answer).toMatchObject({ error: { data: { kind: 'rate_limited', executed: 'maybe' } } });
});

it('credentials stay with the server that they were made for', async () => {
  const seen: unknown[] = [];
  const other = createServer((request, response) => {
    seen.push(request.headers.authorization, request.headers['mcp-session-id'], request.headers['x-api-key']);
    response.writeHead(...(FINE.slice(0, 2) as [number, { [name: string]: string }])).end(FINE[2]);
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  ends.push(
    () => other.closeAllConnections(),
    () => other.close(),
  );
  const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/mcp`;
  const { url } = await server(() => [307, { location }, '']);
  const headers = { ...HEADERS, authorization: 'Bearer hunter2', 'mcp-session-id': 's', 'x-api-key': 'k' };
  const response = await mendFetch()(url, { method: 'POST', headers, body: BODY });
  expect([response.status, seen]).toEqual([200, [undefined, undefined, undefined]]);
});

it.each<[string, { [name: string]: string }, string]>([
  ['its words', {}, 'paid'],
  ['a header', { 'x-order-id': '7' }, ''],
])('a redirect that tells of work with %s is not followed', async (_how, more, body) => {
  for (const send of [following, follow]) {
    const { url, calls } = await server((n) => (n === 1 ? [307, { location: '/2', ...more }, body] : FINE));
    expect(await (await send(url, mendFetch())).json()).toMatchObject({
      error: {
        message: 'The server redirects the request and says more than where to; it may have been executed',
      },
    });
    expect(calls()).toBe(1);
  }
});

it.each(['/orders/991', '/receipts/pay_991', '/mcp?paid=1', '/mcp?order=991&status=paid', '/mcp#paid'])(
  'nor one whose address tells of it: %s',
  async (location) => {
    for (const send of [following, follow]) {
      const { url, calls } = await server((n) => (n === 1 ? [307, { location }, ''] : FINE));
      expect(await (await send(url, mendFetch())).json()).toMatchObject({
        error: { data: { executed: 'maybe' } },
      });
      expect(calls()).toBe(1);
    }
  },
);

it('nor one whose status line tells of it', async () => {
  let calls = 0;
  const shop = createServer((_request, response) => {
    calls += 1;
    response.writeHead(307, 'Order 41 Created', { location: '/mcp/' }).end();
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  ends.push(
    () => shop.closeAllConnections(),
    () => shop.close(),
  );
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/mcp`;
  expect(await (await follow(url, mendFetch())).json()).toMatchObject({
    error: { data: { executed: 'maybe' } },
  });
  expect(calls).toBe(1);
});
