/** Servers that are made of tools of others. */
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { type ListedTool, namesIn, toolServer, toolsNamed } from '../../test/tool-server.ts';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  open,
  post,
  settingsOf,
  takeEvents,
  until,
} from '../../test/tools.ts';
import type { SettingsFile } from '../index.ts';

afterEach(cleanUp);

type Virtual = NonNullable<SettingsFile['virtual']>[string];

async function house(desk: Virtual, more: Partial<SettingsFile> = {}) {
  const files = await toolServer(() => toolsNamed('read_text_file', 'write_file', 'fails_often', 'stat'));
  const search = await toolServer(() => toolsNamed('find', 'stat'));
  const file: SettingsFile = {
    upstreams: { files: { url: files.url }, search: { url: search.url } },
    virtual: { desk },
    ...more,
  };
  const gateway = await open(file);
  const url = `${gateway.url}/desk/mcp`;
  const list = async () => (await post(url, call('tools/list'))).message.result;
  return { files, search, gateway, url, list, file };
}

it('has the tools that were selected, and no others', async () => {
  const { url, list, files, search } = await house({
    tools: ['files/*_file', 'search/find'],
    deny: ['*/write_*'],
  });
  expect(namesIn(await list())).toEqual(['files_read_text_file', 'search_find']);
  expect((await post(url, callTool('search_find', { q: 1 }))).text).toContain('[\\"find\\",{\\"q\\":1}]');
  for (const name of ['files_write_file', 'search_stat', 'files_stat'])
    expect(faultIn(await post(url, callTool(name)))).toMatchObject({
      kind: 'not_found',
      subject: { type: 'tool', id: name },
      message: `Unknown tool: ${name}`,
    });
  expect([files.calls().length, search.calls().length]).toEqual([0, 1]);
});

it('has names and descriptions of its own, without a prefix', async () => {
  const { url, list, gateway } = await house({
    tools: ['files/stat', 'files/fails_often', 'search/*'],
    rename: { 'files/stat': 'look', 'files/fails_often': 'go', 'search/find': 'search_stat' },
    descriptions: { 'files/stat': 'Looks at a file.' },
  });
  const tools = (await list())?.['tools'] as ListedTool[];
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ['go', 'does fails_often'],
    ['look', 'Looks at a file.'],
    ['search_stat', 'does find'],
    ['search_stat_a695dd3c', 'does stat'],
  ]);
  expect((await post(url, callTool('look'))).text).toContain('[\\"stat\\"');
  expect((await post(url, callTool('search_stat'))).text).toContain('[\\"find\\"');
  expect((await post(url, callTool('search_stat_a695dd3c'))).text).toContain('[\\"stat\\"');
  expect((await post(url, callTool('go'))).text).toContain('Tool go is tired');
  expect(gateway.faults.list(1)[0]).toMatchObject({ upstream: 'files', target: 'fails_often' });
  expect(faultIn(await post(url, callTool('lok')))).toMatchObject({
    advice: 'Did you mean look? List the tools to see their names.',
  });
});

it('stands on what the upstreams show', async () => {
  const shaped = await house({ tools: ['files/*'] });
  const { url } = [...settingsOf(shaped.file).upstreams.values()][0] as { url?: URL } & object;
  const tools = { deny: ['write_*', 'fails_*'], rename: { stat: 'look' }, descriptions: { stat: 'New.' } };
  const gateway = await open({
    upstreams: { files: { url: String(url), tools } },
    virtual: { desk: { tools: ['files/stat', 'files/write_file'] } },
  });
  const result = (await post(`${gateway.url}/desk/mcp`, call('tools/list'))).message.result;
  expect(result?.['tools']).toMatchObject([{ name: 'files_look', description: 'New.' }]);
  expect((await post(`${gateway.url}/desk/mcp`, callTool('files_look'))).text).toContain('[\\"stat\\"');
  const joined = (await post(`${gateway.url}/mcp`, call('tools/list'))).message.result;
  expect(namesIn(joined)).toEqual(['files_read_text_file', 'files_look']);
});

it('has tools and nothing else', async () => {
  const { url } = await house({ tools: ['files/*'], instructions: 'Read files here.' });
  const { message } = await post(url, INITIALIZE);
  expect(message.result).toMatchObject({ instructions: 'Read files here.' });
  expect(Object.keys(message.result?.['capabilities'] as object)).toEqual(['tools']);
  for (const method of ['prompts/list', 'resources/list', 'resources/templates/list'])
    expect((await post(url, call(method))).message.error?.code).toBe(-32601);
});

it('is reached by keys that name it, and is told in the status', async () => {
  const { gateway, url } = await house(
    { tools: ['files/*'] },
    {
      keys: [
        { name: 'ann', key: 'ann-key-1234', upstreams: ['desk'] },
        { name: 'op', key: 'op-key-12345', role: 'operator' },
      ],
    },
  );
  const as = (key: string) => ({ authorization: `Bearer ${key}` });
  expect(namesIn((await post(url, call('tools/list'), as('ann-key-1234'))).message.result)).toContain(
    'files_stat',
  );
  const elsewhere = await post(`${gateway.url}/files/mcp`, call('tools/list'), as('ann-key-1234'));
  expect(elsewhere.status).toBe(403);
  const status = await fetch(`${gateway.url}/-/status`, { headers: as('op-key-12345') });
  expect(await status.json()).toMatchObject({
    virtual: [{ name: 'desk', endpoint: '/desk/mcp', sessions: 0, upstreams: ['files'] }],
  });
});

it('tells rules the names that the servers have', async () => {
  const { url, list } = await house(
    { tools: ['files/*'], rename: { 'files/stat': 'look' } },
    { access: { rules: [{ deny: ['files/stat', 'files/write_file'] }] } },
  );
  expect(namesIn(await list())).toEqual(['files_read_text_file', 'files_fails_often']);
  expect(faultIn(await post(url, callTool('look')))).toMatchObject({
    kind: 'forbidden',
    message: 'You may not use the tool look',
  });
});

it('follows a reload, and tells its clients', async () => {
  const { gateway, url, file } = await house({ tools: ['files/stat'] });
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const standing = await fetch(url, { headers: { ...session, accept: 'text/event-stream' } });
  gateway.reload(settingsOf({ ...file, virtual: { desk: { tools: ['search/find'] } } }));
  expect((await takeEvents(standing, 1))[0]).toContain('notifications/tools/list_changed');
  expect(namesIn((await post(url, call('tools/list'), session)).message.result)).toEqual(['search_find']);
  gateway.reload(settingsOf({ ...file, virtual: {} }));
  await until(async () => (await post(url, call('tools/list'))).status === 404);
});

it('finds a tool by a name that was made before it was started', async () => {
  const odd = toolsNamed('a.b', 'c'.repeat(80));
  const names = async (): Promise<{ names: readonly string[]; url: string }> => {
    const gateway = await open({ upstreams: { x: { url: (await toolServer(() => odd)).url } } });
    const url = `${gateway.url}/mcp`;
    return { names: namesIn((await post(url, call('tools/list'))).message.result), url };
  };
  const first = await names();
  expect(first.names.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true);
  const server = await toolServer(() => odd);
  const gateway = await open({ upstreams: { x: { url: server.url } } });
  for (const name of first.names)
    expect((await post(`${gateway.url}/mcp`, callTool(name))).message.result?.['content']).toBeDefined();
  expect(server.calls()).toMatchObject([{ name: 'a.b' }, { name: 'c'.repeat(80) }]);
  expect((await names()).names).toEqual(first.names);
});

const API = fileURLToPath(new URL('../../test/shop.openapi.yaml', import.meta.url));

it.each([
  ['/desk/mcp', 'order'],
  ['/mcp', 'shop_getOrder'],
  ['/shop/mcp', 'fetch_order'],
])('at %s, an operation of an API is told by the name that it was called by: %s', async (path, name) => {
  const rename = path === '/shop/mcp' ? { rename: { getOrder: name } } : {};
  const gateway = await open({
    upstreams: { shop: { openapi: API, base_url: 'http://127.0.0.1:9', tools: rename } },
    virtual: { desk: { tools: ['shop/*'], rename: { 'shop/getOrder': 'order' } } },
  } as SettingsFile);
  const posted = await post(`${gateway.url}${path}`, callTool(name, {}));
  expect(faultIn(posted)).toMatchObject({
    subject: { type: 'tool', id: name },
    message: `The arguments of the tool ${name} do not fit`,
  });
  expect(posted.text).not.toMatch(/(?<!shop_)getOrder/);
});
