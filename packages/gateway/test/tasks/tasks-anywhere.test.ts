/** A task of a process is found in every session of its caller, lives as long as it runs, and is told when its process ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, faultIn, open, post, takeEvents } from '../tools.ts';

afterEach(cleanUp);

/** Counts its tasks after its process, knows only its own, and asks its client before it gives the result of `asks`. */
const SERVER = `const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const tasks = new Map();
const waiting = new Map();
const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
const tool = (name) => ({ name, inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } });
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) say({ id: waiting.get(id), result: { content: [{ type: 'text', text: result.content.said }] } });
  if (id === undefined || method === undefined) return;
  const answer = (result) => say({ id, result });
  if (method === 'initialize') return answer({ protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } });
  if (method === 'tools/list') return answer({ tools: ['job', 'asks', 'fails', 'long', 'die'].map(tool) });
  if (method === 'tools/call' && params.name === 'die') return process.exit(3);
  if (method === 'tools/call') {
    const task = { taskId: 'T' + process.pid + (tasks.size === 0 ? '' : '-' + tasks.size), status: 'working', statusMessage: params.name, createdAt: 'x', lastUpdatedAt: 'x', ttl: params.task.ttl ?? null };
    tasks.set(task.taskId, task);
    return answer({ task });
  }
  if (method === 'tasks/list') return answer({ tasks: [...tasks.values()] });
  if (!method.startsWith('tasks/')) return answer({});
  const task = tasks.get(params.taskId);
  if (task === undefined) return say({ id, error: { code: -32602, message: 'Task not found' } });
  if (method === 'tasks/get') return answer(task);
  if (method === 'tasks/cancel') return answer(Object.assign(task, { status: 'cancelled' }));
  if (task.statusMessage === 'fails') return answer({ isError: true, content: [{ type: 'text', text: 'No such account' }] });
  if (task.statusMessage === 'long') return answer({ content: [{ type: 'text', text: 'x'.repeat(2e6) }] });
  if (task.statusMessage !== 'asks') return answer({ content: [{ type: 'text', text: 'done' }] });
  waiting.set(7, id);
  say({ id: 7, method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } } });
});`;

const SETTINGS = {
  upstreams: { p: { command: process.execPath, args: ['-e', SERVER] } },
  virtual: { desk: { tools: ['p/*'] } },
};

const OPENING = call('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'c', version: '1' },
});

interface Client {
  readonly url: string;
  ask(method: string, params?: object): ReturnType<typeof post>;
  begin(name: string, task?: object): Promise<string>;
  end(): Promise<unknown>;
  readonly session: { readonly [name: string]: string };
}

async function client(url: string, prefix: string, key = 'of-somebody'): Promise<Client> {
  const own = { authorization: `Bearer ${key}` };
  const { headers } = await post(url, OPENING, own);
  const session = { ...own, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const ask: Client['ask'] = (method, params = {}) => post(url, call(method, params), session);
  return {
    url,
    ask,
    session,
    async begin(name, task = {}) {
      const { message } = await ask('tools/call', { name: `${prefix}${name}`, arguments: {}, task });
      return String((message.result?.['task'] as { taskId: string } | undefined)?.taskId);
    },
    end: () => fetch(url, { method: 'DELETE', headers: session }),
  };
}

const PLACES = [
  ['/mcp', 'p_'],
  ['/p/mcp', ''],
  ['/desk/mcp', 'p_'],
] as const;
const ELSEWHERE = PLACES.flatMap((begun) => PLACES.map((asked) => [...begun, ...asked] as const));

const ADVICE =
  'The task has ended with its server, and is not known any more. Check what it has done before you start it again.';

it.each(ELSEWHERE)('is begun at %s (%s), and found at %s (%s)', async (from, prefix, to, other) => {
  const { url } = await open(SETTINGS);
  const task = await (await client(url + from, prefix)).begin('job');
  const second = await client(url + to, other);
  const { message: got } = await second.ask('tasks/get', { taskId: task });
  expect(got.result).toMatchObject({ taskId: task, status: 'working' });
  const { message: listed } = await second.ask('tasks/list');
  expect(listed.result?.['tasks']).toMatchObject([{ taskId: task }]);
  const { message: result } = await second.ask('tasks/result', { taskId: task });
  expect(result.result).toMatchObject({ content: [{ text: 'done' }] });
  const { message: cancelled } = await second.ask('tasks/cancel', { taskId: task });
  expect(cancelled.result).toMatchObject({ status: 'cancelled' });
});

it.each(PLACES)('goes on at %s when its session has ended', async (path, prefix) => {
  const { url } = await open(SETTINGS);
  const first = await client(url + path, prefix);
  const task = await first.begin('job');
  await first.end();
  await sleep(1200);
  const second = await client(url + path, prefix);
  const { message } = await second.ask('tasks/get', { taskId: task });
  expect(message.result).toMatchObject({ taskId: task, status: 'working' });
  const done = { content: [{ type: 'text', text: 'done' }] };
  expect((await second.ask('tasks/result', { taskId: task })).message.result).toEqual(done);
  // Nobody needs its process any more; how the task has ended is known.
  await expect.poll(() => isRunning(Number(task.slice(1))), { timeout: 5000 }).toBe(false);
  for (const each of [second, await client(url + path, prefix)]) {
    expect((await each.ask('tasks/result', { taskId: task })).message.result).toEqual(done);
    const { message: got } = await each.ask('tasks/get', { taskId: task });
    expect(got.result).toMatchObject({ taskId: task, status: 'completed', createdAt: 'x' });
    const { message: listed } = await each.ask('tasks/list');
    expect(listed.result?.['tasks']).toMatchObject([{ taskId: task, status: 'completed' }]);
    expect(faultIn(await each.ask('tasks/cancel', { taskId: task }))).toMatchObject({
      kind: 'conflict',
      executed: 'no',
    });
  }
});

it.each(PLACES)(
  'has the end that was told at %s when its session has ended with it',
  async (path, prefix) => {
    const { url } = await open(SETTINGS);
    const first = await client(url + path, prefix);
    const [failing, cancelled] = [await first.begin('fails'), await first.begin('fails')];
    const told = faultIn(await first.ask('tasks/result', { taskId: failing }));
    await first.ask('tasks/cancel', { taskId: cancelled });
    await first.end();
    await expect.poll(() => isRunning(pidOf(failing)), { timeout: 5000 }).toBe(false);
    const second = await client(url + path, prefix);
    expect(told).toMatchObject({ message: 'No such account' });
    expect(faultIn(await second.ask('tasks/result', { taskId: failing }))).toMatchObject({
      kind: told?.['kind'],
      message: 'No such account',
    });
    const states = ['failed', 'cancelled'];
    for (const [i, taskId] of [failing, cancelled].entries())
      expect((await second.ask('tasks/get', { taskId })).message.result).toMatchObject({ status: states[i] });
    expect(faultIn(await second.ask('tasks/result', { taskId: cancelled }))).toMatchObject({
      kind: 'not_found',
      executed: 'maybe',
      message: 'The task has ended (cancelled), and its result is not kept any more',
    });
  },
);

it('of which the result was longer than what is kept has ended all the same', async () => {
  const { url } = await open(SETTINGS);
  const first = await client(`${url}/p/mcp`, '');
  const task = await first.begin('long');
  expect(JSON.stringify((await first.ask('tasks/result', { taskId: task })).message).length).toBeGreaterThan(
    2e6,
  );
  await first.end();
  await expect.poll(() => isRunning(pidOf(task)), { timeout: 5000 }).toBe(false);
  const second = await client(`${url}/p/mcp`, '');
  expect(faultIn(await second.ask('tasks/result', { taskId: task }))).toMatchObject({
    kind: 'not_found',
    executed: 'yes',
    message: 'The task has ended (completed), and its result is not kept any more',
  });
});

it('is not found any more when it has ended and its time is over', async () => {
  const { url } = await open(SETTINGS);
  const first = await client(`${url}/p/mcp`, '');
  const task = await first.begin('job', { ttl: 700 });
  await first.ask('tasks/result', { taskId: task });
  await first.end();
  await expect.poll(() => isRunning(pidOf(task)), { timeout: 5000 }).toBe(false);
  await sleep(700);
  const second = await client(`${url}/p/mcp`, '');
  expect(faultIn(await second.ask('tasks/get', { taskId: task }))).toMatchObject({
    kind: 'not_found',
    executed: 'yes',
    message: 'The task has ended (completed), and its result is not kept any more',
  });
});

it('does not outlive the gateway, nor its time', async () => {
  const gateway = await open(SETTINGS);
  const first = await client(`${gateway.url}/p/mcp`, '');
  const short = await first.begin('job', { ttl: 700 });
  await first.end();
  await expect.poll(() => isRunning(Number(short.slice(1))), { timeout: 5000 }).toBe(false);
  const second = await client(`${gateway.url}/p/mcp`, '');
  const long = await second.begin('job');
  await second.end();
  await gateway.close();
  await expect.poll(() => isRunning(Number(long.slice(1))), { timeout: 5000 }).toBe(false);
});

it('takes no more processes than there may be sessions of one caller', async () => {
  const sessions = { max: 10, per_caller: 2 };
  const { url } = await open({ ...SETTINGS, keys: [{ name: 'ann', key: 'ann-key-1' }], sessions });
  const tasks: string[] = [];
  for (let i = 0; i < 3; i++) {
    const each = await client(`${url}/p/mcp`, '', 'ann-key-1');
    tasks.push(await each.begin('job'));
    await each.end();
  }
  const pids = tasks.map((task) => Number(task.slice(1)));
  await expect.poll(() => pids.map(isRunning), { timeout: 5000 }).toEqual([false, true, true]);
});

it('is nobody else’s in any session', async () => {
  const { url } = await open({
    ...SETTINGS,
    keys: [
      { name: 'ann', key: 'ann-key-1' },
      { name: 'bob', key: 'bob-key-1' },
    ],
  });
  const task = await (await client(`${url}/p/mcp`, '', 'ann-key-1')).begin('job');
  const bob = await client(`${url}/p/mcp`, '', 'bob-key-1');
  expect(faultIn(await bob.ask('tasks/get', { taskId: task }))).toMatchObject({ kind: 'not_found' });
  expect((await bob.ask('tasks/list')).message.result?.['tasks']).toEqual([]);
});

it('asks whoever waits for its result, in whichever session that is', async () => {
  const { url } = await open(SETTINGS);
  const first = await client(`${url}/p/mcp`, '');
  const task = await first.begin('asks');
  await first.end();
  const second = await client(`${url}/p/mcp`, '');
  const waiting = await fetch(second.url, {
    method: 'POST',
    headers: {
      ...second.session,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(call('tasks/result', { taskId: task })),
  });
  const [asked = ''] = await takeEvents(waiting.clone(), 1);
  const question = JSON.parse(asked.slice(asked.indexOf('{'))) as { id: unknown };
  expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Sure?' } });
  const result = { action: 'accept', content: { said: 'yes' } };
  await post(second.url, { jsonrpc: '2.0', id: question.id, result }, second.session);
  const [, answer] = await takeEvents(waiting, 2);
  expect(answer).toContain('{"content":[{"type":"text","text":"yes"}]}');
});

it.each(
  PLACES.flatMap(([path, prefix]) =>
    ['tasks/get', 'tasks/result', 'tasks/cancel'].map((method) => [path, prefix, method] as const),
  ),
)('has ended with its process at %s (%s): %s', async (path, prefix, method) => {
  const { url } = await open(SETTINGS);
  const first = await client(url + path, prefix);
  const task = await first.begin('job');
  await first.ask('tools/call', { name: `${prefix}die`, arguments: {} });
  const told = {
    kind: 'disconnected',
    origin: 'upstream',
    executed: 'maybe',
    subject: { type: 'task', id: task },
    advice: ADVICE,
  };
  expect(faultIn(await first.ask(method, { taskId: task }))).toMatchObject(told);
  const second = await client(url + path, prefix);
  expect(faultIn(await second.ask(method, { taskId: task }))).toMatchObject(told);
});

function pidOf(task: string): number {
  return Number.parseInt(task.slice(1), 10);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
