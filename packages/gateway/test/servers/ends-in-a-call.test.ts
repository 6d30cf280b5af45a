/** A process that speaks 2026-07-28 alone, and ends in a call, is explained to clients of both eras. */
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, INITIALIZE, open, post } from '../tools.ts';

afterEach(cleanUp);

const STATELESS = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const say = (what) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...what }));
  if (params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== '2026-07-28')
    return say({ error: { code: -32022, message: 'Unsupported protocol version', data: { supported: ['2026-07-28'] } } });
  const resultType = 'complete';
  if (method === 'server/discover')
    return say({ result: { resultType, supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' } });
  if (method === 'tools/list')
    return say({ result: { resultType, tools: [{ name: 'read', inputSchema: { type: 'object' } }], ttlMs: 0, cacheScope: 'private' } });
  if (method === 'subscriptions/listen') return;
  if (params.arguments?.dies !== true) return say({ result: { resultType, content: [{ type: 'text', text: 'fine' }] } });
  console.error("Error: cannot read 'notes.txt' with password=hunter2hunter2");
  process.exit(4);
})`;
const UPSTREAMS = { a: { command: process.execPath, args: ['-e', STATELESS] } };
const EXPLAINED = {
  kind: 'disconnected',
  message:
    "The server process ended before it answered (exit code 4): Error: cannot read 'notes.txt' with password=[password:1]",
  advice:
    'Correct what the server complains of: the arguments, its settings here, or the server itself. It may have happened; check before you repeat a change.',
  details: {
    command: `${process.execPath} …`,
    exit_code: 4,
    stderr: "Error: cannot read 'notes.txt' with password=[password:1]",
  },
};
const FAULT = 'dev.mayday/fault';

it('explains it to a client of 2025-11-25, whatever was called before', async () => {
  const gateway = await open({ upstreams: UPSTREAMS });
  const url = `${gateway.url}/a/mcp`;
  const opened = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  await post(url, call('tools/list', {}, 2), session);
  const fine = await post(url, callTool('read', {}, 3), session);
  expect(fine.message.result).toMatchObject({ content: [{ text: 'fine' }] });
  const { message } = await post(url, callTool('read', { dies: true }, 4), session);
  expect(message.result?._meta?.[FAULT]).toMatchObject(EXPLAINED);
});

it('explains it to a client of 2026-07-28 that has asked what there is', async () => {
  const gateway = await open({ upstreams: UPSTREAMS });
  const url = `${gateway.url}/a/mcp`;
  const ask = (method: string, params: object, id: number, name?: string) =>
    post(url, call(method, { ...params, _meta: META }, id), {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    });
  await ask('server/discover', {}, 1);
  await ask('tools/list', {}, 2);
  const { message } = await ask('tools/call', { name: 'read', arguments: { dies: true } }, 3, 'read');
  expect(message.result?._meta?.[FAULT]).toMatchObject(EXPLAINED);
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
