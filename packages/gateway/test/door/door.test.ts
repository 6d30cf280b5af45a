/** Who may come in, and what is said to the others. */
import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, faultIn, json, open, post, STDIO_SERVER, upstream } from '../tools.ts';

afterEach(cleanUp);

const SERVER = { upstreams: { a: STDIO_SERVER } };

function statusWith(url: string, headers: { [name: string]: string }): Promise<number> {
  return new Promise((resolve) => {
    const whole = { 'content-type': 'application/json', ...headers };
    const request = rawRequest(`${url}/a/mcp`, { method: 'POST', headers: whole });
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.end(JSON.stringify(call('echo')));
  });
}

it('listens on loopback', async () => {
  expect((await open(SERVER)).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

it.each([
  [{ host: 'evil.example' }, 403],
  [{ host: 'localhost:1234' }, 200],
  [{ host: 'LocalHost' }, 200],
  [{ origin: 'https://evil.example' }, 403],
  [{ origin: 'http://localhost:3000' }, 200],
  [{ origin: 'null' }, 403],
])('checks who knocks: %j', async (headers, status) => {
  expect(await statusWith((await open(SERVER)).url, headers)).toBe(status);
});

it('refuses what is larger than it takes', async () => {
  const gateway = await open({ ...SERVER, limits: { body_bytes: 2000 } });
  const { status, message } = await post(`${gateway.url}/a/mcp`, call('echo', { say: 'x'.repeat(5000) }));
  expect([status, message.error?.data?.['kind']]).toEqual([413, 'too_large']);
});

it.each([
  ['malformed JSON', '{"jsonrpc', 'parse_error', 400],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 'invalid_request', 400],
  [
    'a request without an id that counts',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    'invalid_request',
    400,
  ],
  ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"nope/never"}', 'unsupported', 200],
])('answers %s', async (_what, body, kind, status) => {
  const gateway = await open(SERVER);
  const posted = await post(`${gateway.url}/a/mcp`, body);
  expect([posted.status, faultIn(posted)?.['kind']]).toEqual([status, kind]);
});

it.each([
  ['before', '"id":"mine",', ''],
  ['after', '', ',"id":"mine"'],
])('answers what is too deep under its id, which stands %s it', async (_where, before, after) => {
  const { url } = await upstream((_body, response) => json(response, 200, {}));
  const gateway = await open({ upstreams: { a: STDIO_SERVER, b: { url } }, limits: { depth: 50 } });
  const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
  const body = `{"jsonrpc":"2.0",${before}"method":"tools/call","params":{"name":"t","arguments":{"x":${deep}}}${after}}`;
  for (const path of ['/a/mcp', '/b/mcp', '/mcp']) {
    const { status, message } = await post(`${gateway.url}${path}`, body);
    expect([status, message.id, message.error?.data?.['kind']]).toEqual([400, 'mine', 'invalid_request']);
  }
});

it('says what is served where nothing is', async () => {
  const { status, message } = await post(`${(await open(SERVER)).url}/b/mcp`, call('ping'));
  expect([status, message.error?.message]).toEqual([404, 'Nothing is served here; try /mcp, /a/mcp']);
});

it.each([
  ['by its length and by its chunks', 'Host: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked'],
  ['by one host and by another', 'Host: localhost\r\nHost: evil.example\r\nContent-Length: 5'],
])('refuses a request that could be read in two ways: %s', async (_how, headers) => {
  const { url } = await open(SERVER);
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(`POST /a/mcp HTTP/1.1\r\n${headers}\r\n\r\n0\r\n\r\n`);
    });
    socket.once('data', (chunk) => resolve(chunk.toString()));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

it('knows its callers by their keys, and answers each in its own dialect', async () => {
  const { url, seen } = await upstream((_body, response) => json(response, 429, {}));
  const gateway = await open({
    upstreams: { a: { url, retry: { attempts: 1 } }, b: { url } },
    keys: [
      { name: 'shop', key: 'key-of-the-shop', dialect: 'onx', upstreams: ['a'] },
      { name: 'ci', key: 'key-of-the-ci' },
    ],
  });
  const withKey = (key: string) => ({ authorization: `Bearer ${key}` });
  const nobody = await post(`${gateway.url}/a/mcp`, callTool('t'));
  expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  expect((await post(`${gateway.url}/a/mcp`, callTool('t'), withKey('wrong-key-here'))).status).toBe(401);
  expect((await post(`${gateway.url}/a/mcp`, callTool('t'), withKey('key-of-the-shop'))).text).toContain(
    '3001',
  );
  expect((await post(`${gateway.url}/b/mcp`, callTool('t'), withKey('key-of-the-shop'))).status).toBe(403);
  expect((await post(`${gateway.url}/a/mcp`, callTool('t'), withKey('key-of-the-ci'))).text).toContain(
    'dev.mayday/fault',
  );
  expect(seen[0]?.headers).not.toHaveProperty('authorization');
  expect((await fetch(`${gateway.url}/-/faults`)).status).toBe(401);
});

it('tells a caller who asks what operators ask what it takes', async () => {
  const gateway = await open({
    ...SERVER,
    keys: [
      { name: 'ann', key: 'key-of-ann-0001' },
      { name: 'ops', key: 'key-of-ops-0001', role: 'operator' },
    ],
    telemetry: { metrics: 'operators' },
  });
  const said = async (path: string, key: string): Promise<unknown> => {
    const response = await fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    return [response.status, await response.text()];
  };
  const no =
    'This address is for operators, and this key or token is a caller’s; use a key with the role operator';
  for (const path of ['/-/status', '/-/faults', '/-/metrics']) {
    expect(await said(path, 'key-of-ann-0001')).toEqual([403, expect.stringContaining(no)]);
    expect(await said(path, 'key-of-ops-0001')).toEqual([200, expect.any(String)]);
  }
});

it('names the setting to those who ask for metrics where they are off, and to nobody else', async () => {
  const off = 'Metrics are off; set `telemetry.metrics` to `operators` or `anybody` to have them here';
  const keys = [
    { name: 'ann', key: 'key-of-ann-0001' },
    { name: 'ops', key: 'key-of-ops-0001', role: 'operator' },
  ] as const;
  const gateway = await open({ ...SERVER, keys });
  const said = async (url: string, key?: string): Promise<unknown> => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/-/metrics`, { headers });
    return [response.status, (await response.text()).includes(off)];
  };
  expect(await said(gateway.url, 'key-of-ops-0001')).toEqual([404, true]);
  expect(await said(gateway.url, 'key-of-ann-0001')).toEqual([404, false]);
  expect(await said(gateway.url)).toEqual([404, false]);
  expect(await said((await open(SERVER)).url)).toEqual([404, true]);
});

it('names the nearest dialect when it does not know one', async () => {
  const { status, message } = await post(`${(await open(SERVER)).url}/a/mcp`, call('echo'), {
    'mayday-dialect': 'problm',
  });
  expect([status, message.error?.message]).toEqual([
    400,
    'There is no dialect called "problm"; did you mean problem?',
  ]);
});

it('tells operators how it is', async () => {
  const gateway = await open(SERVER);
  await post(`${gateway.url}/a/mcp`, call('fail'));
  const status = (await (await fetch(`${gateway.url}/-/status`)).json()) as object;
  expect(status).toMatchObject({ faults: 1, upstreams: [{ name: 'a', type: 'command', circuit: 'closed' }] });
  const { faults } = (await (await fetch(`${gateway.url}/-/faults?limit=1`)).json()) as { faults: object[] };
  expect(faults).toMatchObject([{ upstream: 'a', method: 'fail', fault: { kind: 'internal' } }]);
});
