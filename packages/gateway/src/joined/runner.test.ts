/** A task is found by the caller that has started it: in other sessions, after a restart, and while its server is replaced. */
import { afterEach, expect, it } from 'vitest';
import {
  call,
  cleanUp,
  faultIn,
  INITIALIZE,
  json,
  open,
  type Posted,
  post,
  settingsOf,
  until,
  upstream,
} from '../../test/tools.ts';
import type { SettingsFile } from '../index.ts';

afterEach(cleanUp);

const as = (name: string) => ({ authorization: `Bearer ${name}-secret` });
const KEYS = ['ann', 'bob'].map((name) => ({ name, key: `${name}-secret` }));

/** A server whose tasks all of its sessions have; it takes all callers for one. */
async function keeper(id: string) {
  const tasks = new Map<string, object>();
  return upstream((body, response) => {
    const { id: of, method, params } = JSON.parse(body || '{}');
    const answer = (result: object): void => json(response, 200, { jsonrpc: '2.0', id: of, result });
    const taskId = params?.taskId ?? id;
    if (method === 'initialize')
      answer({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, tasks: { list: {}, cancel: {} } },
        serverInfo: { name: id, version: '1' },
      });
    else if (method === 'tools/call') {
      tasks.set(id, { taskId: id, status: 'working', ttl: null });
      answer({ task: tasks.get(id) });
    } else if (method === 'tasks/list') answer({ tasks: [...tasks.values()] });
    else if (!method?.startsWith('tasks/')) answer({ tools: [] });
    else if (!tasks.has(taskId))
      json(response, 200, { jsonrpc: '2.0', id: of, error: { code: -32602, message: 'Task not found' } });
    else if (method === 'tasks/result') answer({ content: [{ type: 'text', text: `${taskId} is done` }] });
    else answer(tasks.get(taskId) ?? {});
  });
}

/** A session of a caller at `/mcp`. */
async function session(gateway: string, who: string) {
  const url = `${gateway}/mcp`;
  const { headers } = await post(url, INITIALIZE, as(who));
  const own = { ...as(who), 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  return {
    ask: (method: string, params: object): Promise<Posted> => post(url, call(method, params), own),
    end: () => fetch(url, { method: 'DELETE', headers: own }),
  };
}

const BEGIN = { name: 'b_job', arguments: {}, task: {} };

it('in other sessions of its caller, and in nobody else’s', async () => {
  const [a, b] = [await keeper('task-a'), await keeper('task-b')];
  const gateway = await open({ keys: KEYS, upstreams: { a: { url: a.url }, b: { url: b.url } } });
  const first = await session(gateway.url, 'ann');
  await first.ask('tools/call', BEGIN);
  const second = await session(gateway.url, 'ann');
  expect((await second.ask('tasks/get', { taskId: 'task-b' })).message.result).toMatchObject({
    taskId: 'task-b',
    status: 'working',
  });
  await first.end();
  const third = await session(gateway.url, 'ann');
  expect((await third.ask('tasks/result', { taskId: 'task-b' })).text).toContain('task-b is done');
  const other = await session(gateway.url, 'bob');
  for (const taskId of ['task-b', 'b:task-b', 'nope'])
    expect(faultIn(await other.ask('tasks/get', { taskId }))).toMatchObject({
      kind: 'not_found',
      executed: 'no',
    });
  expect(a.seen.filter(({ body }) => body.includes('"task-b"') && body.includes('"tasks/result"'))).toEqual(
    [],
  );
});

it('of two that gave the same id, in other sessions the one that named it first has it', async () => {
  const [a, b] = [await keeper('same'), await keeper('same')];
  const gateway = await open({ keys: KEYS, upstreams: { a: { url: a.url }, b: { url: b.url } } });
  const first = await session(gateway.url, 'ann');
  await first.ask('tools/call', BEGIN);
  await first.ask('tools/call', { ...BEGIN, name: 'a_job' });
  const second = await session(gateway.url, 'ann');
  await second.ask('tasks/cancel', { taskId: 'same' });
  const cancelled = ({ seen }: typeof a) => seen.filter(({ body }) => body.includes('"tasks/cancel"')).length;
  expect([cancelled(a), cancelled(b)]).toEqual([0, 1]);
  await second.ask('tasks/cancel', { taskId: 'a:same' });
  expect([cancelled(a), cancelled(b)]).toEqual([1, 1]);
});

/** Ids that nobody guesses. */
const LOST = 'f47ac10b-58cc-4372-a567-0e02b2c3d479';
const NOWHERE = '0d5e4c3b-2a19-4f08-b7c6-d5e4f3a2b1c0';

it('after a restart: all are asked whose it is, and one that cannot say is told', async () => {
  const [a, b] = [await keeper('task-a'), await keeper(LOST)];
  const file: SettingsFile = { keys: KEYS, upstreams: { a: { url: a.url }, b: { url: b.url } } };
  const before = await open(file);
  await (await session(before.url, 'ann')).ask('tools/call', BEGIN);
  await before.close(0);
  const again = await session((await open(file)).url, 'ann');
  expect((await again.ask('tasks/result', { taskId: LOST })).text).toContain(`${LOST} is done`);
  expect(faultIn(await again.ask('tasks/get', { taskId: NOWHERE }))).toMatchObject({
    kind: 'not_found',
    message: `Task not found: ${NOWHERE}`,
  });
  const dead = await open({
    ...file,
    upstreams: { a: { url: a.url }, b: { url: 'http://127.0.0.1:9/mcp' } },
  });
  const without = await session(dead.url, 'ann');
  expect(faultIn(await without.ask('tasks/cancel', { taskId: LOST }))).toMatchObject({
    kind: 'unavailable',
    executed: 'no',
  });
});

it.each([
  ['', '127.0.0.1'],
  ['?also', '127.0.0.1'],
  ['#also', '127.0.0.1'],
  ['', 'localhost'],
])('nobody else’s by another name of its server: %s at %s', async (more, host) => {
  const { url } = await keeper('task-a');
  const second = `${url.replace('127.0.0.1', host)}${more}`;
  const gateway = await open({ keys: KEYS, upstreams: { a: { url }, b: { url: second } } });
  await (await session(gateway.url, 'ann')).ask('tools/call', BEGIN);
  const other = await session(gateway.url, 'bob');
  for (const taskId of ['task-a', 'a:task-a', 'b:task-a'])
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
      expect(faultIn(await other.ask(method, { taskId }))?.['kind']).toBe('not_found');
  expect((await other.ask('tasks/list', {})).message.result?.['tasks']).toEqual([]);
  const own = await post(`${gateway.url}/a/mcp`, call('tasks/get', { taskId: 'task-a' }), as('ann'));
  expect(own.message.result).toMatchObject({ taskId: 'task-a' });
});

/** A process that runs one task, which it knows by its own argument. */
function runner(word: string): { command: string; args: string[] } {
  const script = `const [word] = process.argv.slice(1);
  const task = { taskId: 'of-' + word, status: 'working', createdAt: 'x', ttl: null };
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {}, tasks: { list: {} } }, serverInfo: { name: 's', version: '1' } },
    'tools/list': { tools: [{ name: 'job', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } }] },
    'tools/call': { task },
    'tasks/get': task,
    'tasks/list': { tasks: word === 'old' ? [task] : [] },
    'tasks/result': { content: [{ type: 'text', text: word + ' is done' }] },
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const isKnown = params?.taskId === undefined || params.taskId === task.taskId;
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(isKnown ? { result: results[method] ?? {} } : { error: { code: -32602, message: 'Task not found' } }) }));
  })`;
  return { command: process.execPath, args: ['-e', script, word] };
}

it('of the process that runs it, after a reload has given its server other arguments', async () => {
  const file = (word: string): SettingsFile => ({
    keys: KEYS,
    upstreams: { a: runner('beside'), b: runner(word) },
  });
  const gateway = await open(file('old'));
  const { ask } = await session(gateway.url, 'ann');
  await ask('tools/call', BEGIN);
  gateway.reload(settingsOf(file('new')));
  const begunNow = async (): Promise<string> => (await ask('tools/call', BEGIN)).text;
  await until(async () => (await begunNow()).includes('of-new'));
  expect((await ask('tasks/get', { taskId: 'of-old' })).message.result).toMatchObject({ status: 'working' });
  expect((await ask('tasks/list', {})).text).toContain('of-old');
  expect((await ask('tasks/result', { taskId: 'of-old' })).text).toContain('old is done');
  expect((await ask('tasks/get', { taskId: 'of-new' })).message.result).toMatchObject({ taskId: 'of-new' });
});
