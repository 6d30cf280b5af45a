/** Calls of v1's tools as tasks that the SDK refuses: its own words for it are lost, and the caller needs them. */
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { expect, it } from 'vitest';
import { z } from 'zod/v4';
import { guard } from '../src/v1.ts';
import { KEY } from './till.ts';
import { connectRaw, faultIn } from './wire.ts';

const SECRET = 'postgres://svc:hunter2Sup3r@10.0.0.5/x';

interface Given {
  readonly store?: boolean;
  /** Registers the tool before the guard is there. */
  readonly unseen?: boolean;
}

/** A server with one tool, whose task fails at once. */
async function server({ store = true, unseen = false }: Given = {}) {
  let begun = 0;
  const plain = new McpServer(
    { name: 's', version: '1' },
    {
      capabilities: { tasks: { requests: { tools: { call: {} } } } },
      ...(store ? { taskStore: new InMemoryTaskStore() } : {}),
    },
  );
  const guarded = unseen ? plain : guard(plain);
  const tool = guarded.experimental.tasks.registerToolTask(
    'pay',
    { inputSchema: { amount: z.number() }, execution: { taskSupport: 'optional' } },
    {
      createTask: async (_: unknown, { taskStore }: { taskStore: InMemoryTaskStore }) => {
        begun += 1;
        const task = await taskStore.createTask({ ttl: 60_000 }, 1, {} as never);
        await taskStore.updateTaskStatus(task.taskId, 'failed', `no route to ${SECRET}`);
        return { task: await taskStore.getTask(task.taskId) };
      },
      getTask: async () => ({}),
      getTaskResult: async () => ({}),
    } as never,
  );
  const client = await connectRaw(unseen ? guard(plain) : guarded);
  const clientInfo = { name: 'c', version: '1' };
  await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const call = (params: object) => client.ask('tools/call', { task: { ttl: 60_000 }, ...params });
  return { call, tool, begun: () => begun };
}

const right = { name: 'pay', arguments: { amount: 5 } };
const wrong = { name: 'pay', arguments: { amount: '5' } };

it('names the argument that is wrong, as it does without a task', async () => {
  const { call, begun } = await server();
  const fault = {
    kind: 'invalid_arguments',
    executed: 'no',
    message: 'Invalid arguments for tool pay',
    issues: [{ path: ['amount'], message: 'expected number, received string', code: 'invalid_type' }],
  };
  const answer = await call(wrong);
  expect(answer.error?.code).toBe(-32602);
  expect(faultIn(answer)).toMatchObject(fault);
  expect(faultIn(await call({ ...wrong, task: undefined }))).toMatchObject(fault);
  const keyed = { _meta: { [KEY]: 'k' } };
  expect(faultIn(await call({ ...wrong, ...keyed }))).toMatchObject(fault);
  expect((await call({ ...right, ...keyed })).result).toMatchObject({ task: { status: 'failed' } });
  expect(begun()).toBe(1);
});

it('knows a tool that is not there, or is switched off', async () => {
  const { call, tool } = await server();
  const unknown = { kind: 'not_found', executed: 'no', subject: { type: 'tool', id: 'pai' } };
  expect(faultIn(await call({ ...right, name: 'pai' }))).toMatchObject({
    ...unknown,
    advice: 'Did you mean pay? List the tools and call one of them.',
  });
  tool.disable();
  expect(faultIn(await call(right))).toMatchObject({ ...unknown, subject: { type: 'tool', id: 'pay' } });
});

it('says that a server which cannot keep tasks lacks a setting', async () => {
  const { call, begun } = await server({ store: false });
  expect(faultIn(await call(right))).toMatchObject({
    kind: 'misconfigured',
    executed: 'no',
    origin: 'server',
    message: 'The server cannot begin a task of the tool pay',
    subject: { type: 'tool', id: 'pay' },
  });
  expect(begun()).toBe(0);
});

it('leaves open what a tool has done that nobody saw begin', async () => {
  const { call, begun } = await server({ unseen: true });
  expect(faultIn(await call(wrong))).toMatchObject({ kind: 'invalid_output', executed: 'maybe' });
  expect(begun()).toBe(0);
});

it.each([false, true])(
  'redacts what a new task says of its failure, each time it is told; unseen: %s',
  async (unseen) => {
    const { call, begun } = await server({ unseen });
    const keyed = { ...right, _meta: { [KEY]: 'k' } };
    const [first, second] = [await call(keyed), await call(keyed)];
    expect(first.result).toMatchObject({
      task: { status: 'failed', statusMessage: 'no route to postgres://[credentials:1]@[ip:1]/x' },
    });
    expect(second.result).toMatchObject({ task: first.result?.['task'] as object });
    expect(JSON.stringify([first, second])).not.toContain('hunter2');
    expect(begun()).toBe(1);
  },
);
