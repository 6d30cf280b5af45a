/** Names that only a list explains: whoever calls one finds its tool, listed or not, and after every reload. */
import { afterEach, expect, it } from 'vitest';
import { type ListedTool, toolServer, toolsNamed } from '../../test/tool-server.ts';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  json,
  open,
  post,
  settingsOf,
  upstream,
} from '../../test/tools.ts';
import type { SettingsFile } from '../index.ts';

afterEach(cleanUp);

const NO_PREFIX = {
  joined: { separator: '' },
  virtual: { desk: { tools: ['*/*'] } },
} satisfies Partial<SettingsFile>;

type Servers = NonNullable<SettingsFile['upstreams']>;

/** A session, opened as clients do. */
async function sessionAt(url: string): Promise<{ readonly [name: string]: string }> {
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  return session;
}

/** A server whose lists come when they are let through; until then nobody hears of them. */
async function heldServer(tools: readonly ListedTool[]) {
  const held: (() => void)[] = [];
  let isHeld = false;
  const { url } = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body) as {
      id?: number;
      method: string;
      params: { name: string };
    };
    const answer = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result });
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'initialize')
      answer({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'held', version: '1' },
      });
    else if (method === 'tools/list' && isHeld) held.push(() => answer({ tools }));
    else if (method === 'tools/list') answer({ tools });
    else answer({ content: [{ type: 'text', text: `held ${params.name}` }] });
  });
  const hold = (): void => {
    isHeld = true;
  };
  return { url, hold };
}

const MODERN = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'find',
};
const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

it.each(['/mcp', '/desk/mcp'])('is found by the first call there is, at %s', async (path) => {
  const files = await toolServer(() => toolsNamed('read'));
  const search = await toolServer(() => toolsNamed('find'));
  const upstreams: Servers = { files: { url: files.url }, search: { url: search.url } };
  const plain = await open({ upstreams, ...NO_PREFIX });
  expect((await post(`${plain.url}${path}`, callTool('find'))).text).toContain('[\\"find\\"');
  const sessions = await open({ upstreams, ...NO_PREFIX });
  const session = await sessionAt(`${sessions.url}${path}`);
  expect((await post(`${sessions.url}${path}`, callTool('read'), session)).text).toContain('[\\"read\\"');
  const modern = await open({ upstreams, ...NO_PREFIX });
  const asked = call('tools/call', { name: 'find', arguments: {}, _meta: MODERN_META });
  expect((await post(`${modern.url}${path}`, asked, MODERN)).text).toContain('[\\"find\\"');
});

it('is found by its prompt’s name, too', async () => {
  const server = (name: string) =>
    upstream((body, response) => {
      const { id, method, params } = JSON.parse(body) as {
        id?: number;
        method: string;
        params: { name?: string };
      };
      const answer = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result });
      if (id === undefined) response.writeHead(202).end();
      else if (method === 'prompts/list') answer({ prompts: [{ name }] });
      else if (method === 'prompts/get')
        answer({
          messages: [{ role: 'user', content: { type: 'text', text: `of ${name}: ${params.name}` } }],
        });
      else
        answer({ protocolVersion: '2025-11-25', capabilities: { prompts: {} }, serverInfo: { name: 's' } });
    });
  const [one, two] = [await server('sum'), await server('tell')];
  const gateway = await open({ upstreams: { one: { url: one.url }, two: { url: two.url } }, ...NO_PREFIX });
  const got = await post(`${gateway.url}/mcp`, call('prompts/get', { name: 'tell' }));
  expect(got.text).toContain('of tell: tell');
});

it.each([
  ['of its own server', { timeout_ms: 20_000 }, {}],
  ['of another server', {}, { timeout_ms: 20_000 }],
  ['that makes another server of it', { headers: { 'x-new': '1' } }, {}],
])('is found in a session after a reload of a setting %s', async (_, forFiles, forSearch) => {
  const files = await toolServer(() => toolsNamed('read'));
  const search = await toolServer(() => toolsNamed('find'));
  const file = (ofFiles: object, ofSearch: object): SettingsFile => ({
    upstreams: { files: { url: files.url, ...ofFiles }, search: { url: search.url, ...ofSearch } },
    ...NO_PREFIX,
  });
  const gateway = await open(file({}, {}));
  const urls = [`${gateway.url}/mcp`, `${gateway.url}/desk/mcp`];
  const sessions = await Promise.all(urls.map(sessionAt));
  for (const [at, url] of urls.entries()) await post(url, call('tools/list'), sessions[at]);
  gateway.reload(settingsOf(file(forFiles, forSearch)));
  for (const [at, url] of urls.entries()) {
    expect((await post(url, callTool('read'), sessions[at])).text).toContain('[\\"read\\"');
    expect((await post(url, callTool('find'))).text).toContain('[\\"find\\"');
  }
});

it('stays whose it was after a reload, whoever lists first then', async () => {
  const held = await heldServer(toolsNamed('read', 'only'));
  const search = await toolServer(() => toolsNamed('read'));
  const file = (timeout_ms: number): SettingsFile => ({
    upstreams: { held: { url: held.url }, search: { url: search.url, timeout_ms } },
    joined: { separator: '', part_timeout_ms: 300 },
  });
  const gateway = await open(file(10_000));
  const url = `${gateway.url}/mcp`;
  const session = await sessionAt(url);
  await post(url, call('tools/list'), session);
  held.hold();
  gateway.reload(settingsOf(file(20_000)));
  gateway.reload(settingsOf(file(30_000)));
  const listed = await post(url, call('tools/list'), session);
  expect(listed.text).toContain('"search_read"');
  expect((await post(url, callTool('read'), session)).text).toContain('held read');
  expect((await post(url, callTool('search_read'), session)).text).toContain('[\\"read\\"');
});

it('is another’s after a reload that took it away from the one that had it', async () => {
  const files = await toolServer(() => toolsNamed('read', 'write'));
  const search = await toolServer(() => toolsNamed('read'));
  const file = (deny: readonly string[]): SettingsFile => ({
    upstreams: { files: { url: files.url, tools: { deny: [...deny] } }, search: { url: search.url } },
    joined: { separator: '' },
  });
  const gateway = await open(file([]));
  await post(`${gateway.url}/mcp`, call('tools/list'));
  gateway.reload(settingsOf(file(['read'])));
  expect((await post(`${gateway.url}/mcp`, callTool('read'))).text).toContain('[\\"read\\"');
  expect([files.calls().length, search.calls().length]).toEqual([0, 1]);
});

it('may be that of a server that could not be asked, and is not said to be nobody’s', async () => {
  const search = await toolServer(() => toolsNamed('find'));
  const gateway = await open({
    upstreams: { dead: { url: 'http://127.0.0.1:9/mcp' }, search: { url: search.url } },
    joined: { separator: '' },
  });
  const fault = faultIn(await post(`${gateway.url}/mcp`, callTool('read')));
  expect(fault).toMatchObject({ kind: 'unavailable', executed: 'no', retryable: true });
  expect((await post(`${gateway.url}/mcp`, callTool('find'))).text).toContain('[\\"find\\"');
});

it('is nobody’s where all have said so, and nobody is told of prefixes that there are none of', async () => {
  const files = await toolServer(() => toolsNamed('read'));
  const search = await toolServer(() => toolsNamed('find'));
  const gateway = await open({
    upstreams: { files: { url: files.url }, search: { url: search.url } },
    ...NO_PREFIX,
    virtual: { desk: { tools: ['*/*'], separator: '_', rename: { 'files/read': 'look' } } },
  });
  for (const path of ['/mcp', '/desk/mcp'])
    expect(faultIn(await post(`${gateway.url}${path}`, callTool('quaternion')))).toMatchObject({
      kind: 'not_found',
      advice: 'List the tools to see their names.',
    });
  const lists = [files.lists(), search.lists()];
  await post(`${gateway.url}/mcp`, callTool('read'));
  expect([files.lists(), search.lists()]).toEqual(lists);
});

it('that had to be made is found in a session after a reload that leaves its server as it is', async () => {
  const files = await toolServer(() => toolsNamed('a.b', 'c'));
  const search = await toolServer(() => toolsNamed('find'));
  const file = (timeout_ms: number): SettingsFile => ({
    upstreams: { files: { url: files.url, timeout_ms }, search: { url: search.url } },
  });
  const gateway = await open(file(10_000));
  const url = `${gateway.url}/mcp`;
  const session = await sessionAt(url);
  await post(url, call('tools/list'), session);
  gateway.reload(settingsOf(file(20_000)));
  for (const as of [session, {}])
    expect((await post(url, callTool('files_a_b_52cba90c'), as)).text).toContain('[\\"a.b\\"');
});

it('whose own was given to another is found without having been listed', async () => {
  const files = await toolServer(() => toolsNamed('read', 'write'));
  const search = await toolServer(() => toolsNamed('find'));
  const gateway = await open({
    upstreams: { files: { url: files.url }, search: { url: search.url } },
    virtual: { desk: { tools: ['*/*'], separator: '', rename: { 'search/find': 'read' } } },
  });
  const url = `${gateway.url}/desk/mcp`;
  expect((await post(url, callTool('read_3316348d'))).text).toContain('[\\"read\\"');
  expect((await post(url, callTool('read'))).text).toContain('[\\"find\\"');
});
