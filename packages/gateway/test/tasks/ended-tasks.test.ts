/** A task whose process ends is told as that: a new process would say that there is no such task. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, faultIn, INITIALIZE, open, post } from '../tools.ts';

afterEach(cleanUp);

/** Ends when it is asked for the result of its task. */
const SERVER = `const task = { taskId: 't-1', status: 'working', createdAt: 'x', ttl: null };
const results = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {}, tasks: {} }, serverInfo: { name: 's', version: '1' } },
  'tools/list': { tools: [{ name: 'job', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } }] },
  'tools/call': { task },
};
let isBegun = false;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  isBegun ||= method === 'tools/call';
  if (method === 'tasks/result' && isBegun) process.kill(process.pid, 'SIGKILL');
  else console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(method.startsWith('tasks/') ? { error: { code: -32602, message: 'Task not found' } } : { result: results[method] ?? {} }) }));
})`;

it.each([
  ['/mcp', 'a_job'],
  ['/a/mcp', 'job'],
])('is disconnected at %s, and asked about once', async (path, name) => {
  const gateway = await open({ upstreams: { a: { command: process.execPath, args: ['-e', SERVER] } } });
  const url = `${gateway.url}${path}`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  await post(url, call('tools/call', { name, arguments: {}, task: {} }), session);
  const fault = faultIn(await post(url, call('tasks/result', { taskId: 't-1' }), session));
  expect(fault).toMatchObject({
    kind: 'disconnected',
    origin: 'upstream',
    executed: 'maybe',
    message: 'The server process ended before it answered (signal SIGKILL)',
    advice:
      'The task has ended with its server, and is not known any more. Check what it has done before you start it again.',
  });
});
