/** Processes of one server that count their tasks alike: for their caller each task has an id of its own. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, faultIn, INITIALIZE, open, post, takeEvents } from '../tools.ts';

afterEach(cleanUp);

/** Begins `task-1`, `task-2`, …, and says of each what it was begun for. */
const SERVER = `const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const tasks = new Map();
const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = (result) => say({ id, result });
  if (method === 'initialize') return answer({ protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } });
  if (method === 'tools/list') return answer({ tools: ['job', 'die'].map((name) => ({ name, inputSchema: { type: 'object' } })) });
  if (method === 'tools/call' && params.name === 'die') return process.exit(3);
  if (method === 'tools/call') {
    const task = { taskId: 'task-' + (tasks.size + 1), status: 'working', statusMessage: params.arguments.what, createdAt: 'x', lastUpdatedAt: 'x', ttl: null };
    tasks.set(task.taskId, task);
    answer({ task });
    return say({ method: 'notifications/tasks/status', params: task });
  }
  if (method === 'tasks/list') return answer({ tasks: [...tasks.values()] });
  if (!method.startsWith('tasks/')) return answer({});
  const task = tasks.get(params.taskId);
  if (task === undefined) return say({ id, error: { code: -32602, message: 'Task not found' } });
  const _meta = { 'io.modelcontextprotocol/related-task': { taskId: task.taskId } };
  if (method === 'tasks/result') return answer({ content: [{ type: 'text', text: task.statusMessage }], _meta });
  return answer(method === 'tasks/cancel' ? Object.assign(task, { status: 'cancelled' }) : task);
});`;

const SETTINGS = {
  upstreams: { p: { command: process.execPath, args: ['-e', SERVER] } },
  virtual: { desk: { tools: ['p/*'] } },
};
const RELATED = 'io.modelcontextprotocol/related-task';

async function client(url: string, prefix: string) {
  const own = { authorization: 'Bearer of-ann' };
  const { headers } = await post(url, INITIALIZE, own);
  const session = { ...own, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const ask = (method: string, params: object = {}) => post(url, call(method, params), session);
  return {
    ask,
    session,
    async begin(what: string): Promise<string> {
      const { message } = await ask('tools/call', { name: `${prefix}job`, arguments: { what }, task: {} });
      return String((message.result?.['task'] as { taskId: string } | undefined)?.taskId);
    },
    die: () => ask('tools/call', { name: `${prefix}die`, arguments: {} }),
    end: () => fetch(url, { method: 'DELETE', headers: session }),
  };
}

const PLACES = [
  ['/p/mcp', ''],
  ['/mcp', 'p_'],
  ['/desk/mcp', 'p_'],
] as const;

it.each(PLACES)('are told apart at %s (%s)', async (path, prefix) => {
  const { url } = await open(SETTINGS);
  const first = await client(url + path, prefix);
  const second = await client(url + path, prefix);
  const [pay, report] = [await first.begin('pay'), await second.begin('report')];
  expect(pay).toBe('task-1');
  expect(report).toMatch(/^task-1\.[0-9a-f]{24}$/);
  await first.end();
  const third = await client(url + path, prefix);
  for (const each of [second, third])
    for (const [taskId, what] of [
      [pay, 'pay'],
      [report, 'report'],
    ] as const) {
      const { message: got } = await each.ask('tasks/get', { taskId });
      expect(got.result).toMatchObject({ taskId, statusMessage: what });
      const { message: listed } = await each.ask('tasks/list');
      expect(listed.result?.['tasks']).toContainEqual(
        expect.objectContaining({ taskId, statusMessage: what }),
      );
      expect(listed.result?.['tasks']).toHaveLength(2);
    }
  const { message: cancelled } = await third.ask('tasks/cancel', { taskId: pay });
  expect(cancelled.result).toMatchObject({ taskId: pay, statusMessage: 'pay', status: 'cancelled' });
  const { message: got } = await third.ask('tasks/result', { taskId: report });
  expect(got.result).toEqual({
    content: [{ type: 'text', text: 'report' }],
    _meta: { [RELATED]: { taskId: report } },
  });
});

it('are told apart in what their processes say by themselves', async () => {
  const { url } = await open(SETTINGS);
  await (await client(`${url}/p/mcp`, '')).begin('pay');
  const { begin, session } = await client(`${url}/p/mcp`, '');
  const task = await begin('report');
  const standing = await fetch(`${url}/p/mcp`, { headers: { ...session, accept: 'text/event-stream' } });
  const [told = ''] = await takeEvents(standing, 1);
  expect(JSON.parse(/^data: (.*)$/m.exec(told)?.[1] ?? '')).toMatchObject({
    method: 'notifications/tasks/status',
    params: { taskId: task, statusMessage: 'report' },
  });
});

it.each(PLACES)('are told apart from those of the process before at %s (%s)', async (path, prefix) => {
  const { url } = await open(SETTINGS);
  const { begin, ask, die } = await client(url + path, prefix);
  const before = await begin('pay');
  await die();
  const after = await begin('report');
  expect(after).not.toBe(before);
  expect(faultIn(await ask('tasks/get', { taskId: before }))).toMatchObject({ kind: 'disconnected' });
  expect((await ask('tasks/get', { taskId: after })).message.result).toMatchObject({
    statusMessage: 'report',
  });
});
