/** Whose a task is where the gateway gives out no keys: the same callers are told apart as for idempotency keys. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, faultIn, INITIALIZE, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

/** Gives its tasks ids that nobody guesses, or counts them. */
const SERVER = `const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const tasks = new Map();
const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = (result) => say({ id, result });
  if (method === 'initialize') return answer({ protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } });
  if (method === 'tools/list') return answer({ tools: ['random', 'counted'].map((name) => ({ name, inputSchema: { type: 'object' } })) });
  if (method === 'tools/call') {
    const taskId = params.name === 'counted' ? 'task-' + (tasks.size + 1) : require('node:crypto').randomUUID();
    const task = { taskId, status: 'working', createdAt: 'x', lastUpdatedAt: 'x', ttl: null };
    tasks.set(taskId, task);
    return answer({ task });
  }
  if (method === 'tasks/list') return answer({ tasks: [...tasks.values()] });
  if (!method.startsWith('tasks/')) return answer({});
  const task = tasks.get(params.taskId);
  if (task === undefined) return say({ id, error: { code: -32602, message: 'Task not found' } });
  if (method === 'tasks/result') return answer({ content: [{ type: 'text', text: 'done' }] });
  return answer(method === 'tasks/cancel' ? Object.assign(task, { status: 'cancelled' }) : task);
});`;

const SETTINGS = {
  upstreams: { p: { command: process.execPath, args: ['-e', SERVER] } },
  virtual: { desk: { tools: ['p/*'] } },
};
const PLACES = [
  ['/mcp', 'p_'],
  ['/p/mcp', ''],
  ['/desk/mcp', 'p_'],
] as const;

type Sent = { readonly [name: string]: string };

/** `session`: does it open one? */
async function client(url: string, own: Sent, session = true) {
  const opened = session ? (await post(url, INITIALIZE, own)).headers.get('mcp-session-id') : null;
  const headers = opened === null ? own : { ...own, 'mcp-session-id': opened };
  if (session) await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
  const ask = (method: string, params: object = {}) => post(url, call(method, params), headers);
  return {
    ask,
    async begin(name: string, key?: string): Promise<string> {
      const _meta = key === undefined ? {} : { 'dev.mayday/idempotency-key': key };
      const { message } = await ask('tools/call', { name, arguments: {}, task: {}, _meta });
      return String((message.result?.['task'] as { taskId: string } | undefined)?.taskId);
    },
    async listed(): Promise<readonly string[]> {
      const { tasks } = (await ask('tasks/list')).message.result as { tasks: { taskId: string }[] };
      return tasks.map(({ taskId }) => taskId);
    },
  };
}

const ANN: Sent = { authorization: 'Bearer of-ann' };
const OTHERS: readonly (readonly [string, Sent])[] = [
  ['another token', { authorization: 'Bearer of-bob' }],
  ['another header', { 'x-api-key': 'of-bob' }],
  ['nothing', {}],
];
const BY_ID = ['tasks/get', 'tasks/result', 'tasks/cancel'];

it.each(
  OTHERS.flatMap(([what, other]) => PLACES.map(([path, prefix]) => [what, path, prefix, other] as const)),
)('is not that of whoever sends %s at %s (%s)', async (_what, path, prefix, other) => {
  const { url } = await open(SETTINGS);
  const task = await (await client(url + path, ANN)).begin(`${prefix}random`);
  const bob = await client(url + path, other);
  expect(await bob.listed()).toEqual([]);
  for (const method of BY_ID)
    expect(faultIn(await bob.ask(method, { taskId: task }))).toMatchObject({ kind: 'not_found' });
  const again = await client(url + path, ANN);
  expect(await again.listed()).toEqual([task]);
  expect((await again.ask('tasks/get', { taskId: task })).message.result).toMatchObject({
    status: 'working',
  });
});

it.each(OTHERS.slice(0, 2))('is not nobody’s who sends nothing: %s', async (_what, other) => {
  const { url } = await open(SETTINGS);
  const task = await (await client(`${url}/p/mcp`, {})).begin('random');
  const bob = await client(`${url}/p/mcp`, other);
  expect(faultIn(await bob.ask('tasks/get', { taskId: task }))).toMatchObject({ kind: 'not_found' });
});

it.each(PLACES)('is found by its id alone at %s (%s) where nobody sends anything', async (path, prefix) => {
  const { url } = await open(SETTINGS);
  const first = await client(url + path, {});
  const tasks = [await first.begin(`${prefix}random`), await first.begin(`${prefix}counted`)];
  expect(await first.listed()).toEqual(tasks);
  const second = await client(url + path, {});
  expect(await second.listed()).toEqual([]);
  const [random, counted] = tasks;
  for (const method of BY_ID) {
    expect((await second.ask(method, { taskId: random })).message.error).toBeUndefined();
    expect(faultIn(await second.ask(method, { taskId: counted }))).toMatchObject({ kind: 'not_found' });
  }
});

it.each(
  PLACES.flatMap(([path, prefix]) =>
    [ANN, {}].flatMap((first) =>
      [{ authorization: 'Bearer of-ann-renewed' }, {}].map((then) => [path, prefix, first, then] as const),
    ),
  ),
)(
  'stays that of its session at %s (%s): begun with %o, asked for with %o',
  async (path, prefix, first, then) => {
    const { url } = await open(SETTINGS);
    const id = (await post(url + path, INITIALIZE, first)).headers.get('mcp-session-id') ?? '';
    const session = { 'mcp-session-id': id };
    await post(url + path, { jsonrpc: '2.0', method: 'notifications/initialized' }, { ...first, ...session });
    for (const name of ['random', 'counted']) {
      const begin = call('tools/call', { name: `${prefix}${name}`, arguments: {}, task: {} });
      const { message } = await post(url + path, begin, { ...first, ...session });
      const { taskId } = (message.result as { task: { taskId: string } }).task;
      const ask = (method: string) => post(url + path, call(method, { taskId }), { ...then, ...session });
      expect((await ask('tasks/list')).text).toContain(taskId);
      expect((await ask('tasks/get')).message.result).toMatchObject({ taskId, status: 'working' });
      expect((await ask('tasks/result')).message.result).toMatchObject({ content: [{ text: 'done' }] });
    }
    const another = await client(url + path, { authorization: 'Bearer of-bob' });
    expect(await another.listed()).toEqual([]);
  },
);

it('is nobody’s who guesses the session that its server gave', async () => {
  const { url: at } = await counting({ 'mcp-session-id': 's1' });
  const { url } = await open({ upstreams: { shop: { url: at, headers: { authorization: 'Bearer ours' } } } });
  const task = await (await client(`${url}/shop/mcp`, ANN)).begin('job');
  const bob = await client(`${url}/shop/mcp`, { authorization: 'Bearer of-bob' });
  expect(await bob.listed()).toEqual([]);
  expect(faultIn(await bob.ask('tasks/get', { taskId: task }))).toMatchObject({ kind: 'not_found' });
});

it('is listed to nobody who has neither a session nor anything to send, and found by its id', async () => {
  const { url } = await open(SETTINGS);
  const first = await client(`${url}/p/mcp`, {}, false);
  const tasks = [await first.begin('random'), await first.begin('counted')];
  expect(await first.listed()).toEqual([]);
  for (const taskId of tasks)
    expect((await first.ask('tasks/get', { taskId })).message.result).toMatchObject({ taskId });
});

it('has the name of its server in front where its caller has one of the same id at another, in whichever session', async () => {
  const { p } = SETTINGS.upstreams;
  const { url } = await open({ upstreams: { p, q: p } });
  expect(await (await client(`${url}/p/mcp`, ANN)).begin('counted')).toBe('task-1');
  expect(await (await client(`${url}/mcp`, ANN)).begin('q_counted')).toBe('q:task-1');
  const again = await client(`${url}/mcp`, ANN);
  await again.ask('tasks/cancel', { taskId: 'q:task-1' });
  expect((await again.ask('tasks/get', { taskId: 'task-1' })).message.result).toMatchObject({
    status: 'working',
  });
});

it('is found where a key has given it to another session', async () => {
  const { url } = await open(SETTINGS);
  const task = await (await client(`${url}/p/mcp`, {})).begin('counted', 'k1');
  const second = await client(`${url}/p/mcp`, {});
  expect(await second.begin('counted', 'k1')).toBe(task);
  expect((await second.ask('tasks/get', { taskId: task })).message.result).toMatchObject({ taskId: task });
});

it.each([
  ['/shop/mcp', ''],
  ['/mcp', 'shop_'],
])('of a server that takes all callers for one is its caller’s at %s', async (path, prefix) => {
  const { url: at } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body || '{}');
    const task = { taskId: 't1', status: 'working' };
    const results: { [method: string]: object } = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tasks: {} }, serverInfo: {} },
      'tools/call': { task },
      'tasks/list': { tasks: [task] },
    };
    json(response, 200, { jsonrpc: '2.0', id, result: results[method] ?? task });
  });
  const { url } = await open({ upstreams: { shop: { url: at, headers: { authorization: 'Bearer ours' } } } });
  const ann = await client(url + path, { 'x-api-key': 'of-ann' }, false);
  const task = await ann.begin(`${prefix}buy`);
  expect((await ann.ask('tasks/get', { taskId: task })).message.result).toMatchObject({ taskId: task });
  const bob = await client(`${url}/mcp`, { 'x-api-key': 'of-bob' }, false);
  expect(faultIn(await bob.ask('tasks/get', { taskId: task }))).toMatchObject({ kind: 'not_found' });
  expect(await bob.listed()).toEqual([]);
});

it('of a server that gets its callers’ own credentials is whose the server says, also when they are renewed', async () => {
  const { url: at } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body || '{}');
    const task = { taskId: 't1', status: 'working' };
    json(response, 200, { jsonrpc: '2.0', id, result: method === 'tools/call' ? { task } : task });
  });
  const { url } = await open({ upstreams: { shop: { url: at } } });
  const task = await (await client(`${url}/shop/mcp`, ANN, false)).begin('buy');
  const renewed = await client(`${url}/shop/mcp`, { authorization: 'Bearer of-ann-2' }, false);
  expect((await renewed.ask('tasks/get', { taskId: task })).message.result).toMatchObject({ taskId: task });
  const elsewhere = await client(`${url}/mcp`, { authorization: 'Bearer of-ann-2' }, false);
  expect(faultIn(await elsewhere.ask('tasks/get', { taskId: task }))).toMatchObject({ kind: 'not_found' });
});

/** Begins `t1`, `t2`, … for whoever asks, and takes all of them for one caller. */
const counting = (headers = {}) => {
  const tasks: { taskId: string; status: string }[] = [];
  return upstream((body, response) => {
    const { id, method, params } = JSON.parse(body || '{}');
    const answer = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result }, headers);
    if (method === 'initialize')
      return answer({ protocolVersion: '2025-11-25', capabilities: { tasks: {} }, serverInfo: {} });
    if (method === 'tools/call') {
      tasks.push({ taskId: `t${tasks.length + 1}`, status: 'working' });
      return answer({ task: tasks.at(-1) });
    }
    return answer(
      method === 'tasks/list' ? { tasks } : (tasks.find(({ taskId }) => taskId === params?.taskId) ?? {}),
    );
  });
};

const GIVEN = { headers: { authorization: 'Bearer ours' } };

it.each<[string, Sent, Sent, object]>([
  ['sends another, where the settings give the server its credential', ANN, { authorization: 'b' }, GIVEN],
  ['sends nothing, where the settings give the server its credential', ANN, {}, GIVEN],
  [
    'comes in another name, which stays here',
    { 'x-forwarded-user': 'ann' },
    { 'x-forwarded-user': 'bob' },
    {},
  ],
])('is not that of one who %s', async (_what, by, other, settings) => {
  const { url: at } = await counting();
  const { url } = await open({ upstreams: { shop: { url: at, ...settings } } });
  const ann = await client(`${url}/shop/mcp`, by, false);
  const task = await ann.begin('job');
  const bob = await client(`${url}/shop/mcp`, other, false);
  expect(await bob.listed()).toEqual([]);
  for (const method of BY_ID)
    expect(faultIn(await bob.ask(method, { taskId: task }))).toMatchObject({ kind: 'not_found' });
  expect(await ann.listed()).toEqual([task]);
});

it('is what the server says where it tells callers apart by what they send', async () => {
  const { url: at } = await counting();
  const { url } = await open({ upstreams: { shop: { url: at } } });
  const task = await (await client(`${url}/shop/mcp`, ANN, false)).begin('job');
  const renewed = await client(`${url}/shop/mcp`, { authorization: 'Bearer of-ann-renewed' }, false);
  expect(await renewed.listed()).toEqual([task]);
  expect((await renewed.ask('tasks/get', { taskId: task })).message.result).toMatchObject({ taskId: task });
});
