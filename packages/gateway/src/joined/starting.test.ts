/** Servers that take longer to start than a list waits: where nobody else answers, there is nobody to keep waiting. */
import { afterEach, expect, it } from 'vitest';
import { namesIn, toolServer, toolsNamed } from '../../test/tool-server.ts';
import { call, cleanUp, INITIALIZE, json, open, post, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

/** A process with one tool, which says nothing before so many milliseconds have passed. */
function starting(ms: number): { command: string; args: string[] } {
  const program = `setTimeout(() => require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const opened = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
    const page = (name) => [{ name, inputSchema: { type: 'object' } }];
    const tools = params?.cursor === undefined ? { tools: page('go'), nextCursor: 'x' } : { tools: page('on') };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? opened : tools }));
  }), ${ms})`;
  return { command: process.execPath, args: ['-e', program] };
}

const HUNG = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };

async function listed(upstreams: { [name: string]: object }, path = '/mcp') {
  const gateway = await open({
    joined: { part_timeout_ms: 400 },
    upstreams: upstreams as never,
    virtual: { desk: { tools: ['*/*'] } },
  });
  const url = `${gateway.url}${path}`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  return { gateway, message: (await post(url, call('tools/list'), session)).message };
}

it.each(['/mcp', '/desk/mcp'])('waits at %s for the only one there is', { timeout: 30_000 }, async (path) => {
  const { message, gateway } = await listed({ one: starting(2500) }, path);
  expect(namesIn(message.result)).toEqual(['one_go', 'one_on']);
  expect(message.result?._meta).toBe(undefined);
  expect(gateway.logs.join('\n')).not.toContain('fault');
});

it('waits for the first of several, and then for the others as long as for any', {
  timeout: 30_000,
}, async () => {
  const { message } = await listed({ a: starting(3000), b: starting(3000), hung: HUNG });
  expect(namesIn(message.result)).toEqual(expect.arrayContaining([expect.stringMatching(/^[ab]_on$/)]));
  expect(message.result?._meta).toMatchObject({
    'dev.mayday/unavailable': expect.arrayContaining(['hung']),
  });
});

it('waits for nobody where one has answered', { timeout: 30_000 }, async () => {
  const well = await toolServer(() => toolsNamed('go'));
  const { message } = await listed({ well: { url: well.url }, late: starting(25_000) });
  expect(namesIn(message.result)).toEqual(['well_go']);
  expect(message.result?._meta).toEqual({ 'dev.mayday/unavailable': ['late'] });
});

it('waits for one that callers without a session share, too', { timeout: 30_000 }, async () => {
  const gateway = await open({ joined: { part_timeout_ms: 400 }, upstreams: { one: starting(2500) } });
  const params = {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  const { message } = await post(`${gateway.url}/mcp`, call('tools/list', params), headers);
  expect(namesIn(message.result)).toEqual(['one_go', 'one_on']);
});

it('says of all that are too late that they are', { timeout: 30_000 }, async () => {
  const hung = await upstream((body, response) => {
    const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
    const result = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: 's', version: '1' },
    };
    if (id === undefined) response.writeHead(body === '' ? 405 : 202).end();
    else if (method === 'initialize') json(response, 200, { jsonrpc: '2.0', id, result });
  });
  const { message } = await listed({ a: { url: hung.url }, b: { url: hung.url } });
  expect(message.error).toMatchObject({
    message: 'a, b did not answer within 400 ms',
    data: { kind: 'timeout', executed: 'no' },
  });
});
