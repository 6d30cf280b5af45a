/** A number that a double cannot hold reaches the caller as its server wrote it, wherever answers of several are put together. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, callTool, cleanUp, INITIALIZE, open, post } from '../tools.ts';

const BIG = '12345678901234567890';
const TOOL = `{"name":"t","inputSchema":{"type":"object","properties":{"n":{"maximum":${BIG},"default":0.12345678901234567890}}},"_meta":{"x":${BIG}},"weight":${BIG}}`;

const SERVER = `
const n = '${BIG}';
const lists = {
  'tools/list': '{"tools":[${TOOL}]}',
  'prompts/list': '{"prompts":[{"name":"p","_meta":{"x":' + n + '}}]}',
  'resources/list': '{"resources":[{"uri":"x://r","name":"r","size":' + n + ',"_meta":{"x":' + n + '}}]}',
  'resources/templates/list': '{"resourceTemplates":[{"name":"r","uriTemplate":"x://{a}","_meta":{"x":' + n + '}}]}',
  'resources/read': '{"contents":[{"uri":"x://r","text":"x","_meta":{"x":' + n + '}}]}',
  initialize: '{"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"1"},"instructions":"up to ' + n
    + '","capabilities":{"tools":{},"prompts":{},"resources":{},"experimental":{"x":{"n":' + n + '}}}}',
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const result = lists[method];
  if (id !== undefined)
    console.log('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',' + (result ? '"result":' + result
      : '"error":{"code":-32601,"message":"Method not found"}') + '}');
});
`;

let url: string;

beforeAll(async () => {
  const own = { command: process.execPath, args: ['-e', SERVER] };
  const gateway = await open({
    upstreams: { a: own, lazy: { ...own, tools: { discovery: 'lazy' } } },
    virtual: { v: { tools: ['a/*'], rename: { 'a/t': 'q' } }, w: { tools: ['a/*'], discovery: 'lazy' } },
  });
  url = gateway.url;
});
afterAll(cleanUp);

const toolAs = (name: string): string => TOOL.replace('"name":"t"', `"name":"${name}"`);

it.each([
  ['/mcp', 'tools/list', toolAs('a_t')],
  ['/v/mcp', 'tools/list', toolAs('q')],
  ['/mcp', 'prompts/list', `{"name":"a_p","_meta":{"x":${BIG}}}`],
  ['/mcp', 'resources/list', `{"uri":"x://r","name":"r","size":${BIG},"_meta":{"x":${BIG}}}`],
  ['/mcp', 'resources/templates/list', `{"name":"r","uriTemplate":"x://{a}","_meta":{"x":${BIG}}}`],
])('at %s: %s', async (path, method, item) => {
  expect((await post(url + path, call(method))).text).toContain(item);
});

it.each(['/mcp', '/v/mcp'])('at %s: what servers can do', async (path) => {
  const { text } = await post(url + path, INITIALIZE);
  expect(text).toContain(`"experimental":{"x":{"n":${BIG}}}`);
  expect(text).toContain(`up to ${BIG}`);
});

it.each([
  ['/lazy/mcp', 't'],
  ['/w/mcp', 'a_t'],
])('at %s: in what a tool is described as', async (path, name) => {
  const { text } = await post(url + path, callTool('describe_tools', { names: [name] }));
  expect(text).toContain(toolAs(name));
  expect(text).toContain(JSON.stringify(toolAs(name)).slice(1, -1));
});

it('at /mcp: in a resource that several servers may have', async () => {
  const { text } = await post(`${url}/mcp`, call('resources/read', { uri: 'x://r' }));
  expect(text).toContain(`"_meta":{"x":${BIG}}`);
});
