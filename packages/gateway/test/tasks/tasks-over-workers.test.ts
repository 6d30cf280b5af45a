/** Two workers, each with processes of its own that count their tasks alike: a task is its caller's, and found at either. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Gateway, scratch, startGateway } from '../../acceptance/support/gateway.ts';
import { call, faultIn, INITIALIZE, post, until } from '../tools.ts';

/** Begins `task-1`, `task-2`, …, and says of each who has begun it. */
const SERVER = `const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const tasks = new Map();
const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = (result) => say({ id, result });
  if (method === 'initialize') return answer({ protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } });
  if (method === 'tools/list') return answer({ tools: [{ name: 'job', inputSchema: { type: 'object' } }] });
  if (method === 'tools/call' && params.name === 'parent') return answer({ content: [{ type: 'text', text: String(process.ppid) }] });
  if (method === 'tools/call') {
    const task = { taskId: 'task-' + (tasks.size + 1), status: 'working', statusMessage: params.arguments.who, createdAt: 'x', lastUpdatedAt: 'x', ttl: null };
    tasks.set(task.taskId, task);
    return answer({ task });
  }
  if (method === 'tasks/list') return answer({ tasks: [...tasks.values()] });
  const task = tasks.get(params?.taskId);
  if (task === undefined) return say({ id, error: { code: -32602, message: 'Task not found' } });
  if (method === 'tasks/result') return answer({ content: [{ type: 'text', text: 'secret of ' + task.statusMessage }] });
  return answer(method === 'tasks/cancel' ? Object.assign(task, { status: 'cancelled' }) : task);
});`;

const as = (name: string) => ({ authorization: `Bearer ${name}-key-0123456789` });
const folder = scratch();
let gateway: Gateway;

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
beforeAll(async () => {
  const keys = ['ann', 'bob'].map((name) => ({ name, key: `${name}-key-0123456789` }));
  const upstreams = { p: { command: process.execPath, args: ['-e', SERVER] } };
  gateway = await startGateway({ workers: 2, keys, upstreams }, { folder });
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A session of somebody's at each worker. */
async function sessions(path: string, who: string) {
  const url = `${gateway.url}${path}`;
  const found = new Map<string, { readonly [name: string]: string }>();
  await until(async () => {
    // At once: one connection after the other would be the same one.
    const opened = await Promise.all(Array.from({ length: 8 }, () => post(url, INITIALIZE, as(who))));
    for (const { headers } of opened) {
      const id = headers.get('mcp-session-id') ?? '';
      found.set(id.slice(-3), { ...as(who), 'mcp-session-id': id });
    }
    return found.size === 2;
  });
  return [found.get('.w1') ?? {}, found.get('.w2') ?? {}] as const;
}

async function begin(
  path: string,
  who: string,
  headers: { readonly [name: string]: string },
): Promise<string> {
  const name = path === '/mcp' ? 'p_job' : 'job';
  const asked = call('tools/call', { name, arguments: { who }, task: {} });
  const { message } = await post(`${gateway.url}${path}`, asked, headers);
  return (message.result as { task: { taskId: string } }).task.taskId;
}

it.each(['/p/mcp', '/mcp'])('at %s', async (path) => {
  const url = `${gateway.url}${path}`;
  const ask = (method: string, taskId: string, headers: { readonly [name: string]: string }) =>
    post(url, call(method, { taskId }), headers);
  const [first, second] = await sessions(path, 'ann');
  const tasks = [await begin(path, 'ann', first), await begin(path, 'ann', second)];
  const bobs = [await begin(path, 'bob', as('bob'))];
  expect(new Set([...tasks, ...bobs]).size).toBe(3);
  for (const task of tasks)
    for (const headers of [first, second, as('ann')]) {
      expect((await ask('tasks/get', task, headers)).message.result).toMatchObject({
        taskId: task,
        status: 'working',
        statusMessage: 'ann',
      });
      expect(JSON.stringify((await ask('tasks/result', task, headers)).message)).toContain('secret of ann');
    }
  for (const task of [...bobs, 'task-1', 'task-2'])
    for (const headers of [first, second, as('ann')])
      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
        expect(faultIn(await ask(method, task, headers))).toMatchObject({ kind: 'not_found' });
  expect((await ask('tasks/cancel', tasks[0] ?? '', second)).message.result).toMatchObject({
    status: 'cancelled',
  });
});

const ENDED = 'The server process that ran the task has ended';

it('whose worker was killed are told as ended, and not as unknown', async () => {
  const url = `${gateway.url}/p/mcp`;
  const [first, second] = await sessions('/p/mcp', 'ann');
  const task = await begin('/p/mcp', 'ann', second);
  const { message } = await post(url, call('tools/call', { name: 'parent', arguments: {} }), second);
  const [{ text }] = (message.result as { content: [{ text: string }] }).content;
  const ask = (headers: { readonly [name: string]: string }) =>
    post(url, call('tasks/get', { taskId: task }), headers);
  expect((await ask(first)).message.result).toMatchObject({ taskId: task });
  process.kill(Number(text), 'SIGKILL');
  // Connections that the worker had are reset.
  await until(async () => (await ask(first).then(faultIn, () => undefined))?.['kind'] === 'disconnected');
  await until(async () => (await ask(first).then(faultIn, () => undefined))?.['message'] === ENDED);
  expect(faultIn(await ask(first))).toMatchObject({
    kind: 'disconnected',
    executed: 'maybe',
    retryable: false,
  });
});
