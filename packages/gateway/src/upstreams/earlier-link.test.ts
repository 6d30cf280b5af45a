/** A client of 2026-07-28 before a process of the 2025 era: what loses nothing is carried, the rest refused with a reason. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, faultIn, open, post } from '../../test/tools.ts';

afterEach(cleanUp);

/** Does nothing before it was opened, as servers of that era may. */
const SERVER = `const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
let opened;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') opened = params;
  if (method === 'initialize') return say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } });
  if (method === 'server/discover') return say({ id, error: { code: -32601, message: 'Method not found' } });
  if (opened === undefined) return say({ id, error: { code: -32600, message: 'Not initialized' } });
  if (method === 'tools/list') return say({ id, result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] } });
  if (params.arguments.asks) return say({ id: 7, method: 'elicitation/create', params: { message: 'Sure?' } });
  say({ id, result: { content: [{ type: 'text', text: opened.protocolVersion + ' ' + JSON.stringify(opened.capabilities) }] } });
});`;

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
};

it.each([
  ['/mcp', 'p_echo'],
  ['/p/mcp', 'echo'],
  ['/desk/mcp', 'p_echo'],
])('at %s', async (path, name) => {
  const { url } = await open({
    upstreams: { p: { command: process.execPath, args: ['-e', SERVER] } },
    virtual: { desk: { tools: ['p/echo'] } },
  });
  const ask = (method: string, params: object = {}) =>
    post(`${url}${path}`, call(method, { ...params, _meta: META }), {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...('name' in params ? { 'mcp-name': String(params.name) } : {}),
    });
  const { message: listed } = await ask('tools/list');
  expect(listed.result).toMatchObject({ resultType: 'complete', tools: [{ name }] });
  const { message: called } = await ask('tools/call', { name, arguments: {} });
  expect(called.result).toEqual({
    resultType: 'complete',
    content: [{ type: 'text', text: '2025-11-25 {}' }],
  });
  expect(faultIn(await ask('tools/call', { name, arguments: { asks: true } }))).toMatchObject({
    executed: 'maybe',
    message: expect.stringContaining(
      'The server asks its client in the middle of the call (elicitation/create)',
    ),
    advice: expect.stringContaining('Call it in a session of 2025-11-25'),
  });
  for (const [method, params] of [
    ['logging/setLevel', { level: 'debug' }],
    ['resources/subscribe', { uri: 'a://b' }],
    ['resources/unsubscribe', { uri: 'a://b' }],
    ['ping', {}],
  ] as const)
    expect(faultIn(await ask(method, params))).toMatchObject({
      kind: 'unsupported',
      executed: 'no',
      message: `Method not found: ${method}`,
    });
  expect(faultIn(await ask('server/discover'))).toMatchObject({
    kind: 'unsupported',
    executed: 'no',
    advice: expect.stringContaining('Open a session of 2025-11-25 with `initialize`'),
  });
});
