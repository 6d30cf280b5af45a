/** While a tool is left alone, the words of its last failure are told to whoever met them; callers without a key are told apart by what they send. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const WORDS = 'Customer Jane Roe has overdrawn account NL-9931';
const ANN = { authorization: 'Bearer annOwn-77aa88bb99cc' };
const BOB = { authorization: 'Bearer bobOwn-11dd22ee33ff' };

const breaker = { failures: 3, open_ms: 60_000 };
const retry = { attempts: 1 };
const act = call('tools/call', { name: 'act', arguments: {} });

const OPENED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'shop', version: '1' },
};
const LISTED = { tools: [{ name: 'act', inputSchema: { type: 'object' } }] };

/** A process that says these words and ends when a tool is called. */
const DIES = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'tools/call') { console.error(${JSON.stringify(WORDS)}); process.exit(3); }
  const result = method === 'initialize' ? ${JSON.stringify(OPENED)} : ${JSON.stringify(LISTED)};
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`;

/** The status and the words of what speaks for a server, over HTTP. */
async function down(): Promise<object> {
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body);
    if (method === 'tools/call') response.writeHead(503, { 'content-type': 'text/plain' }).end(WORDS);
    else if (id === undefined) response.writeHead(202).end();
    else json(response, 200, { jsonrpc: '2.0', id, result: method === 'initialize' ? OPENED : LISTED });
  });
  return { url, breaker, retry };
}

const SORTS = [
  ['over HTTP', '/shop/mcp', 'act', down, 'unavailable (HTTP 503)'],
  [
    'of a process',
    '/shop/mcp',
    'act',
    async () => ({ command: process.execPath, args: ['-e', DIES], breaker }),
    'disconnected',
  ],
  ['at the joined endpoint', '/mcp', 'shop_act', down, 'unavailable (HTTP 503)'],
] as const;

it.each(SORTS)('are told to nobody else: %s', async (_what, path, name, server, how) => {
  const { url } = await open({ upstreams: { shop: await server() } } as never);
  const ask = { ...act, params: { name, arguments: {} } };
  for (let count = 0; count < 4; count += 1) await post(`${url}${path}`, ask, ANN);
  const own = await post(`${url}${path}`, ask, ANN);
  expect(own.text).toContain(`; the last time: `);
  expect(own.text).toContain(WORDS);
  for (const other of [BOB, {}, { 'x-api-key': 'bobs-own-key-1' }, { ...ANN, 'x-unheard-of': 'somebody' }]) {
    const told = await post(`${url}${path}`, ask, other as Record<string, string>);
    expect(told.text).toContain(`is left alone for now; the last time: ${how}`);
    expect(told.text).toContain('What the server said stands in the log of the gateway.');
    expect(told.text).not.toMatch(/Jane|9931/);
  }
});

it('are told to those whom nothing tells apart', async () => {
  const { url } = await open({ upstreams: { shop: await down() } } as never);
  for (let count = 0; count < 4; count += 1) await post(`${url}/shop/mcp`, act);
  expect((await post(`${url}/shop/mcp`, act)).text).toContain(WORDS);
});
