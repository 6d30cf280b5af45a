/** Servers at a URL that keep tasks by session: each is asked for where it began, and is nobody else's there. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, faultIn, INITIALIZE, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

interface Task {
  readonly taskId: string;
  readonly statusMessage: string;
  status: string;
}

/** Begins `task-1`, `task-2`, … in each of its sessions, and without one. `sessions`: its tasks, by session. */
async function server(idOf: (count: number) => string = (count) => `task-${count}`) {
  const sessions = new Map<string, Task[]>();
  const { url } = await upstream((body, response, request) => {
    const session = String(request.headers['mcp-session-id'] ?? 'none');
    if (request.method === 'DELETE') sessions.delete(session);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const answer = (result: object, headers = {}): void =>
      json(response, 200, { jsonrpc: '2.0', id, result }, headers);
    if (method === 'initialize') {
      const opened = randomUUID();
      sessions.set(opened, []);
      const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
      const said = { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } };
      return answer(said, { 'mcp-session-id': opened });
    }
    if (session !== 'none' && !sessions.has(session)) return void response.writeHead(404).end();
    const tasks = sessions.get(session) ?? [];
    sessions.set(session, tasks);
    if (method === 'tools/list') return answer({ tools: [{ name: 'job', inputSchema: { type: 'object' } }] });
    if (method === 'tools/call') {
      const statusMessage = String(params.arguments.who);
      tasks.push({ taskId: idOf(tasks.length + 1), status: 'working', statusMessage });
      return answer({ task: tasks.at(-1) });
    }
    if (method === 'tasks/list') return answer({ tasks });
    const task = tasks.find(({ taskId }) => taskId === params?.taskId);
    if (task === undefined)
      return json(response, 200, {
        jsonrpc: '2.0',
        id,
        error: { code: -32602, message: 'Task not found' },
      });
    if (method === 'tasks/result')
      return answer({ content: [{ type: 'text', text: `secret of ${task.statusMessage}` }] });
    return answer(method === 'tasks/cancel' ? Object.assign(task, { status: 'cancelled' }) : task);
  });
  return { url, sessions };
}

const KEYS = ['ann', 'bob'].map((name) => ({ name, key: `${name}-key-0123456789` }));
const PLACES = [
  ['/h/mcp', ''],
  ['/mcp', 'h_'],
  ['/desk/mcp', 'h_'],
] as const;
const JOINED = PLACES.slice(1);

async function gateway(at: string) {
  return open({ keys: KEYS, upstreams: { h: { url: at } }, virtual: { desk: { tools: ['h/*'] } } });
}

async function client(url: string, prefix: string, who: string, isInSession = true) {
  const own = { authorization: `Bearer ${who}-key-0123456789` };
  const opened = isInSession ? (await post(url, INITIALIZE, own)).headers.get('mcp-session-id') : null;
  const headers = opened === null ? own : { ...own, 'mcp-session-id': opened };
  if (isInSession) await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
  const ask = (method: string, params: object = {}) => post(url, call(method, params), headers);
  return {
    ask,
    async begin(): Promise<string> {
      const asked = { name: `${prefix}job`, arguments: { who }, task: {} };
      const { message } = await ask('tools/call', asked);
      return (message.result as { task: { taskId: string } }).task.taskId;
    },
    async listed(): Promise<readonly unknown[]> {
      const { tasks } = (await ask('tasks/list')).message.result as { tasks: Task[] };
      return tasks.map(({ taskId, statusMessage }) => [taskId, statusMessage]);
    },
    end: () => fetch(url, { method: 'DELETE', headers }),
  };
}

const BY_ID = ['tasks/get', 'tasks/result', 'tasks/cancel'];
const ANYWHERE = PLACES.flatMap((begun) => PLACES.map((asked) => [...begun, ...asked] as const));

it.each(ANYWHERE)(
  'Ann’s at %s (%s) is not Bob’s of the same id at %s (%s)',
  async (at, prefix, to, other) => {
    const { url: behind, sessions } = await server();
    const { url } = await gateway(behind);
    for (const [path, own] of PLACES) {
      await (await client(url + path, own, 'bob', false)).begin();
      await (await client(url + path, own, 'bob')).begin();
    }
    const ann = await client(url + at, prefix, 'ann');
    const task = await ann.begin();
    for (const isInSession of [false, true]) {
      const again = await client(url + to, other, 'ann', isInSession);
      for (const [id, statusMessage] of (await again.listed()) as [string, string][])
        expect([id, statusMessage]).toEqual([task, 'ann']);
      for (const method of BY_ID)
        expect(JSON.stringify((await again.ask(method, { taskId: task })).message)).not.toContain('bob');
    }
    const bobs = [...sessions.values()].flat().filter(({ statusMessage }) => statusMessage === 'bob');
    expect(bobs.map(({ status }) => status)).toEqual(Array(6).fill('working'));
  },
);

it('without a session is asked for where it began, and the caller is told where that is', async () => {
  const { url: behind } = await server();
  const { url } = await gateway(behind);
  const ann = await client(`${url}/h/mcp`, '', 'ann');
  const task = await ann.begin();
  const without = await client(`${url}/h/mcp`, '', 'ann', false);
  for (const method of BY_ID)
    expect(faultIn(await without.ask(method, { taskId: task }))).toMatchObject({
      kind: 'unsupported',
      executed: 'no',
      subject: { type: 'task', id: task },
      advice: 'Ask for it where it was started: in the same session, or without one where there was none.',
    });
  expect((await ann.ask('tasks/get', { taskId: task })).message.result).toMatchObject({ taskId: task });
});

it.each(JOINED.flatMap((begun) => JOINED.map((asked) => [...begun, ...asked] as const)))(
  'begun at %s (%s) is found in every session of its caller at %s (%s)',
  async (at, prefix, to, other) => {
    const { url: behind } = await server();
    const { url } = await gateway(behind);
    const task = await (await client(url + at, prefix, 'ann')).begin();
    for (const isInSession of [true, false]) {
      const again = await client(url + to, other, 'ann', isInSession);
      expect((await again.ask('tasks/get', { taskId: task })).message.result).toMatchObject({
        taskId: task,
        statusMessage: 'ann',
      });
      expect(await again.listed()).toEqual([[task, 'ann']]);
      expect(JSON.stringify((await again.ask('tasks/result', { taskId: task })).message)).toContain(
        'secret of ann',
      );
    }
  },
);

it.each(JOINED)('begun at %s (%s) is found at the endpoint of its server', async (at, prefix) => {
  const { url: behind } = await server();
  const { url } = await gateway(behind);
  const task = await (await client(url + at, prefix, 'ann')).begin();
  for (const isInSession of [true, false]) {
    const again = await client(`${url}/h/mcp`, '', 'ann', isInSession);
    expect((await again.ask('tasks/get', { taskId: task })).message.result).toMatchObject({ taskId: task });
  }
});

it.each(JOINED)(
  'goes on at %s (%s) when its session has ended, and no longer than it runs',
  async (at, prefix) => {
    const { url: behind, sessions } = await server();
    const { url } = await gateway(behind);
    const first = await client(url + at, prefix, 'ann');
    const task = await first.begin();
    const running = () => [...sessions.values()].filter(({ length }) => length > 0).length;
    await first.end();
    await sleep(1200);
    expect(running()).toBe(1);
    const second = await client(url + at, prefix, 'ann');
    expect((await second.ask('tasks/get', { taskId: task })).message.result).toMatchObject({ taskId: task });
    expect((await second.ask('tasks/result', { taskId: task })).message.result).toMatchObject({
      content: [{ text: 'secret of ann' }],
    });
    await expect.poll(running, { timeout: 5000 }).toBe(0);
    expect((await second.ask('tasks/result', { taskId: task })).message.result).toMatchObject({
      content: [{ text: 'secret of ann' }],
    });
  },
);

it.each(JOINED)(
  'of a session that its server has forgotten has ended with it at %s (%s)',
  async (at, prefix) => {
    const { url: behind, sessions } = await server();
    const { url } = await gateway(behind);
    const first = await client(url + at, prefix, 'ann');
    const task = await first.begin();
    const second = await client(url + at, prefix, 'ann');
    sessions.clear();
    for (const each of [second, first, second])
      expect(faultIn(await each.ask('tasks/get', { taskId: task }))).toMatchObject({
        kind: 'disconnected',
        executed: 'maybe',
        retryable: false,
        subject: { type: 'task', id: task },
        message: 'The session with the server in which the task ran has ended',
      });
  },
);

it.each(PLACES)(
  'is known by an id of its own at %s (%s), for each session of one caller',
  async (at, prefix) => {
    const { url: behind } = await server();
    const { url } = await gateway(behind);
    const [first, second] = [await client(url + at, prefix, 'ann'), await client(url + at, prefix, 'ann')];
    const tasks = [await first.begin(), await second.begin()];
    expect(new Set(tasks).size).toBe(at === '/h/mcp' ? 1 : 2);
    await first.ask('tasks/cancel', { taskId: tasks[0] });
    expect((await second.ask('tasks/get', { taskId: tasks[1] })).message.result).toMatchObject({
      status: 'working',
    });
  },
);
