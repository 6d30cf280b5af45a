import { read } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { mendFetch } from './mend-fetch.ts';

const headers = { accept: 'application/json, text/event-stream' };
const POST = { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":7,"method":"tools/call"}' };

/** What the SDK sees of one answer, and the fault in it. */
async function through(answer: Response, init: RequestInit = POST, maxBytes?: number) {
  const response = await mendFetch(async () => answer, { maxBytes })('http://127.0.0.1/', init);
  const text = await response.text();
  const reading = read(text === '' ? {} : (JSON.parse(text) as unknown), { now: 0 });
  return { status: response.status, text, fault: reading.failure ? reading.fault : undefined };
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

it('unwraps the JSON-RPC error behind a 404', async () => {
  const body = {
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32601, message: 'Method not found', data: { why: 'x' } },
  };
  const { status, text, fault } = await through(json(body, 404));
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({ id: 7, error: { code: -32601, data: { why: 'x' } } });
  expect(fault).toMatchObject({ kind: 'unsupported', message: 'Method not found' });
});

it.each([
  [429, 'rate_limited'],
  [503, 'unavailable'],
])('keeps the Retry-After of a %i', async (status, kind) => {
  const { fault } = await through(new Response('busy', { status, headers: { 'retry-after': '2' } }));
  expect(fault).toMatchObject({ kind, retry: { when: 'after_wait', afterMs: 2000 } });
});

it('reads a 404 with a session id as an expired session, unless the method is unknown', async () => {
  const withSession = { ...POST, headers: { ...headers, 'mcp-session-id': 's' } };
  const gone = json({ jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }, 404);
  expect((await through(gone, withSession)).fault).toMatchObject({
    kind: 'expired',
    subject: { type: 'session' },
    executed: 'no',
  });
  const unknown = json({ jsonrpc: '2.0', id: 7, error: { code: -32601, message: 'Method not found' } }, 404);
  expect((await through(unknown, withSession)).fault).toMatchObject({ kind: 'unsupported' });
});

it('leaves a redirect to the SDK', async () => {
  const answer = new Response('body', { status: 302 });
  expect(await mendFetch(async () => answer)('http://127.0.0.1/', POST)).toBe(answer);
});

it.each([401, 403])('lets the SDK sign in after a %i that says nothing else', async (status) => {
  const answer = new Response(null, { status, headers: { 'www-authenticate': 'Bearer' } });
  const response = await mendFetch(async () => answer)('http://127.0.0.1/', POST);
  expect(response.status).toBe(status);
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
  expect(await response.json()).toMatchObject({ id: 7, error: { data: { executed: 'no' } } });
});

it.each([
  [401, 'payment captured; then token expired', {}],
  [403, '{"orderId":7}', {}],
  [401, '', { location: '/orders/7' }],
  [401, '', { 'www-authenticate': 'Bearer error="invalid_token", error_description="payment captured"' }],
])('does not let it send what may have been done: %i %s', async (status, body, told) => {
  const { fault, ...seen } = await through(new Response(body, { status, headers: { ...told } }));
  expect(seen.status).toBe(200);
  expect(fault).toMatchObject({ executed: 'maybe' });
});

it('tells the transport of 2024-11-05 by the status, which is all that it looks at', async () => {
  const init = { method: 'POST', body: POST.body };
  const { status, text } = await through(new Response('', { status: 503 }), init);
  expect(status).toBe(503);
  expect(JSON.parse(text)).toMatchObject({ error: { data: { kind: 'unavailable', executed: 'maybe' } } });
  const accepted = new Response('Accepted', { status: 202 });
  expect(await mendFetch(async () => accepted)('http://127.0.0.1/', init)).toBe(accepted);
});

it.each(['initialize', 'server/discover'])('leaves the answers to %s alone', async (method) => {
  const answer = new Response('busy', { status: 503 });
  const init = { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 7, method }) };
  expect(await mendFetch(async () => answer)('http://127.0.0.1/', init)).toBe(answer);
});

it('starts a new session without the id of the old one', async () => {
  const sent: (string | null)[] = [];
  const base = async (_: string | URL, init?: RequestInit): Promise<Response> => {
    sent.push(new Headers(init?.headers).get('mcp-session-id'));
    return json({});
  };
  const headers = { 'mcp-session-id': 's' };
  const mended = mendFetch(base);
  await mended('http://127.0.0.1/', { method: 'POST', headers, body: '{"id":1,"method":"initialize"}' });
  await mended('http://127.0.0.1/', { method: 'GET', headers });
  expect(sent).toEqual([null, 's']);
});

it.each([
  ['garbage', () => json('<html>'), 'The answer is not JSON'],
  [
    'another id',
    () => json({ jsonrpc: '2.0', id: 8, result: {} }),
    'The answer belongs to no request, or to another one',
  ],
  [
    'a page',
    () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    'The server answered with content of type text/html instead of a JSON-RPC message',
  ],
  [
    'nothing',
    () => new Response(null, { status: 202 }),
    'The server answered with status 202 and no content instead of a JSON-RPC message',
  ],
  [
    'nothing that has a type',
    () => new Response(new Blob(['{"jsonrpc":"2.0"']).stream()),
    'The server answered with status 200 and no content type instead of a JSON-RPC message',
  ],
  [
    'nothing, in so many words',
    () => new Response(new Blob([]).stream(), { headers: { 'content-length': '0' } }),
    'The server answered with status 200 and no content instead of a JSON-RPC message',
  ],
  [
    'too much',
    () => json({ jsonrpc: '2.0', id: 7, result: 'x'.repeat(2000) }),
    'The answer is larger than 1000 bytes',
  ],
  ['no result', () => json({ jsonrpc: '2.0', id: 7, result: null }), 'The answer has no result'],
])('takes %s for an unusable answer', async (_, answered, message) => {
  expect((await through(answered(), POST, 1000)).fault).toMatchObject({
    kind: 'invalid_output',
    origin: 'server',
    executed: 'maybe',
    message,
  });
});

it('removes what the SDK rejects and keeps what it may use', async () => {
  const error = { code: -32000, message: 'no', data: 1, extra: 2 };
  const answer = await through(json({ jsonrpc: '2.0', id: null, error, _meta: {} }));
  expect(JSON.parse(answer.text)).toEqual({
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32000, message: 'no', data: 1 },
  });
  const success = '{"jsonrpc":"2.0","id":7,"result":{"deep":[1]}}';
  expect((await through(json(success))).text).toBe(success);
});

it('reads no more than a megabyte of a failing body', async () => {
  const { fault, text } = await through(new Response('x'.repeat(10_000_000), { status: 500 }));
  expect(fault?.kind).toBe('internal');
  expect(text.length).toBeLessThan(1_200_000);
});

it('fits wherever a fetch is asked for, and takes a Request apart', async () => {
  const sent: unknown[] = [];
  const fits: typeof globalThis.fetch = mendFetch(async (url, init) => {
    sent.push([url, init?.body]);
    return new Response('busy', { status: 503, headers: { 'retry-after': '2' } });
  });
  const response = await fits(new Request('http://127.0.0.1/mcp', POST));
  expect(sent).toEqual([['http://127.0.0.1/mcp', POST.body]]);
  expect(read(await response.json())).toMatchObject({
    fault: { kind: 'unavailable', retry: { afterMs: 2000 } },
  });
});

it('refuses options that nobody reads', () => {
  expect(() => mendFetch(fetch, { maxByts: 1 } as never)).toThrow(
    new TypeError('Unknown option `maxByts` of `mendFetch`; did you mean `maxBytes`?'),
  );
  expect(() => mendFetch({ maxBytes: 1 } as never)).toThrow(
    new TypeError('Expected a `fetch` before the options: mendFetch(fetch, { … })'),
  );
});

it.each([
  ['s-123', 'expired', 'no'],
  ['pay_991', 'unavailable', 'maybe'],
])('a 404 that names the session %s', async (named, kind, executed) => {
  const init = { ...POST, headers: { ...headers, 'mcp-session-id': 's-123' } };
  const answer = new Response('', { status: 404, headers: { 'mcp-session-id': named } });
  expect((await through(answer, init)).fault).toMatchObject({ kind, executed });
});

it.each([404, 405, 429])('a %i that names a session where there was none', async (status) => {
  const answer = new Response('', { status, headers: { 'mcp-session-id': 'pay_991' } });
  expect((await through(answer)).fault).toMatchObject({ executed: 'maybe' });
});

it.each([
  [{ error: 'Too many requests', status: 429 }, 'no'],
  [{ error: 'Too many requests', code: 1015 }, 'maybe'],
  [{ title: 'Too Many Requests', status: 200 }, 'maybe'],
  [{ title: 'Too Many Requests', status: '201' }, 'maybe'],
  [{ error: { message: 'Too many requests', code: 200 } }, 'maybe'],
])('a 429 that says %j', async (body, executed) => {
  expect((await through(json(body, 429))).fault).toMatchObject({ kind: 'rate_limited', executed });
});

it.each([400, 401, 404, 429, 503])(
  'a %i with the answer to another request refuses nothing, and its words stay',
  async (status) => {
    const error = { code: -32602, message: 'amount of Ann: 4711', data: { executed: 'no' } };
    const answer = json({ jsonrpc: '2.0', id: 'mail-77', error }, status);
    const { fault, text, ...seen } = await through(answer);
    expect(seen.status).toBe(200);
    expect(fault).toMatchObject({ executed: 'maybe' });
    expect(text).not.toContain('4711');
  },
);

const denied = (id: unknown): object => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32001, message: 'Session not found' },
});

it.each([
  [404, denied('error'), 'expired', 'no'],
  [404, denied(-1), 'expired', 'no'],
  [400, denied('session-error'), 'expired', 'no'],
  [404, [denied(null)], 'expired', 'no'],
  [200, denied(null), 'expired', 'no'],
  [200, denied('server-error'), 'expired', 'no'],
  [404, denied(0), 'unavailable', 'maybe'],
] as const)(
  'a session that is not known, said in other forms: %i %j',
  async (status, body, kind, executed) => {
    const init = { ...POST, headers: { ...headers, 'mcp-session-id': 's-123' } };
    const type = { 'content-type': 'application/json' };
    const answer = new Response(JSON.stringify(body), { status, headers: type });
    expect((await through(answer, init)).fault).toMatchObject({ kind, executed });
  },
);

it('what a call is answered with under its own id is no word about its session', async () => {
  const init = { ...POST, headers: { ...headers, 'mcp-session-id': 's-123' } };
  expect((await through(json(denied(7)), init)).fault?.kind).not.toBe('expired');
});

describe('a refusal under 200', () => {
  const refused = { jsonrpc: '2.0', id: 7, error: { code: -32601, message: 'Method not found' } };
  const stream = (told: Record<string, string>): Response =>
    new Response(`data: ${JSON.stringify(refused)}\n\n`, {
      headers: { 'content-type': 'text/event-stream', ...told },
    });
  const inStream = async (told: Record<string, string>): Promise<string | undefined> => {
    const response = await mendFetch(async () => stream(told))('http://127.0.0.1/', POST);
    const [, data = ''] = /^data: (.*)$/m.exec(await response.text()) ?? [];
    const reading = read(JSON.parse(data) as unknown, { now: 0 });
    return reading.failure ? reading.fault.executed : undefined;
  };
  const USUAL = { date: 'Wed, 18 Nov 2026 12:00:00 GMT', server: 'nginx', 'cache-control': 'no-store' };

  it('counts with the headers of any door', async () => {
    expect((await through(json(refused, 200, USUAL))).fault).toMatchObject({ executed: 'no' });
    expect(await inStream(USUAL)).toBe('no');
  });

  it.each([{ 'x-order-id': '9' }, { location: '/orders/9' }])('proves nothing beside %j', async (told) => {
    const { fault, text } = await through(json(refused, 200, told));
    expect(fault).toMatchObject({ kind: 'unsupported', executed: 'maybe' });
    expect(JSON.parse(text)).toMatchObject({ id: 7, error: { code: -32601 } });
    expect(await inStream(told)).toBe('maybe');
  });

  it('proves nothing in a list', async () => {
    expect((await through(json([refused]))).fault).toMatchObject({ executed: 'maybe' });
  });

  it('is no success: that stays as it is, whatever stands around it', async () => {
    const success = { jsonrpc: '2.0', id: 7, result: { content: [] } };
    expect(JSON.parse((await through(json(success, 200, { 'x-order-id': '9' }))).text)).toEqual(success);
  });
});

it.each([
  [429, 'gzip', 'maybe'],
  [429, 'br', 'maybe'],
  [429, 'gzip, gzip', 'maybe'],
  [429, 'identity', 'no'],
  [413, 'gzip', 'maybe'],
  [401, 'gzip', 'no'],
])('a failing answer that came packed may be cut: %i %s', async (status, coding, executed) => {
  const answer = new Response('', { status, headers: { 'content-encoding': coding } });
  expect((await through(answer)).fault).toMatchObject({ executed });
});

it('of a failing answer that is too large, the rest may tell of work', async () => {
  const answer = new Response(' '.repeat(1_100_000), { status: 429 });
  expect((await through(answer)).fault).toMatchObject({ executed: 'maybe' });
});
