/** A call of 2026-07-28 that may have been executed is told under no status at which clients begin anew. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, open, post } from '../tools.ts';

afterEach(cleanUp);

/** A process of the era before, which asks the client something while it works, or does not know what it is asked. */
const ASKING = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const opened = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
  if (method === 'initialize') return say({ id, result: opened });
  if (method === 'tools/list') return say({ id, result: { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] } });
  if (method === 'tools/call')
    return say({ id: 'q', method: 'elicitation/create', params: { message: 'who?', requestedSchema: { type: 'object', properties: {} } } });
  if (id !== undefined && method !== undefined) say({ id, error: { code: -32601, message: 'Method not found' } });
});`;

it.each([
  ['mayday', 'tools/call', 200],
  ['mcp', 'tools/call', 200],
  ['erlmcp', 'tools/call', 200],
  ['mcp', 'no/such', 404],
])('in %s: %s', async (dialect, method, status) => {
  const gateway = await open({
    upstreams: { std: { command: process.execPath, args: ['-e', ASKING], retry: { attempts: 1 } } },
  });
  const params = {
    ...(method === 'tools/call' ? { name: 'ask', arguments: {} } : {}),
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const told = await post(`${gateway.url}/std/mcp`, call(method, params), {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(method === 'tools/call' ? { 'mcp-name': 'ask' } : {}),
    'mayday-dialect': dialect,
  });
  expect(told.status, told.text).toBe(status);
});
