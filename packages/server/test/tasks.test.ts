/** Tools of v1 that answer with a task, behind the guard. */
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { expect, it } from 'vitest';
import { type GuardOptions, guard } from '../src/v1.ts';
import { KEY } from './till.ts';
import { connectRaw, faultIn, type RawClient, textOf } from './wire.ts';

const LEAK = 'connect ECONNREFUSED postgres://svc:hunter2Sup3r@10.0.0.5/x';
const refused = Object.assign(new Error(LEAK), { code: 'ECONNREFUSED' });
const PICTURE = { type: 'image' as const, mimeType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUg==' };

let created = 0;

async function tasks(
  createTask: (ends: (result?: object) => Promise<{ task: object }>) => Promise<{ task: object }>,
  taskSupport: 'required' | 'optional' = 'required',
  options: GuardOptions = {},
): Promise<RawClient> {
  created = 0;
  const plain = new McpServer(
    { name: 's', version: '1' },
    { capabilities: { tasks: { requests: { tools: { call: {} } } } }, taskStore: new InMemoryTaskStore() },
  );
  const server = guard(plain, options);
  server.experimental.tasks.registerToolTask(
    'pay',
    { execution: { taskSupport } },
    {
      createTask: ({ taskStore }) => {
        created += 1;
        return createTask(async (result) => {
          const task = await taskStore.createTask({ ttl: 60_000, pollInterval: 5 });
          if (result === undefined) await taskStore.updateTaskStatus(task.taskId, 'failed', 'Broken');
          else await taskStore.storeTaskResult(task.taskId, 'failed', result as never);
          return { task };
        }) as never;
      },
      getTask: ({ taskId, taskStore }) => taskStore.getTask(taskId) as never,
      getTaskResult: ({ taskId, taskStore }) => taskStore.getTaskResult(taskId) as never,
    },
  );
  const client = await connectRaw(server);
  const clientInfo = { name: 'c', version: '1' };
  await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return client;
}

const call = (more: object = {}) => ({ name: 'pay', arguments: {}, ...more });
const failing = {
  isError: true,
  content: [{ type: 'text', text: 'Order 7 not found in postgres://svc:hunter2Sup3r@10.0.0.5/x' }, PICTURE],
};

it('what a task came to stays a tool’s result, with all its blocks, redacted', async () => {
  const client = await tasks((ends) => ends(failing));
  const { task } = (await client.ask('tools/call', call({ task: { ttl: 60_000 } }))).result as {
    task: { taskId: string };
  };
  const answer = await client.ask('tasks/result', { taskId: task.taskId });
  expect(answer.error).toBeUndefined();
  expect(answer.result).toMatchObject({
    isError: true,
    content: [{ type: 'text' }, PICTURE, { type: 'text' }],
    _meta: { 'io.modelcontextprotocol/related-task': { taskId: task.taskId } },
  });
  expect(JSON.stringify(answer)).toContain('Order 7 not found');
  expect(JSON.stringify(answer)).not.toContain('hunter2');
  expect(faultIn(answer)).toMatchObject({ kind: 'not_found', executed: 'maybe' });
});

it('a task that cannot be begun fails for its own reason, as a protocol error', async () => {
  const client = await tasks(() => Promise.reject(refused));
  const answer = await client.ask('tools/call', call({ task: {} }));
  expect(answer.error?.code).toBe(-32603);
  expect(faultIn(answer)).toMatchObject({ kind: 'unavailable', origin: 'upstream', executed: 'maybe' });
  expect(JSON.stringify(answer)).not.toMatch(/hunter2|arguments|expected/);
});

it('a task is begun once under its key, and fails once under it', async () => {
  const good = await tasks((ends) => ends(failing));
  const keyed = call({ task: {}, _meta: { [KEY]: 'k' } });
  const [first, second] = [await good.ask('tools/call', keyed), await good.ask('tools/call', keyed)];
  expect(second.result?.['task']).toEqual(first.result?.['task']);
  expect(created).toBe(1);
  const bad = await tasks(() => Promise.reject(refused));
  await bad.ask('tools/call', keyed);
  const again = await bad.ask('tools/call', keyed);
  expect(again.error?.code).toBe(-32603);
  expect(faultIn(again)).toMatchObject({ kind: 'unavailable', executed: 'maybe', retryable: false });
  expect(created).toBe(1);
});

it('a caller that wants no task gets the result, whatever it is', async () => {
  const failed = await (await tasks((ends) => ends(failing), 'optional')).ask('tools/call', call());
  expect(failed.result).toMatchObject({ isError: true });
  expect(faultIn(failed)).toMatchObject({ kind: 'not_found' });
  const fine = { content: [{ type: 'text', text: 'paid' }] };
  const paid = await (await tasks((ends) => ends(fine), 'optional')).ask('tools/call', call());
  expect(paid.result?.['content']).toEqual([{ type: 'text', text: 'paid' }]);
  const broken = await (await tasks(() => Promise.reject(refused), 'optional')).ask('tools/call', call());
  expect(broken.result).toMatchObject({ isError: true });
  expect(faultIn(broken)).toMatchObject({ kind: 'unavailable' });
});

it('a task of the wrong form is the server’s fault', async () => {
  const client = await tasks(async () => ({ task: { nothing: 1 } }));
  expect(faultIn(await client.ask('tools/call', call({ task: {} })))).toMatchObject({
    kind: 'invalid_output',
  });
});

it.each([
  ['a task', 'without one', { task: { ttl: 60_000 } }, {}],
  ['no task', 'with one', {}, { task: { ttl: 60_000 } }],
])(
  'a key whose first call asked for %s is refused to one that comes %s',
  async (_first, _then, first, then) => {
    const client = await tasks((ends) => ends({ content: [{ type: 'text', text: 'paid' }] }), 'optional');
    const keyed = { _meta: { [KEY]: 'k' } };
    const before = await client.ask('tools/call', call({ ...first, ...keyed }));
    const refused = await client.ask('tools/call', call({ ...then, ...keyed }));
    expect(faultIn(refused)).toMatchObject({ kind: 'conflict', executed: 'maybe', subject: { type: 'key' } });
    expect(JSON.stringify(refused)).not.toContain('"task":');
    expect(await client.ask('tools/call', call({ ...first, ...keyed }))).toMatchObject({
      result: before.result,
    });
    expect(created).toBe(1);
  },
);

/** What `tasks/result` says of a task that failed, in one dialect, and the task. */
async function cameTo(dialect: GuardOptions['dialect'], result?: object) {
  const client = await tasks((ends) => ends(result), 'required', { dialect });
  const begun = await client.ask('tools/call', call({ task: { ttl: 60_000 } }));
  const { taskId } = (begun.result as { task: { taskId: string } }).task;
  return { answer: await client.ask('tasks/result', { taskId }), taskId };
}

const limited = { isError: true, content: [{ type: 'text', text: 'Rate limit exceeded' }] };

it('ER-62 a task of erlmcp that came to a failure has failed, and is named', async () => {
  const { answer, taskId } = await cameTo('erlmcp', limited);
  expect(answer.error).toEqual({
    code: -32083,
    message: 'Task failed',
    data: { taskId, reason: 'Rate limit exceeded' },
  });
});

it('ER-44 the same failure of a plain call is the tool’s', async () => {
  const client = await tasks((ends) => ends(limited), 'optional', { dialect: 'erlmcp' });
  expect((await client.ask('tools/call', call())).error).toEqual({
    code: -32031,
    message: 'Tool execution failed',
    data: { tool: 'pay', reason: 'Rate limit exceeded' },
  });
});

it.each([
  ['CL-3 Closient', 'closient', { error: { code: -32300 } }],
  ['EM-25 onX', 'onx', { error: { code: 4001, retryable: false } }],
  ['QA-2 Qaqnuz', 'qaqnuz', { isError: true, content: [{ type: 'text' }] }],
  ['PL-4 Platica', 'platica', { isError: true, content: limited.content }],
] as const)('%s: what a task came to is a result', async (_, dialect, result) => {
  const { answer } = await cameTo(dialect, limited);
  expect(answer.error).toBeUndefined();
  expect(answer.result).toMatchObject(result);
});

it('ER-64 a task of erlmcp that says nothing of its end has failed', async () => {
  const { answer, taskId } = await cameTo('erlmcp');
  expect(answer.error).toMatchObject({
    code: -32083,
    message: 'Task failed',
    data: { taskId, reason: 'The task ended without a result' },
  });
});

it.each([
  ['closient', { error: { code: -32300 } }],
  ['onx', { error: { code: 4001, retryable: false } }],
  ['qaqnuz', { isError: true, content: [{ type: 'text' }] }],
] as const)('a task without an end is what its tool came to, for good: %s', async (dialect, result) => {
  const { answer } = await cameTo(dialect);
  expect(answer.error).toBeUndefined();
  expect(answer.result).toMatchObject(result);
});

it('a task without an end says so in words that a model reads', async () => {
  const { answer } = await cameTo(undefined);
  expect(answer.result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
  expect(textOf({ message: answer })).toMatch(/^The task ended without a result\. /);
});

it('PL-12 a task without an end is the server’s own failure', async () => {
  expect((await cameTo('platica')).answer.error).toMatchObject({ code: -32603 });
});

it.each(['tasks/get', 'tasks/result', 'tasks/cancel'])(
  'ER-62 %s names the task that is not there',
  async (method) => {
    const client = await tasks((ends) => ends(failing), 'required', { dialect: 'erlmcp' });
    const answer = await client.ask(method, { taskId: 'nope' });
    expect(answer.error).toEqual({ code: -32081, message: 'Task not found', data: { taskId: 'nope' } });
  },
);

it('a task that has ended cannot be taken back, and its end is not told in place of that', async () => {
  const client = await tasks((ends) => ends(failing));
  const { task } = (await client.ask('tools/call', call({ task: { ttl: 60_000 } }))).result as {
    task: { taskId: string };
  };
  const { error } = await client.ask('tasks/cancel', { taskId: task.taskId });
  expect(error).toMatchObject({ code: -32602, data: { kind: 'conflict' } });
  expect(error?.message).toContain('Cannot cancel task in terminal status: failed');
});
