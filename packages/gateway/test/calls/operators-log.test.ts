/** What an operator finds in the log and under `/-/faults`: whose call of what failed, and who was turned away. */
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, json, open, post, STDIO_SERVER, upstream } from '../tools.ts';

afterEach(cleanUp);

const keys = [
  { name: 'ann', key: 'key-of-ann' },
  { name: 'the shop', key: 'key-of-shop', upstreams: ['b'] },
];
const as = (key: string): { [name: string]: string } => ({ authorization: `Bearer ${key}` });

it.each([
  ['/a/mcp', callTool('x'), as('key-of-ann'), 'x', 'ann', 'tool=x caller=ann'],
  ['/mcp', callTool('a_x'), as('key-of-ann'), 'x', 'ann', 'tool=x caller=ann'],
  ['/b/mcp', callTool('x y'), as('key-of-shop'), 'x y', 'the shop', 'tool="x y" caller="the shop"'],
  ['/a/mcp', call('fail'), as('key-of-ann'), null, 'ann', 'caller=ann'],
])('names what was called, and who called: %s', async (path, message, headers, target, caller, said) => {
  const gateway = await open({ keys, upstreams: { a: STDIO_SERVER, b: STDIO_SERVER } });
  await post(gateway.url + path, message, headers);
  expect(gateway.faults.list(1)).toMatchObject([{ target, caller }]);
  expect(gateway.logs.find((line) => line.startsWith('fault '))).toContain(` ${said} kind=`);
  expect(JSON.stringify([gateway.faults.list(), gateway.logs])).not.toContain('key-of-');
});

it('names nobody where callers have no keys, and no secret that a name holds', async () => {
  const gateway = await open({ upstreams: { a: STDIO_SERVER } });
  const secret = 'sk-proj-Zx81kQpLw03vTnYb7RmCe5Hd9JfUa2Gs4Io6';
  await post(`${gateway.url}/a/mcp`, callTool(`pay ${secret}`));
  expect(gateway.faults.list(1)).toMatchObject([{ caller: null }]);
  expect(JSON.stringify([gateway.faults.list(), gateway.logs])).not.toContain(secret);
  expect(gateway.logs.join()).not.toContain('caller=');
});

it('logs who was turned away at the door', async () => {
  const gateway = await open({
    keys,
    upstreams: { a: STDIO_SERVER, b: STDIO_SERVER },
    limits: { body_bytes: 1024 },
  });
  const { url } = gateway;
  await post(`${url}/a/mcp?token=hidden`, callTool('x'), as('a-wrong-key'));
  await post(`${url}/a/mcp`, callTool('x'), as('key-of-shop'));
  await post(`${url}/nope/mcp`, callTool('x'), as('key-of-ann'));
  await post(`${url}/a/mcp`, callTool('x', { long: 'x'.repeat(2000) }), as('key-of-ann'));
  await fetch(`${url}/-/status`, { headers: as('key-of-ann') });
  expect(gateway.logs.map((line) => line.replace(/ kind=.*/, ''))).toEqual([
    'refused status=401 POST /a/mcp',
    'refused status=403 POST /a/mcp caller="the shop"',
    'refused status=404 POST /nope/mcp caller=ann',
    'refused status=413 POST /a/mcp caller=ann',
    'refused status=403 GET /-/status caller=ann',
  ]);
  expect(gateway.logs[0]).toBe(
    'refused status=401 POST /a/mcp kind=unauthenticated reaction=permission origin=gateway executed=no "A key of this gateway is needed"',
  );
});

it('whoever guesses keys does not fill the log', async () => {
  const gateway = await open({ keys, upstreams: { a: STDIO_SERVER, b: STDIO_SERVER } });
  for (let i = 0; i < 60; i++) await fetch(`${gateway.url}/mcp`, { headers: as(`guess-${i}-guess`) });
  expect(gateway.logs).toHaveLength(51);
  expect(gateway.logs.at(-1)).toBe(
    'refused status=401: more than 50 in a minute; the rest of them is left out',
  );
});

it('that a server does not know server/discover is no failure', async () => {
  const { url } = await upstream((body, response) => {
    const { id } = JSON.parse(body || '{}') as { id?: number };
    json(response, 400, { jsonrpc: '2.0', id, error: { code: -32000, message: 'Server not initialized' } });
  });
  const gateway = await open({ upstreams: { a: STDIO_SERVER, u: { url } } });
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' };
  for (const path of ['/a/mcp', '/u/mcp', '/mcp'])
    await post(gateway.url + path, call('server/discover', { _meta: meta }), headers);
  expect([gateway.faults.list(), gateway.logs.filter((line) => line.startsWith('fault'))]).toEqual([[], []]);
});
