/** Tools of one upstream as its settings shape them, at its own endpoint. */
import { afterEach, expect, it } from 'vitest';
import { namesIn, toolServer, toolsNamed } from '../../test/tool-server.ts';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  idIn,
  json,
  open,
  post,
  STDIO_SERVER,
  settingsOf,
  takeEvents,
  upstream,
} from '../../test/tools.ts';

afterEach(cleanUp);

async function house(tools: object, names = ['read_text_file', 'write_file', 'fails_often', 'stat']) {
  const server = await toolServer(() => toolsNamed(...names));
  const gateway = await open({ upstreams: { files: { url: server.url, tools } } });
  const url = `${gateway.url}/files/mcp`;
  const list = async () => (await post(url, call('tools/list'))).message.result;
  return { server, gateway, url, list };
}

it('lists what is allowed and not denied, and calls nothing else', async () => {
  const { server, url, list } = await house({ allow: ['*_file', 'stat'], deny: ['write_*'] });
  expect(namesIn(await list())).toEqual(['read_text_file', 'stat']);
  expect((await post(url, callTool('stat', { a: 1 }))).text).toContain('[\\"stat\\",{\\"a\\":1}]');
  const refused = await post(url, callTool('write_file'));
  expect(faultIn(refused)).toMatchObject({
    kind: 'not_found',
    executed: 'no',
    subject: { type: 'tool', id: 'write_file' },
    message: 'Unknown tool: write_file',
  });
  expect(server.calls()).toHaveLength(1);
});

it('calls a tool by its new name, and says so when it fails', async () => {
  const { server, gateway, url, list } = await house({ rename: { fails_often: 'go', stat: 'look' } });
  expect(namesIn(await list())).toEqual(['read_text_file', 'write_file', 'go', 'look']);
  expect((await post(url, callTool('look', { deep: 1e3 }))).text).toContain('[\\"stat\\",{\\"deep\\":1000}]');
  const failed = await post(url, callTool('go'));
  expect(failed.text).toContain('Tool go is tired');
  expect(failed.text).not.toContain('fails_often');
  expect(gateway.faults.list(1)[0]).toMatchObject({ upstream: 'files', target: 'fails_often' });
  expect(server.calls()).toMatchObject([{ name: 'stat' }, { name: 'fails_often' }]);
});

it('does not know a renamed tool by its old name, and says what was meant', async () => {
  const { server, gateway, url } = await house({ rename: { read_text_file: 'read_text' } });
  const posted = await post(url, callTool('read_text_file'));
  expect(faultIn(posted)).toMatchObject({
    message: 'Unknown tool: read_text_file',
    advice: 'Did you mean read_text? List the tools to see their names.',
  });
  expect(gateway.faults.list(1)[0]).toMatchObject({ upstream: 'files', target: 'read_text_file' });
  expect(server.calls()).toEqual([]);
});

it('says what was meant where nothing is shaped, too', async () => {
  const { url } = await house({});
  expect(faultIn(await post(url, callTool('read_text_fil')))).toMatchObject({
    kind: 'not_found',
    advice: 'Did you mean read_text_file? List the tools to see their names.',
  });
});

it('exchanges names and descriptions in a list, and leaves every other byte alone', async () => {
  const tools = (id: unknown, stat: string): string =>
    `{"jsonrpc": "2.0", "id":${id},"result":{ "tools" :[{"name" : "ls" ,"inputSchema":{"type":"object","x":12345678901234567890}} , ${stat}],"y":-0}}`;
  const own = await upstream((body, response) => {
    response.writeHead(body === '' ? 405 : 200, { 'content-type': 'application/json' });
    response.end(
      tools(
        body === '' ? 1 : idIn(body),
        '{"name":"stat","description":"old \\u00e4","inputSchema":{"type":"object","minimum":1.0}},{"name":"x"}',
      ),
    );
  });
  const settings = { deny: ['x'], rename: { stat: 'look' }, descriptions: { stat: 'new', ls: 'lists' } };
  const gateway = await open({ upstreams: { files: { url: own.url, tools: settings } } });
  const { text } = await post(`${gateway.url}/files/mcp`, call('tools/list'));
  expect(text).toBe(
    '{"jsonrpc": "2.0", "id":1,"result":{ "tools" :[{"description":"lists","name" : "ls" ,"inputSchema":{"type":"object","x":12345678901234567890}},{"name":"look","description":"new","inputSchema":{"type":"object","minimum":1.0}}],"y":-0}}',
  );
});

it('tells rules and limits the names that the server has, and those who may not know nothing', async () => {
  const server = await toolServer(() => toolsNamed('pay', 'look'));
  const upstreams = { bank: { url: server.url, tools: { rename: { pay: 'transfer', look: 'see' } } } };
  const gateway = await open({
    upstreams,
    access: { rules: [{ deny: ['bank/pay'] }] },
    limits: { rates: [{ calls: 1, per_ms: 60_000, tools: ['bank/look'] }] },
  });
  const url = `${gateway.url}/bank/mcp`;
  expect(namesIn((await post(url, call('tools/list'))).message.result)).toEqual(['see']);
  expect(faultIn(await post(url, callTool('transfer')))).toMatchObject({
    kind: 'forbidden',
    message: 'You may not use the tool transfer',
    subject: { type: 'tool', id: 'transfer' },
  });
  await post(url, callTool('see'));
  expect(faultIn(await post(url, callTool('see')))).toMatchObject({ kind: 'rate_limited' });
});

it('tells the same of what is hidden and of what is denied where refusals are opaque', async () => {
  const server = await toolServer(() => toolsNamed('pay', 'look', 'spy'));
  const gateway = await open({
    upstreams: { bank: { url: server.url, tools: { deny: ['spy'] } } },
    access: { refusals: 'opaque', rules: [{ deny: ['bank/pay'] }] },
  });
  const told = async (name: string): Promise<unknown> => {
    const { correlation_id: _, ...fault } =
      faultIn(await post(`${gateway.url}/bank/mcp`, callTool(name))) ?? {};
    return fault;
  };
  expect(await told('spy')).toEqual(await told('pay'));
  expect(await told('spy')).toMatchObject({ message: 'This tool is not available for your key.' });
});

it('tells the clients of a process when its tools are shown as something else', async () => {
  const upstreams = (tools: object) => ({ upstreams: { one: { ...STDIO_SERVER, tools } } });
  const gateway = await open(upstreams({}));
  const url = `${gateway.url}/one/mcp`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  const standing = await fetch(url, { headers: { ...session, accept: 'text/event-stream' } });
  gateway.reload(settingsOf(upstreams({ deny: ['x'] })));
  expect((await takeEvents(standing, 1))[0]).toContain('notifications/tools/list_changed');
});

it('keeps what the header repeats of the name in step', async () => {
  const heard: unknown[] = [];
  const server = await upstream((body, response, { headers }) => {
    const { method, params } = JSON.parse(body) as { method: string; params: { name: string } };
    heard.push([method, headers['mcp-name'], params.name]);
    json(response, 200, { jsonrpc: '2.0', id: idIn(body), result: { resultType: 'complete', content: [] } });
  });
  const gateway = await open({ upstreams: { a: { url: server.url, tools: { rename: { ä: 'look' } } } } });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'look' };
  await post(`${gateway.url}/a/mcp`, call('tools/call', { name: 'look', _meta }), headers);
  expect(heard).toContainEqual(['tools/call', '=?base64?w6Q=?=', 'ä']);
  expect(heard.filter((each) => (each as unknown[])[0] === 'tools/call')).toHaveLength(1);
});
