/** Many upstreams at one address. */
import { afterEach, expect, it } from 'vitest';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  JSON_TYPES,
  json,
  open,
  post,
  STDIO_SERVER,
  takeEvents,
  upstream,
} from '../../test/tools.ts';
import { createNames } from './names.ts';

afterEach(cleanUp);

/** A server with one tool, one prompt and one resource, named after itself. */
async function server(name: string): Promise<string> {
  const { url } = await upstream((body, response) => {
    if (body === '') {
      response.writeHead(405).end();
      return;
    }
    const { id, method, params } = JSON.parse(body) as {
      id: number;
      method: string;
      params: { name?: string; uri?: string };
    };
    const answer = (result: unknown): void => json(response, 200, { jsonrpc: '2.0', id, result });
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'initialize') {
      answer({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name, version: '1' },
        instructions: `use ${name}`,
      });
    } else if (method === 'tools/list') answer({ tools: [{ name: 'go', inputSchema: { type: 'object' } }] });
    else if (method === 'prompts/list') answer({ prompts: [{ name: 'ask' }] });
    else if (method === 'resources/list') answer({ resources: [{ name: 'r', uri: `${name}://r` }] });
    else if (method === 'resources/read' && params.uri === `${name}://r`)
      answer({ contents: [{ uri: params.uri, text: name }] });
    else if (method === 'tools/call' && params.name === 'go')
      answer({ content: [{ type: 'text', text: `${name} went` }] });
    else if (method === 'tools/call' && params.name === 'full')
      answer({
        isError: true,
        content: [{ type: 'text', text: 'x' }],
        _meta: {
          'dev.mayday/fault': {
            v: 1,
            kind: 'rate_limited',
            reaction: 'retryable',
            retryable: true,
            retry: { when: 'after_wait', after_ms: 0 },
            executed: 'no',
            origin: 'server',
            message: 'x',
            subject: { type: 'tool', id: 'full' },
          },
        },
      });
    else
      json(response, 200, {
        jsonrpc: '2.0',
        id,
        error: { code: -32602, message: `Tool ${params.name} not found` },
      });
  });
  return url;
}

async function joined(more = {}) {
  const gateway = await open({
    upstreams: { one: { url: await server('one') }, two: { url: await server('two') }, ...more },
  });
  const url = `${gateway.url}/mcp`;
  const { headers, message } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  return { url, session, opened: message.result, gateway };
}

it('puts lists together under prefixed names', async () => {
  const { url, session, opened } = await joined();
  expect(opened).toMatchObject({ capabilities: { tools: {} }, instructions: 'one: use one\n\ntwo: use two' });
  const names = async (method: string, key: string): Promise<unknown> => {
    const { message } = await post(url, call(method), session);
    const items = message.result?.[key] as { name: string }[] | undefined;
    return items?.map(({ name }) => name);
  };
  expect(await names('tools/list', 'tools')).toEqual(['one_go', 'two_go']);
  expect(await names('prompts/list', 'prompts')).toEqual(['one_ask', 'two_ask']);
  expect(await names('resources/list', 'resources')).toEqual(['r', 'r']);
});

it.each([
  ['2025-11-25', '2025-11-25'],
  ['2025-06-18', '2025-06-18'],
  ['2024-11-05', '2024-11-05'],
  ['2030-01-01', '2025-11-25'],
  ['soon', '2025-11-25'],
])('speaks %s as %s, whatever its servers speak', async (asked, spoken) => {
  const old = await upstream((body, response) => {
    const { id, method } = JSON.parse(body === '' ? '{}' : body) as { id?: number; method?: string };
    const serverInfo = { name: 'old', version: '1' };
    const opened = { protocolVersion: '2024-11-05', capabilities: {}, serverInfo };
    if (method === 'initialize') json(response, 200, { jsonrpc: '2.0', id, result: opened });
    else response.writeHead(202).end();
  });
  const { url } = await joined({ old: { url: old.url } });
  const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const { message } = await post(url, call('initialize', params));
  expect(message.result?.['protocolVersion']).toBe(spoken);
});

it('brings calls to the one they name', async () => {
  const { url, session } = await joined();
  expect((await post(url, callTool('two_go'), session)).text).toContain('two went');
  expect((await post(url, call('resources/read', { uri: 'two://r' }), session)).text).toContain(
    '"text":"two"',
  );
});

it('knows whose failure it was', async () => {
  const { url, session, gateway } = await joined();
  const posted = await post(url, callTool('one_nope'), session);
  expect(faultIn(posted)).toMatchObject({ kind: 'not_found', subject: { type: 'tool' } });
  expect(gateway.faults.list(1)[0]).toMatchObject({ upstream: 'one' });
  expect((await post(url, callTool('three_go'), session)).message.error?.code).toBe(-32602);
  expect((await post(url, call('no/such'), session)).message.error?.code).toBe(-32601);
});

it('names a tool as its caller does in what its server declares about it', async () => {
  const { url, session } = await joined();
  expect(faultIn(await post(url, callTool('one_full'), session))).toMatchObject({
    kind: 'rate_limited',
    executed: 'no',
    subject: { type: 'tool', id: 'one_full' },
  });
});

it('is not taken down by one that is broken', async () => {
  const broken = {
    dead: { url: 'http://127.0.0.1:9/mcp' },
    crashing: { command: process.execPath, args: ['-e', 'process.exit(1)'] },
  };
  const { url, session, opened } = await joined(broken);
  expect(opened?._meta?.['dev.mayday/unavailable']).toEqual(['dead', 'crashing']);
  const { message } = await post(url, call('tools/list'), session);
  expect(message.result?.['tools']).toHaveLength(2);
  expect((await post(url, callTool('one_go'), session)).text).toContain('one went');
  expect(faultIn(await post(url, callTool('dead_go'), session))).toMatchObject({ kind: 'unavailable' });
});

it('carries a request of one server to the client, and the answer back to that one', async () => {
  const { url, session } = await joined({ asking: STDIO_SERVER });
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...session, ...JSON_TYPES },
    body: JSON.stringify(callTool('asking_ask')),
  });
  const [first = ''] = await takeEvents(response.clone(), 1);
  const { id } = JSON.parse(/^data: (.*)$/m.exec(first)?.[1] ?? '{}') as { id: string };
  expect(id).toBe('asking:"server-1"');
  await post(url, { jsonrpc: '2.0', id, result: { role: 'assistant' } }, session);
  expect(await response.text()).toContain('"told":{"role":"assistant"}');
});

it.each(['/mcp', '/own/mcp'])(
  'takes a notification of 2026-07-28 without its headers at %s',
  async (path) => {
    const gateway = await open({ upstreams: { own: STDIO_SERVER } });
    const cancelled = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'listen:1' },
    };
    const posted = await post(`${gateway.url}${path}`, cancelled, { 'mcp-protocol-version': '2026-07-28' });
    expect([posted.status, posted.text]).toEqual([202, '']);
  },
);

it('takes names apart at the longest upstream', () => {
  const names = createNames(['a', 'a_b'], '_');
  expect(names.split('a_b_c')).toEqual({ upstream: 'a_b', name: 'c' });
  expect(names.split('a_c')).toEqual({ upstream: 'a', name: 'c' });
  expect(names.split('b_c')).toBeUndefined();
});

it('says whose list was cut, and what of it cannot be used, to the caller and once to the operator', async () => {
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
    const resources = Array.from({ length: 20_001 }, (_, i) => ({ uri: `a://${i}`, name: 'r' }));
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'resources/list') json(response, 200, { jsonrpc: '2.0', id, result: { resources } });
    else json(response, 200, { jsonrpc: '2.0', id, result: { tools: [{ name: 'no schema' }] } });
  });
  const gateway = await open({ upstreams: { one: { url: await server('one') }, long: { url } } });
  for (let i = 0; i < 2; i++) {
    const { message } = await post(`${gateway.url}/mcp`, call('resources/list'));
    expect(message.result?.['resources']).toHaveLength(20_001);
    expect(message.result?._meta).toEqual({ 'dev.mayday/left-out': ['long'] });
    expect((await post(`${gateway.url}/mcp`, call('tools/list'))).message.result?._meta).toBeUndefined();
  }
  expect(gateway.logs.filter((line) => line.includes('upstream=long'))).toEqual([
    'upstream=long its resources/list was cut at /mcp after 20000 items',
    'upstream=long 1 of what it lists with tools/list cannot be used and is missing at /mcp',
  ]);
});
