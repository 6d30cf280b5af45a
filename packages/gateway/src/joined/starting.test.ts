/** Servers that take long to start, such as those that are fetched first: whoever asks once is told what there is. */
import { afterEach, expect, it } from 'vitest';
import { namesIn, toolServer, toolsNamed } from '../../test/tool-server.ts';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  open,
  post,
  takeEvents,
  until,
} from '../../test/tools.ts';

afterEach(cleanUp);

const PART_MS = 300;
const NODE = process.execPath;

/** Answers every list with one item, from so many milliseconds after its start. */
function startsAfter(ms: number): { command: string; args: string[] } {
  const script = `setTimeout(() => require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const results = {
      initialize: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } },
      'tools/list': { tools: [{ name: 'go', inputSchema: { type: 'object' } }] },
      'prompts/list': { prompts: [{ name: 'go' }] },
      'resources/list': { resources: [{ uri: 'x://' + process.argv[1], name: 'go' }] },
      'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'x://' + process.argv[1] + '/{a}', name: 'go' }] },
    };
    const answer = () => console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
    if (id !== undefined) answer();
  }), ${ms})`;
  return { command: NODE, args: ['-e', script, String(ms)] };
}

const HUNG = { command: NODE, args: ['-e', 'process.stdin.resume()'] };
const DEAD = { command: NODE, args: ['-e', 'process.exit(3)'] };

async function house(upstreams: { readonly [name: string]: object }, joined: object = {}) {
  const gateway = await open({
    joined: { part_timeout_ms: PART_MS, ...joined },
    upstreams: upstreams as never,
    virtual: { desk: { tools: ['*/go'] } },
  });
  const client = async (path = '/mcp') => {
    const url = `${gateway.url}${path}`;
    const { headers, message } = await post(url, INITIALIZE);
    const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    const ask = (method: string) => post(url, call(method), session);
    const standing = () => fetch(url, { headers: { ...session, accept: 'text/event-stream' } });
    return { opened: message.result, ask, standing };
  };
  return { gateway, client };
}

it.each([
  ['/mcp', 3],
  ['/desk/mcp', 1],
])(
  'lists at %s what the first that starts has, names the others, and tells when they have come',
  async (path, changes) => {
    const { gateway, client } = await house({ soon: startsAfter(1500), late: startsAfter(9000), dead: DEAD });
    const { opened, ask, standing } = await client(path);
    expect(opened?._meta).toEqual({ 'dev.mayday/unavailable': ['soon', 'late', 'dead'] });
    const first = await ask('tools/list');
    expect(namesIn(first.message.result)).toEqual(['soon_go']);
    expect(first.message.result?._meta).toEqual({ 'dev.mayday/unavailable': ['late', 'dead'] });
    const again = await ask('tools/list');
    expect(namesIn(again.message.result)).toEqual(['soon_go']);
    const kept = gateway.faults.list().filter(({ fault }) => fault['message'] === 'late is still starting');
    expect(kept.map(({ fault }) => fault['executed'])).toEqual(['no']);
    const told = await takeEvents(await standing(), 2 * changes);
    expect(told.filter((event) => event.includes('notifications/tools/list_changed'))).toHaveLength(2);
    expect(namesIn((await ask('tools/list')).message.result)).toEqual(['soon_go', 'late_go']);
  },
);

it.each([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
])('waits with %s for one that is alone, as its client would', async (method, key) => {
  const { client } = await house({ only: startsAfter(1500) });
  const { ask } = await client();
  expect((await ask(method)).message.result).toEqual({ [key]: [expect.anything()] });
});

it('waits for callers without a session too', async () => {
  const { gateway } = await house({ only: startsAfter(1500), other: startsAfter(1500) });
  const { message } = await post(`${gateway.url}/mcp`, call('tools/list'));
  expect(namesIn(message.result)).toEqual(['only_go', 'other_go']);
});

it('does not take the refusal of one for all that there is to say', async () => {
  const { client } = await house({
    only: startsAfter(1500),
    shut: { url: 'http://127.0.0.1:9/mcp' },
  });
  const { ask } = await client();
  expect((await ask('tools/list')).message.result).toMatchObject({
    tools: [{ name: 'only_go' }],
    _meta: { 'dev.mayday/unavailable': ['shut'] },
  });
});

/** Speaks 2026-07-28 alone, from so many milliseconds after its start. */
function statelessAfter(ms: number): { command: string; args: string[] } {
  const script = `setTimeout(() => require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const found = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
    const listed = { resultType: 'complete', tools: [{ name: 'go', inputSchema: { type: 'object' } }] };
    const results = { 'server/discover': found, 'tools/list': listed };
    const said = method in results ? { result: results[method] } : { error: { code: -32601, message: 'Method not found' } };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
  }), ${ms})`;
  return { command: NODE, args: ['-e', script] };
}

async function discover(upstreams: { readonly [name: string]: object }, path: string, joined: object = {}) {
  const { gateway } = await house(upstreams, joined);
  return await askAt(gateway.url, path);
}

async function askAt(url: string, path: string, method = 'server/discover') {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
  return await post(`${url}${path}`, call(method, { _meta: meta }), headers);
}

it.each(['/mcp', '/desk/mcp'])(
  'leaves a client of both revisions at %s with the old one, as long as nobody knows what others speak',
  async (path) => {
    const since = performance.now();
    const { message } = await discover({ dead: DEAD, late: statelessAfter(9000), hung: HUNG }, path);
    expect(performance.now() - since).toBeLessThan(5000);
    expect(message.error).toMatchObject({ code: -32601 });
  },
);

it('waits with the first list after server/discover for those that start one after the other', async () => {
  const { gateway } = await house(
    { one: statelessAfter(2500), two: statelessAfter(3200) },
    { part_timeout_ms: 2000 },
  );
  expect((await askAt(gateway.url, '/mcp')).message.error).toMatchObject({ code: -32601 });
  const listed = await askAt(gateway.url, '/mcp', 'tools/list');
  expect(namesIn(listed.message.result)).toEqual(['one_go', 'two_go']);
});

it('waits twice for one that hangs, and then no more', async () => {
  const { gateway } = await house({ hung: HUNG, well: statelessAfter(0) }, { part_timeout_ms: 4000 });
  const waits: boolean[] = [];
  for (let time = 0; time < 4; time++) {
    const since = performance.now();
    await askAt(gateway.url, '/mcp');
    waits.push(performance.now() - since >= 3900);
  }
  expect(waits).toEqual([true, true, false, false]);
});

it('does not take it back when the one that starts is asked again', async () => {
  const { gateway } = await house({ late: statelessAfter(1500) });
  await askAt(gateway.url, '/mcp');
  await until(async () => {
    const { message } = await askAt(gateway.url, '/mcp');
    return message.result !== undefined && message.result._meta?.['dev.mayday/unavailable'] === undefined;
  });
});

it('names one that hangs once it is known to, and tells with server/discover what the others can do', async () => {
  const { gateway } = await house({ soon: statelessAfter(0), hung: HUNG }, { part_timeout_ms: 1000 });
  const said = [];
  for (let time = 0; time < 3; time++) said.push((await askAt(gateway.url, '/mcp')).message);
  expect(said[0]?.error).toMatchObject({ code: -32601 });
  expect(said[2]?.result).toMatchObject({
    supportedVersions: ['2026-07-28'],
    _meta: { 'dev.mayday/unavailable': ['hung'] },
  });
});

it('fails when all have failed, and names all of them', async () => {
  const { client } = await house({ dead: DEAD, hung: { ...HUNG, timeout_ms: 1000 }, gone: DEAD });
  const { ask } = await client();
  const failed = await ask('tools/list');
  expect(failed.message.error?.message).toMatch(/^None of dead, hung and gone could be asked\. /);
  expect(faultIn(failed)).toMatchObject({ executed: 'no' });
});

it('gives up one that hangs when a client that speaks to it alone would be told, and says what is known', async () => {
  const { client } = await house({ hung: { ...HUNG, open_timeout_ms: 1500 } });
  const { ask } = await client();
  const failed = await ask('tools/list');
  expect(failed.message.error?.message).toMatch(
    /^hung did not answer within 1\.5 s \(`open_timeout_ms`\); it has not answered anything since it was started\. Is it a server over standard input and output\?/,
  );
  expect(faultIn(failed)).toMatchObject({ kind: 'timeout', executed: 'no' });
});

const NODE_HANGS = 'console.error("Waiting for authorization..."); process.stdin.resume()';
const LOGIN = { command: NODE, args: ['-e', NODE_HANGS], open_timeout_ms: 1500 };

it.each([
  ['/mcp', 'in a session', callTool('login_go')],
  ['/mcp', 'without one', callTool('login_go')],
  ['/login/mcp', 'in a session', undefined],
  ['/login/mcp', 'without one', callTool('go')],
])(
  'gives up one that hangs at %s %s when it is called, in time, and explains it',
  async (path, how, asked) => {
    const well = await toolServer(() => toolsNamed('go'));
    const { gateway } = await house({ login: LOGIN, well: { url: well.url } });
    const url = `${gateway.url}${path}`;
    const since = performance.now();
    const opened = how === 'in a session' ? await post(url, INITIALIZE) : undefined;
    const session = { 'mcp-session-id': opened?.headers.get('mcp-session-id') ?? '' };
    const called = asked === undefined ? opened : await post(url, asked, opened && session);
    expect(performance.now() - since).toBeLessThan(4000);
    expect(called?.text).toContain('Waiting for authorization');
    expect(called && faultIn(called)).toMatchObject({
      kind: 'timeout',
      executed: 'no',
      advice: expect.stringContaining('sign in'),
      details: { command: `${NODE} …`, stderr: 'Waiting for authorization...' },
    });
    const status = await (await fetch(`${gateway.url}/-/status`)).text();
    expect(status).toContain('it has not answered anything since it was started');
  },
);

it('tells whoever calls it again at once', async () => {
  const well = await toolServer(() => toolsNamed('go'));
  const { gateway } = await house({ login: LOGIN, well: { url: well.url } });
  const { headers } = await post(`${gateway.url}/mcp`, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(`${gateway.url}/mcp`, callTool('login_go'), session);
  const since = performance.now();
  const again = await post(`${gateway.url}/mcp`, callTool('login_go'), session);
  expect(performance.now() - since).toBeLessThan(1000);
  expect(again.text).toContain('Waiting for authorization');
});

it('finds tools of servers that start, where they are searched for', async () => {
  const { gateway } = await house({ only: startsAfter(2500) }, { discovery: 'lazy' });
  const url = `${gateway.url}/mcp`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  const search = call('tools/call', { name: 'search_tools', arguments: { query: 'go' } });
  expect((await post(url, search, session)).text).toContain('only_go');
});
