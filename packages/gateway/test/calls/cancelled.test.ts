/** A cancelled call ends at once, and its server hears why; what others say about cancelling silences nobody. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, INITIALIZE, json, open, post, until, upstream } from '../tools.ts';

afterEach(cleanUp);

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly reason?: string; readonly name?: string };
}

/** A process that tells what it is told, and answers no call. */
const PROCESS = `
import { createInterface } from 'node:readline';
const serverInfo = { name: 's', version: '1' };
const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo, tools: [] };
createInterface({ input: process.stdin }).on('line', (line) => {
  void fetch(process.argv[1], { method: 'POST', body: line });
  const { id, method } = JSON.parse(line);
  if (id !== undefined && method !== 'tools/call') console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`;

async function house() {
  const heard: Message[] = [];
  const { url } = await upstream((body, response, request) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const message = JSON.parse(body) as Message;
    const { id, method, params } = message;
    heard.push(message);
    const serverInfo = { name: 'u', version: '1' };
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo, tools: [] };
    if (request.url === '/heard') response.end();
    else if (id === undefined) response.writeHead(202).end();
    else if (params?.name === 'fail')
      json(response, 200, { jsonrpc: '2.0', id, error: { code: -32800, message: 'Request cancelled' } });
    else if (method !== 'tools/call')
      json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': 'one' });
  });
  const args = ['--input-type=module', '-e', PROCESS, new URL('/heard', url).href];
  const gateway = await open({ upstreams: { u: { url }, s: { command: process.execPath, args } } });
  const session = async (path: string): Promise<{ readonly 'mcp-session-id': string }> => ({
    'mcp-session-id': (await post(gateway.url + path, INITIALIZE)).headers.get('mcp-session-id') ?? '',
  });
  return { gateway, heard, session };
}

it.each([
  ['/u/mcp', 'slow'],
  ['/s/mcp', 'slow'],
  ['/mcp', 'u_slow'],
  ['/mcp', 's_slow'],
])('at %s, %s ends and its server hears why', async (path, tool) => {
  const { gateway, heard, session } = await house();
  const as = await session(path);
  const first = post(gateway.url + path, callTool(tool, {}, 77), as);
  await until(() => heard.some(({ method }) => method === 'tools/call'));
  const params = { requestId: 77, reason: 'changed my mind' };
  await post(gateway.url + path, { jsonrpc: '2.0', method: 'notifications/cancelled', params }, as);
  expect((await first).text).toBe('');
  const told = (): Message[] => heard.filter(({ method }) => method === 'notifications/cancelled');
  await until(() => told().length > 0);
  expect(told().map(({ params: said }) => said?.reason)).toEqual(['changed my mind']);
});

it.each([
  ['/u/mcp', 'fail'],
  ['/mcp', 'u_fail'],
])('answers at %s what a server says it has cancelled', async (path, tool) => {
  const { gateway, session } = await house();
  const { text } = await post(gateway.url + path, callTool(tool), await session(path));
  expect(text).toContain('cancelled');
});
