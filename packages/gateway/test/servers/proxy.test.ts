/** An HTTP server behind the gateway. */
import { request as rawRequest } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  idIn,
  json,
  later,
  open,
  post,
  until,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

const LEAK = 'connect ECONNREFUSED postgres://app:hunter2@db.internal:5432/x';

it('passes a success on as the bytes that came', async () => {
  const odd = (id: unknown): string =>
    `{ "jsonrpc":"2.0",\n "result" : {"n": 1.0e2, "error": null}, "id":${id}}`;
  const { url } = await upstream((body, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-own': 'kept' });
    response.end(odd(idIn(body)));
  });
  const gateway = await open({ upstreams: { a: { url } } });
  const { text, headers } = await post(`${gateway.url}/a/mcp`, callTool('t'));
  expect(text).toBe(odd(1));
  expect(headers.get('x-own')).toBe('kept');
});

it('says a tool failure anew, without its secrets, and keeps the original for the operator', async () => {
  const { url } = await upstream((body, response) =>
    json(response, 200, {
      jsonrpc: '2.0',
      id: idIn(body),
      result: { isError: true, content: [{ type: 'text', text: LEAK }] },
    }),
  );
  const gateway = await open({ upstreams: { a: { url } } });
  const posted = await post(`${gateway.url}/a/mcp`, callTool('t'));
  expect(posted.message.result?.['isError']).toBe(true);
  expect(faultIn(posted)).toMatchObject({ kind: 'unavailable', origin: 'upstream' });
  expect(posted.text).not.toContain('hunter2');
  const [entry] = gateway.faults.list();
  expect(entry).toMatchObject({ upstream: 'a', method: 'tools/call', to: 'mayday' });
  expect(entry?.original).toContain('isError');
  expect(JSON.stringify(gateway.faults.list()) + gateway.logs.join()).not.toContain('hunter2');
});

it.each([
  ['closient', (text: string) => expect(text).toContain('-32003')],
  ['onx', (text: string) => expect(text).toContain('3001')],
  ['mcp', (text: string) => expect(text).not.toContain('dev.mayday')],
])('answers in the dialect that the header asks for: %s', async (dialect, check) => {
  const { url } = await upstream((_body, response) =>
    json(response, 429, { message: 'slow down' }, { 'retry-after': '30' }),
  );
  const gateway = await open({ upstreams: { a: { url } } });
  const { text, headers } = await post(`${gateway.url}/a/mcp`, callTool('t'), { 'mayday-dialect': dialect });
  check(text);
  expect(headers.get('retry-after')).toBe('30');
});

it('reads a bare number in the dialect that the configuration names', async () => {
  const { url } = await upstream((body, response) => {
    const error = { code: -32001, message: 'Resource not found' };
    json(response, 200, { jsonrpc: '2.0', id: idIn(body), error });
  });
  const gateway = await open({ upstreams: { a: { url, from: 'erlmcp' } } });
  expect(faultIn(await post(`${gateway.url}/a/mcp`, call('resources/read', { uri: 'x:1' })))).toMatchObject({
    kind: 'not_found',
    subject: { type: 'resource' },
  });
});

it('retries what is safe, and only that', async () => {
  let failures = 2;
  const { url, seen } = await upstream((body, response) => {
    if (failures-- > 0) json(response, 503, {});
    else json(response, 200, { jsonrpc: '2.0', id: JSON.parse(body).id, result: {} });
  });
  const gateway = await open({ upstreams: { a: { url } } });
  expect((await post(`${gateway.url}/a/mcp`, call('tools/list'))).message.result).toEqual({});
  expect(seen).toHaveLength(3);
});

it('counts its attempts for the operator', async () => {
  const { url } = await upstream((_body, response) => json(response, 503, {}));
  const gateway = await open({ upstreams: { a: { url, retry: { attempts: 2 } } } });
  await post(`${gateway.url}/a/mcp`, call('tools/list'));
  expect(gateway.faults.list()).toMatchObject([{ attempts: 2, fault: { kind: 'unavailable' } }]);
});

it('does not repeat a call that may have been executed', async () => {
  const { url, seen } = await upstream((_body, response) => {
    response.destroy();
  });
  const gateway = await open({ upstreams: { a: { url } } });
  const posted = await post(`${gateway.url}/a/mcp`, callTool('pay'));
  expect(faultIn(posted)).toMatchObject({ kind: 'disconnected', executed: 'maybe', origin: 'transport' });
  expect(seen.filter(({ body }) => body.includes('tools/call'))).toHaveLength(1);
});

it('repeats a call of a tool that only reads, once it has heard so', async () => {
  let calls = 0;
  const { url } = await upstream((body, response) => {
    const { id } = JSON.parse(body);
    if (body.includes('tools/list')) {
      const tools = [{ name: 'look', inputSchema: {}, annotations: { readOnlyHint: true } }];
      json(response, 200, { jsonrpc: '2.0', id, result: { tools } });
    } else if (++calls === 1) response.destroy();
    else json(response, 200, { jsonrpc: '2.0', id, result: { calls } });
  });
  const gateway = await open({ upstreams: { a: { url } } });
  await post(`${gateway.url}/a/mcp`, call('tools/list'));
  expect((await post(`${gateway.url}/a/mcp`, callTool('look'))).message.result).toEqual({ calls: 2 });
});

it('leaves retrying to a caller that counts its attempts', async () => {
  const { url, seen } = await upstream((_body, response) => json(response, 503, {}));
  const gateway = await open({ upstreams: { a: { url } } });
  await post(`${gateway.url}/a/mcp`, call('tools/list', { _meta: { 'dev.mayday/attempt': 1 } }));
  expect(seen).toHaveLength(1);
});

it('answers for a server that is not there, and says that it is not', async () => {
  const gateway = await open({ upstreams: { a: { url: 'http://127.0.0.1:9/mcp', retry: { attempts: 1 } } } });
  const posted = await post(`${gateway.url}/a/mcp`, callTool('t'));
  expect(faultIn(posted)).toMatchObject({ kind: 'unavailable', executed: 'no' });
});

it('holds calls back from a server that keeps failing, in its own name', async () => {
  const gateway = await open({
    upstreams: {
      a: { url: 'http://127.0.0.1:9/mcp', retry: { attempts: 1 }, breaker: { failures: 3, open_ms: 60_000 } },
    },
  });
  for (let i = 0; i < 3; i++) await post(`${gateway.url}/a/mcp`, callTool('t'));
  const posted = await post(`${gateway.url}/a/mcp`, callTool('t'));
  expect(faultIn(posted)).toMatchObject({ origin: 'gateway', subject: { type: 'upstream', id: 'a' } });
});

it.each([
  ['malformed JSON', '{"jsonrpc":"2.0","id":1,"result":{'],
  ['a web page', '<html><body>It works</body></html>'],
  ['nothing', ''],
])('answers for a server that answers with %s', async (_what, body) => {
  const { url } = await upstream((_body, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(body);
  });
  const gateway = await open({ upstreams: { a: { url } } });
  expect(faultIn(await post(`${gateway.url}/a/mcp`, callTool('t')))).toMatchObject({
    kind: 'invalid_output',
    origin: 'upstream',
  });
});

it('answers for a server that does not speak HTTP, or stops in the middle', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"jsonrpc"'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => server.close());
  const { port } = server.address() as { port: number };
  const gateway = await open({ upstreams: { a: { url: `http://127.0.0.1:${port}/mcp` } } });
  const kind = faultIn(await post(`${gateway.url}/a/mcp`, callTool('t')))?.['kind'];
  expect(['disconnected', 'upstream_failed']).toContain(kind);
});

it('gives up on a half-open socket', async () => {
  const server = createTcpServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => server.close());
  const { port } = server.address() as { port: number };
  const gateway = await open({ upstreams: { a: { url: `http://127.0.0.1:${port}/mcp`, timeout_ms: 1000 } } });
  expect(faultIn(await post(`${gateway.url}/a/mcp`, callTool('t')))).toMatchObject({
    kind: 'timeout',
    origin: 'gateway',
  });
});

it('passes a stream on event by event, and says a failing answer in it anew', async () => {
  const { url } = await upstream((body, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 's1' });
    response.write(
      'id: 1\nevent: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n',
    );
    const answer = { jsonrpc: '2.0', id: idIn(body), error: { code: -32603, message: LEAK } };
    response.end(`id: 2\ndata: ${JSON.stringify(answer)}\n\n`);
  });
  const gateway = await open({ upstreams: { a: { url } } });
  const posted = await post(`${gateway.url}/a/mcp`, callTool('t'));
  expect(posted.text).toContain(
    'id: 1\nevent: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress"',
  );
  expect(posted.text).toContain('id: 2\n');
  expect(posted.text).not.toContain('hunter2');
  expect(posted.headers.get('mcp-session-id')).toBe('s1');
});

it('answers when a stream ends without an answer', async () => {
  const { url } = await upstream((_body, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(': nothing\n\n');
  });
  const gateway = await open({ upstreams: { a: { url } } });
  expect(faultIn(await post(`${gateway.url}/a/mcp`, callTool('t')))).toMatchObject({
    kind: 'disconnected',
    origin: 'upstream',
  });
});

it('carries ten megabytes, and no more than it is allowed to', async () => {
  const { url } = await upstream((body, response) =>
    json(response, 200, { jsonrpc: '2.0', id: idIn(body), result: { text: 'x'.repeat(10_000_000) } }),
  );
  const gateway = await open({ upstreams: { a: { url } } });
  expect((await post(`${gateway.url}/a/mcp`, callTool('t'))).text.length).toBeGreaterThan(10_000_000);
  const small = await open({ upstreams: { a: { url } }, limits: { message_bytes: 1_000_000 } });
  expect(faultIn(await post(`${small.url}/a/mcp`, callTool('t')))).toMatchObject({
    kind: 'invalid_output',
    origin: 'gateway',
  });
});

it('lets go of the server when the caller goes away', async () => {
  let gone = false;
  const { url } = await upstream((_body, response) => {
    response.on('close', () => {
      gone = true;
    });
  });
  const gateway = await open({ upstreams: { a: { url } } });
  const giveUp = new AbortController();
  const posted = fetch(`${gateway.url}/a/mcp`, {
    method: 'POST',
    body: JSON.stringify(callTool('t')),
    signal: giveUp.signal,
  });
  setTimeout(() => giveUp.abort(), 100);
  await expect(posted).rejects.toThrow();
  await until(() => gone);
});

it('keeps what the era is negotiated with to the letter', async () => {
  const answer = (id: unknown): object => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32022, message: 'Unsupported', data: { supported: ['2026-07-28'], requested: 'x' } },
  });
  const { url } = await upstream((body, response) => json(response, 400, answer(idIn(body))));
  const gateway = await open({ upstreams: { a: { url } } });
  const { status, text } = await post(`${gateway.url}/a/mcp`, call('server/discover'), {
    'mcp-protocol-version': '2026-07-28',
  });
  expect([status, text]).toEqual([400, JSON.stringify(answer(1))]);
});

it('keeps the status where the status is the message', async () => {
  const { url } = await upstream((_body, response) =>
    json(response, 401, {}, { 'www-authenticate': 'Bearer resource_metadata="https://x/.well-known"' }),
  );
  const gateway = await open({ upstreams: { a: { url } } });
  const { status, headers } = await post(`${gateway.url}/a/mcp`, call('tools/list'));
  expect([status, headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer resource_metadata="https://x/.well-known"',
  ]);
});

it('sends its own headers, and none that a caller smuggles in', async () => {
  const { url, seen } = await upstream((_body, response) =>
    json(response, 200, { jsonrpc: '2.0', id: 1, result: {} }),
  );
  const gateway = await open({ upstreams: { a: { url, headers: { 'x-api-key': 'ours' } } } });
  await new Promise<void>((resolve) => {
    const request = rawRequest(`${gateway.url}/a/mcp`, {
      method: 'POST',
      headers: {
        'x-api-key': 'theirs',
        'x-forwarded-for': '6.6.6.6',
        'mayday-internal': '1',
        connection: 'keep-alive, x-hop',
        'x-hop': 'smuggled',
        'mcp-session-id': 's',
      },
    });
    request.on('response', (response) => response.resume().on('end', resolve));
    request.end(JSON.stringify(call('tools/list')));
  });
  expect(seen[0]?.headers).toMatchObject({ 'x-api-key': 'ours', 'mcp-session-id': 's' });
  expect(Object.keys(seen[0]?.headers ?? {})).not.toEqual(expect.arrayContaining(['x-hop']));
  expect(seen[0]?.headers).not.toHaveProperty('x-forwarded-for');
  expect(seen[0]?.headers).not.toHaveProperty('mayday-internal');
});
