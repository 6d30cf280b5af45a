/** Tasks of two servers that count theirs alike, at one endpoint: each is its own. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, open, post, takeEvents } from '../../test/tools.ts';

afterEach(cleanUp);

/** Of a client that can be asked. */
const INITIALIZE = call('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'test', version: '1' },
});

/** Runs one task `task-1`, which it tells its name with, and says of it what it was asked. */
function runner(name: string): { command: string; args: string[] } {
  const script = `const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const task = { taskId: 'task-1', status: 'working', statusMessage: '${name}', createdAt: 'x', ttl: null };
  const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 'task-1' } };
  const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {}, tasks }, serverInfo: { name: 's', version: '1' } },
    'tools/list': { tools: [{ name: 'job', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } }] },
    'tools/call': { task },
    'tasks/get': task,
    'tasks/cancel': { ...task, status: 'cancelled' },
    'tasks/list': { tasks: [task] },
    'tasks/result': '${name}' === 'b' ? { isError: true, content: [{ type: 'text', text: 'b failed' }], _meta } : { content: [{ type: 'text', text: '${name} is done' }], _meta },
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params, result } = JSON.parse(line);
    if (method === undefined) say({ method: 'notifications/message', params: { level: 'info', data: ['${name}', result._meta] } });
    if (id === undefined || method === undefined) return;
    const isKnown = params?.taskId === undefined || params.taskId === 'task-1';
    say(isKnown ? { id, result: results[method] ?? {} } : { id, error: { code: -32602, message: 'Task not found: ' + params.taskId } });
    if (method === 'tools/call') {
      say({ method: 'notifications/tasks/status', params: task });
      say({ id: 'q', method: 'elicitation/create', params: { message: '${name}?', _meta } });
    }
  })`;
  return { command: process.execPath, args: ['-e', script] };
}

interface Task {
  readonly taskId: string;
  readonly statusMessage: string;
}

const RELATED = 'io.modelcontextprotocol/related-task';

it.each(['/mcp', '/desk/mcp'])('keeps them apart at %s', async (path) => {
  const gateway = await open({
    upstreams: { a: runner('a'), b: runner('b') },
    virtual: { desk: { tools: ['*/job'] } },
  });
  const url = `${gateway.url}${path}`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const ask = async (method: string, params: object) =>
    (await post(url, call(method, params), session)).message;
  const begin = async (name: string): Promise<string | undefined> => {
    const begun = await ask('tools/call', { name, arguments: {}, task: {} });
    return (begun.result?.['task'] as Task | undefined)?.taskId;
  };
  const ids = [await begin('a_job'), await begin('b_job')];
  expect(ids).toEqual(['task-1', 'b:task-1']);

  for (const [i, taskId] of ids.entries()) {
    const name = ['a', 'b'][i];
    const status = i === 0 ? { statusMessage: 'a' } : { statusMessage: 'b' };
    for (const method of ['tasks/get', 'tasks/cancel'])
      expect((await ask(method, { taskId })).result).toMatchObject({ taskId, ...status });
    const said = await ask('tasks/result', { taskId });
    expect(JSON.stringify(said)).toContain(name === 'a' ? 'a is done' : 'b failed');
    expect(JSON.stringify(said)).toContain(`"${RELATED}":{"taskId":"${taskId}"}`);
  }
  const listed = (await ask('tasks/list', {})).result?.['tasks'] as Task[];
  expect(listed.map(({ taskId, statusMessage }) => [taskId, statusMessage])).toEqual([
    ['task-1', 'a'],
    ['b:task-1', 'b'],
  ]);
  expect((await ask('tasks/get', { taskId: 'nope' })).error?.message).toBe('Task not found: nope');
});

it('keeps them apart in what servers say and ask, and in what they are answered', async () => {
  const gateway = await open({ upstreams: { a: runner('a'), b: runner('b') } });
  const url = `${gateway.url}/mcp`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const standing = async (count: number) =>
    (await takeEvents(await fetch(url, { headers: { ...session, accept: 'text/event-stream' } }), count)).map(
      (event) =>
        JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '') as {
          id?: string;
          method: string;
          params: { taskId?: string; data?: unknown; _meta?: { [key: string]: { taskId: string } } };
        },
    );
  for (const name of ['a_job', 'b_job'])
    await post(url, call('tools/call', { name, arguments: {}, task: {} }), session);
  const said = await standing(4);
  const told = said.filter(({ method }) => method === 'notifications/tasks/status');
  expect(told.map(({ params }) => params.taskId)).toEqual(['task-1', 'b:task-1']);
  const asked = said.filter(({ method }) => method === 'elicitation/create');
  expect(asked.map(({ id, params }) => [id, params._meta?.[RELATED]])).toEqual([
    ['a:"q"', { taskId: 'task-1' }],
    ['b:"q"', { taskId: 'b:task-1' }],
  ]);
  for (const { id, params } of asked)
    await post(url, { jsonrpc: '2.0', id, result: { action: 'cancel', _meta: params._meta } }, session);
  const heard = await standing(2);
  for (const name of ['a', 'b'])
    expect(heard.map(({ params }) => params.data)).toContainEqual([
      name,
      { [RELATED]: { taskId: 'task-1' } },
    ]);
});

it.each([
  ['/mcp', 'a_job'],
  ['/desk/mcp', 'a_job'],
  ['/a/mcp', 'job'],
])('a session with a task that runs is in use at %s', async (path, tool) => {
  const gateway = await open({
    sessions: { max: 1 },
    upstreams: { a: runner('a') },
    virtual: { desk: { tools: ['*/job'] } },
  });
  const url = `${gateway.url}${path}`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, call('tools/call', { name: tool, arguments: {}, task: {} }), session);
  expect((await post(url, INITIALIZE)).status).toBe(503);
  const result = await post(url, call('tasks/result', { taskId: 'task-1' }), session);
  expect(result.text).toContain('a is done');
  expect((await post(url, INITIALIZE)).status).toBe(200);
});

/** Asks the client for a task when it is called, and tells of all that it hears from the client. */
function asker(name: string): { command: string; args: string[] } {
  const script = `const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
    'tools/list': { tools: [{ name: 'go', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [] },
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    const { id, method, params } = message;
    if (/progress|tasks/.test(method ?? 'tasks')) say({ method: 'notifications/message', params: { level: 'info', data: ['${name}', message] } });
    if (id === undefined || method === undefined) return;
    say({ id, result: results[method] ?? {} });
    if (params?.name !== 'go') return;
    const _meta = { progressToken: 1 };
    say(params.arguments.steal === undefined
      ? { id: 'q', method: 'elicitation/create', params: { message: '${name}?', task: {}, _meta } }
      : { id: 's', method: 'tasks/result', params: { taskId: params.arguments.steal } });
  })`;
  return { command: process.execPath, args: ['-e', script] };
}

it('what a client says of one question reaches the server that asked, and no other', async () => {
  const gateway = await open({ upstreams: { a: asker('a'), b: asker('b') } });
  const url = `${gateway.url}/mcp`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  const tell = (message: object) => post(url, { jsonrpc: '2.0', ...message }, session);
  await tell({ method: 'notifications/initialized' });
  const heard: {
    id?: string;
    method: string;
    params: { data?: unknown; _meta?: { progressToken: string } };
  }[] = [];
  const take = async (count: number): Promise<void> => {
    const stream = await fetch(url, { headers: { ...session, accept: 'text/event-stream' } });
    for (const event of await takeEvents(stream, count))
      heard.push(JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? ''));
  };
  const use = (tool: string, args = {}) =>
    post(url, call('tools/call', { name: tool, arguments: args }), session);
  await use('a_go');
  await use('b_go');
  await take(2);
  const tokenOf = ({ params }: (typeof heard)[number]) => params._meta?.progressToken ?? '';
  const [first, second] = heard.splice(0).sort((a, b) => tokenOf(a).localeCompare(tokenOf(b))); // who asks first is open
  expect([first?.params._meta, second?.params._meta]).toEqual([
    { progressToken: 'a:1' },
    { progressToken: 'b:1' },
  ]);
  const progress = { method: 'notifications/progress', params: { progressToken: 'b:1', progress: 1 } };
  await tell(progress);
  await tell({ id: first?.id, result: { task: { taskId: 'ct-1', status: 'working' } } });
  const status = { method: 'notifications/tasks/status', params: { taskId: 'ct-1', status: 'completed' } };
  await tell(status);
  await use('b_go', { steal: 'ct-1' });
  await take(4);
  expect(heard.every(({ method }) => method === 'notifications/message')).toBe(true);
  const told = heard.map(({ params }) => params.data as [string, { jsonrpc?: string }]);
  const of = (name: string) =>
    told.flatMap(([by, { jsonrpc: _jsonrpc, ...said }]) => (by === name ? [said] : []));
  expect(of('a')).toEqual([{ id: 'q', result: { task: { taskId: 'ct-1', status: 'working' } } }, status]);
  expect(of('b')).toEqual([
    { ...progress, params: { progressToken: 1, progress: 1 } },
    { id: 's', error: { code: -32602, message: 'Task not found' } },
  ]);
});
