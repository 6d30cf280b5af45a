/** A process behind the gateway: sessions, streams and both eras. */
import { afterEach, expect, it } from 'vitest';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  JSON_TYPES,
  open,
  post,
  STDIO_SERVER,
  takeEvents,
  until,
} from '../tools.ts';

afterEach(cleanUp);

async function openSession(config = {}): Promise<{ url: string; headers: { [name: string]: string } }> {
  const gateway = await open({ upstreams: { a: { ...STDIO_SERVER, ...config } } });
  const url = `${gateway.url}/a/mcp`;
  const { headers, status } = await post(url, INITIALIZE);
  expect(status).toBe(200);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  expect((await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session)).status).toBe(
    202,
  );
  return { url, headers: session };
}

it('gives every session a process of its own, and ends it with the session', async () => {
  const one = await openSession();
  const first = (await post(one.url, call('pid'), one.headers)).message.result?.['pid'];
  const again = await post(one.url, INITIALIZE);
  const other = { 'mcp-session-id': again.headers.get('mcp-session-id') ?? '' };
  expect((await post(one.url, call('pid'), other)).message.result?.['pid']).not.toBe(first);
  expect((await fetch(one.url, { method: 'DELETE', headers: one.headers })).status).toBe(204);
  expect((await post(one.url, call('pid'), one.headers)).status).toBe(404);
  await until(() => {
    try {
      process.kill(Number(first), 0);
      return false;
    } catch {
      return true;
    }
  });
});

it('turns an answer into a stream when the server has more to say', async () => {
  const { url, headers } = await openSession();
  const posted = await post(url, call('progress', { _meta: { progressToken: 't' } }), headers);
  expect(posted.headers.get('content-type')).toBe('text/event-stream');
  expect(posted.text).toMatch(/^id: r1-1\n.*\ndata: .*progress.*\n\nid: r1-2\n.*\ndata: .*"done":true/);
});

it('carries a request of the server to the client, and its answer back', async () => {
  const { url, headers } = await openSession();
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, ...JSON_TYPES },
    body: JSON.stringify(call('ask')),
  });
  const asked = response.clone();
  const [event] = await takeEvents(asked, 1);
  expect(event).toContain('sampling/createMessage');
  await post(url, { jsonrpc: '2.0', id: 'server-1', result: { role: 'assistant' } }, headers);
  expect(await response.text()).toContain('"told":{"role":"assistant"}');
});

it('brings what nobody asked for over the standing stream, also what came before it was opened', async () => {
  const { url, headers } = await openSession();
  await post(url, { jsonrpc: '2.0', method: 'change' }, headers);
  await post(url, call('echo'), headers);
  const response = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } });
  const [event] = await takeEvents(response, 1);
  expect(event).toContain('notifications/tools/list_changed');
});

it('lets a broken stream be taken up where it broke', async () => {
  const { url, headers } = await openSession();
  const giveUp = new AbortController();
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, ...JSON_TYPES },
    body: JSON.stringify(call('ask')),
    signal: giveUp.signal,
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  giveUp.abort();
  await post(url, { jsonrpc: '2.0', id: 'server-1', result: { missed: true } }, headers);
  const resumed = await fetch(url, {
    headers: { ...headers, accept: 'text/event-stream', 'last-event-id': 'r1-1' },
  });
  const [event] = await takeEvents(resumed, 1);
  expect(event).toContain('"missed":true');
});

it('opens a session again when its process was killed', async () => {
  const { url, headers } = await openSession();
  const pid = Number((await post(url, call('pid'), headers)).message.result?.['pid']);
  process.kill(pid, 'SIGKILL');
  const lost = await post(url, callTool('x'), headers);
  const opened = await post(url, call('opened'), headers);
  expect(opened.message.result).toEqual({ initialized: 2 });
  expect(['disconnected', 'unknown']).toContain(faultIn(lost)?.['kind']);
});

it('answers what was open when the process was killed', async () => {
  const { url, headers } = await openSession();
  const pid = Number((await post(url, call('pid'), headers)).message.result?.['pid']);
  const waiting = post(url, call('deaf'), headers);
  await post(url, call('echo'), headers);
  process.kill(pid, 'SIGKILL');
  expect(faultIn(await waiting)).toMatchObject({ kind: 'disconnected', origin: 'upstream' });
});

it('gives up on a call that makes no progress', async () => {
  const { url, headers } = await openSession({ timeout_ms: 2000 });
  expect(faultIn(await post(url, call('deaf'), headers))).toMatchObject({
    kind: 'timeout',
    origin: 'gateway',
  });
  expect((await post(url, call('cancelled'), headers)).message.result?.['cancelled']).toHaveLength(1);
});

it('turns away one session too many', async () => {
  const { url, headers } = await openSession({ max_sessions: 1 });
  await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } }); // somebody uses it
  const { status, message } = await post(url, INITIALIZE);
  expect([status, message.error?.data?.['kind']]).toEqual([503, 'overloaded']);
});

it('has no streams for callers without a session', async () => {
  const { url } = await openSession();
  expect((await fetch(url)).status).toBe(405);
  expect((await fetch(url, { headers: { 'mcp-session-id': 'nope' } })).status).toBe(404);
  expect((await fetch(url, { method: 'PUT' })).status).toBe(405);
});

const MODERN = { 'mcp-protocol-version': '2026-07-28' };

function modern(method: string, params: object = {}): object {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return call(method, { ...params, _meta: meta });
}

it.each([
  ['a missing header', {}],
  ['a header of another method', { 'mcp-method': 'tools/list' }],
  ['another name', { 'mcp-method': 'tools/call', 'mcp-name': 'harmless' }],
])('refuses a body that its headers do not describe: %s', async (_what, headers) => {
  const gateway = await open({ upstreams: { a: STDIO_SERVER } });
  const posted = await post(`${gateway.url}/a/mcp`, modern('tools/call', { name: 'pay' }), {
    ...MODERN,
    ...headers,
  });
  expect([posted.status, posted.message.error?.code]).toEqual([400, -32020]);
});

it('serves stateless callers over one process, with the statuses that the revision demands', async () => {
  const gateway = await open({ upstreams: { a: STDIO_SERVER } });
  const url = `${gateway.url}/a/mcp`;
  const pids = await Promise.all(
    [1, 2].map(
      async () =>
        (await post(url, modern('pid'), { ...MODERN, 'mcp-method': 'pid' })).message.result?.['pid'],
    ),
  );
  expect(pids[0]).toBe(pids[1]);
  const unknown = await post(url, modern('nope'), { ...MODERN, 'mcp-method': 'nope' });
  expect([unknown.status, unknown.message.error?.code]).toEqual([404, -32601]);
});

it('tells the server when a stateless caller goes away', async () => {
  const gateway = await open({ upstreams: { a: STDIO_SERVER } });
  const url = `${gateway.url}/a/mcp`;
  const headers = { ...MODERN, 'mcp-method': 'deaf' };
  await post(url, modern('pid'), { ...MODERN, 'mcp-method': 'pid' });
  const giveUp = new AbortController();
  const waiting = fetch(url, {
    method: 'POST',
    headers: { ...headers, ...JSON_TYPES },
    body: JSON.stringify(modern('deaf')),
    signal: giveUp.signal,
  });
  setTimeout(() => giveUp.abort(), 100);
  await expect(waiting).rejects.toThrow();
  await until(async () => {
    const { message } = await post(url, modern('cancelled'), { ...MODERN, 'mcp-method': 'cancelled' });
    return (message.result?.['cancelled'] as unknown[] | undefined)?.length === 1;
  });
});

it.each(['/a/mcp', '/mcp'])('says what is wrong with a request in its body, at %s', async (path) => {
  const gateway = await open({ upstreams: { a: STDIO_SERVER } });
  const ask = async (method: string, headers: { [name: string]: string }, body?: string) => {
    const response = await fetch(`${gateway.url}${path}`, { method, headers, body: body ?? null });
    const { error } = (await response.json()) as { error?: { data?: { kind: string } } };
    return [response.status, response.headers.get('allow'), error?.data?.kind];
  };
  const text = JSON.stringify(call('echo'));
  const lost = { 'mcp-session-id': 'nobody' };
  expect(await ask('GET', { accept: 'text/event-stream' })).toEqual([405, 'POST, DELETE', 'unsupported']);
  expect(await ask('DELETE', {})).toEqual([400, null, 'invalid_request']);
  const modern = { 'mcp-protocol-version': '2026-07-28' };
  for (const method of ['GET', 'DELETE'])
    expect(await ask(method, { ...modern, accept: 'text/event-stream' })).toEqual([
      405,
      'POST',
      'unsupported',
    ]);
  expect(await ask('PUT', {})).toEqual([405, 'POST, GET, DELETE', 'unsupported']);
  // None of them was a call.
  expect(await (await fetch(`${gateway.url}/-/faults`)).json()).toMatchObject({ faults: [] });
  expect(await ask('GET', { ...lost, accept: 'text/event-stream' })).toEqual([404, null, 'expired']);
  expect(await ask('DELETE', lost)).toEqual([404, null, 'expired']);
  expect(await ask('POST', { 'content-type': 'text/plain' }, text)).toEqual([415, null, 'unsupported_media']);
  const html = { 'content-type': 'application/json', accept: 'text/html' };
  expect(await ask('POST', html, text)).toEqual([406, null, 'unsupported_media']);
  expect(await ask('GET', { accept: 'application/json' })).toEqual([406, null, 'unsupported_media']);
});

it.each(['*/*', 'application/json', 'text/event-stream'])('answers whoever accepts %s', async (accept) => {
  const gateway = await open({ upstreams: { a: STDIO_SERVER } });
  const { status, message } = await post(`${gateway.url}/a/mcp`, call('echo', { say: 'hi' }), { accept });
  expect([status, message.result]).toEqual([200, { said: 'hi' }]);
});

it('the log names no method where there was none', async () => {
  const gateway = await open({ upstreams: { a: STDIO_SERVER } });
  await post(`${gateway.url}/a/mcp`, 'no message');
  await post(`${gateway.url}/a/mcp`, call('nope'));
  expect(gateway.logs[0]).toMatch(/^fault upstream=a (?!method)/);
  expect(gateway.logs[1]).toMatch(/^fault upstream=a method=nope /);
});

it.each(['/a/mcp', '/mcp'])('a session at %s holds only so many subscriptions', async (path) => {
  const gateway = await open({ upstreams: { a: STDIO_SERVER } });
  const url = gateway.url + path;
  const session = { 'mcp-session-id': (await post(url, INITIALIZE)).headers.get('mcp-session-id') ?? '' };
  const refused = await post(url, call('resources/subscribe', { uri: `a://${'u'.repeat(5000)}` }), session);
  expect([refused.status, refused.message.error?.message]).toEqual([
    200,
    'The URI is longer than 4096 characters',
  ]);
});
