/** Handlers that the guard does not see begin: for all it knows, they did. */
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpServer, ProtocolError, ResourceTemplate, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { connectRaw, faultIn } from './wire.ts';

const DUMP = '[{"code":"invalid_type","expected":"number","path":["x"],"message":"Required"}]';
const coded = (code: number, message: string) => Object.assign(new Error(message), { code });

/** Errors that read like a refusal of the SDK's, thrown by a tool `pay` that has paid. */
const AFTERWARDS: { readonly [name: string]: () => unknown } = {
  'a zod error': () => z.object({ x: z.string() }).safeParse({}).error,
  'a dump in a sentence': () => new Error(`Invalid input: ${DUMP}`),
  'a refusal of arguments': () =>
    new Error(`Input validation error: Invalid arguments for tool pay: ${DUMP}`),
  'a refusal of their number': () =>
    new Error('Invalid arguments for tool pay: arguments contain more than 1'),
  'an unknown tool': () => new Error('Tool pay not found'),
  'a tool that is off': () => new Error('Tool pay disabled'),
  'an unknown tool with its code': () => coded(-32602, 'Tool pay not found'),
  'an unknown method': () => coded(-32601, 'Method not found'),
  'an invalid request': () => coded(-32600, 'Invalid request'),
  'a parse error': () => coded(-32700, 'Parse error'),
  'a missing capability': () => coded(-32021, 'Missing required client capability'),
  'an envelope': () => Object.assign(coded(-32602, 'Bad envelope'), { data: { envelope: 'x' } }),
  'a request state': () => coded(-32602, 'Invalid or expired requestState'),
};

type Paid = { paid: number; readonly server: { connect(transport: never): Promise<void> } };

/** A server whose `pay` was registered before the guard. */
const LATE: { readonly [name: string]: (make: () => unknown) => Paid } = {
  'a low-level server of v1': (make) => {
    const server = new ServerV1({ name: 's', version: '1' }, { capabilities: { tools: {} } });
    const late: Paid = { paid: 0, server };
    server.setRequestHandler(CallToolRequestSchema, () => pay(late, make));
    guard(server);
    return late;
  },
  'a low-level server of v2': (make) => {
    const server = new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } });
    const late: Paid = { paid: 0, server };
    server.setRequestHandler('tools/call', () => pay(late, make));
    guard(server);
    return late;
  },
  'an McpServer of v1': (make) => {
    const server = new McpServerV1({ name: 's', version: '1' });
    const late: Paid = { paid: 0, server };
    server.registerTool('pay', {}, () => pay(late, make));
    guard(server);
    return late;
  },
  'an McpServer of v2': (make) => {
    const server = new McpServer({ name: 's', version: '1' });
    const late: Paid = { paid: 0, server };
    server.registerTool('pay', {}, () => pay(late, make));
    guard(server);
    return late;
  },
  'an McpServer of v1 with tools before and after': (make) => {
    const server = new McpServerV1({ name: 's', version: '1' });
    const late: Paid = { paid: 0, server };
    server.registerTool('pay', {}, () => pay(late, make));
    guard(server).registerTool('look', {}, () => ({ content: [] }));
    return late;
  },
  'a fallback for every method': (make) => {
    const server = guard(new ServerV1({ name: 's', version: '1' }, { capabilities: { tools: {} } }));
    const late: Paid = { paid: 0, server };
    server.fallbackRequestHandler = async () => pay(late, make);
    return late;
  },
};

function pay(late: Paid, make: () => unknown): never {
  late.paid++;
  throw make();
}

async function call(server: Paid['server'], name = 'pay'): Promise<Message> {
  const { ask } = await connectRaw(server);
  return ask('tools/call', { name, arguments: {} });
}

describe.each(Object.entries(LATE))('%s', (_server, register) => {
  it.each(Object.entries(AFTERWARDS))('that throws %s may have done its work', async (_thrown, make) => {
    const late = register(make);
    const answer = await call(late.server);
    expect(late.paid).toBe(1);
    expect(faultIn(answer)).toMatchObject({ executed: 'maybe' });
  });
});

it('does not call a method unknown that has a handler', async () => {
  const late = LATE['a low-level server of v1']?.(() => coded(-32601, 'No such account')) as Paid;
  expect((await call(late.server)).error).toMatchObject({
    code: -32601,
    data: { kind: 'unsupported', message: 'No such account', executed: 'maybe' },
  });
});

it('takes v1’s tools that make tasks for what it cannot see', async () => {
  const options = {
    taskStore: new InMemoryTaskStore(),
    capabilities: { tasks: { requests: { tools: { call: {} } } } },
  };
  const server = guard(new McpServerV1({ name: 's', version: '1' }, options));
  server.registerTool('look', {}, () => ({ content: [] }));
  let paid = 0;
  const createTask = async () => {
    paid++;
    throw new Error('Tool pay not found');
  };
  const unused = async () => ({}) as never;
  const handler = { createTask, getTask: unused, getTaskResult: unused };
  server.experimental.tasks.registerToolTask(
    'pay',
    { execution: { taskSupport: 'optional' } },
    handler as never,
  );
  const { ask } = await connectRaw(server);
  const answer = await ask('tools/call', { name: 'pay', arguments: {}, task: { ttl: 1000 } });
  expect({ paid, executed: faultIn(answer)['executed'] }).toEqual({ paid: 1, executed: 'maybe' });
});

it('knows nothing of lists that a resource template makes', async () => {
  const server = guard(new McpServer({ name: 's', version: '1' }));
  const list = () => {
    throw new ProtocolError(-32601, 'No list');
  };
  server.registerResource('all', new ResourceTemplate('all://{id}', { list }), {}, () => ({ contents: [] }));
  const { ask } = await connectRaw(server);
  expect(faultIn(await ask('resources/list'))).toMatchObject({ executed: 'maybe' });
});

describe('where the guard came first, or nothing answers, it is sure that nothing began', () => {
  const server = (): McpServer => {
    const guarded = guard(new McpServer({ name: 's', version: '1' }));
    guarded.registerTool('pay', { inputSchema: z.object({ x: z.number() }) }, () => ({ content: [] }));
    guarded.registerPrompt('ask', { argsSchema: z.object({ x: z.string() }) }, () => ({ messages: [] }));
    guarded.registerResource('r', 'r://one', {}, () => ({ contents: [] }));
    return guarded;
  };

  it.each([
    ['an unknown tool', 'tools/call', { name: 'nope' }, 'not_found'],
    ['arguments', 'tools/call', { name: 'pay', arguments: { x: 'x' } }, 'invalid_arguments'],
    ['parameters', 'tools/call', { name: 7 }, 'invalid_arguments'],
    ['an unknown prompt', 'prompts/get', { name: 'nope' }, 'not_found'],
    ['a prompt’s arguments', 'prompts/get', { name: 'ask', arguments: {} }, 'invalid_arguments'],
    ['an unknown resource', 'resources/read', { uri: 'r://two' }, 'not_found'],
    ['an unknown method', 'acme/pay', {}, 'unsupported'],
  ])('%s', async (_name, method, params, kind) => {
    const { ask } = await connectRaw(server());
    expect(faultIn(await ask(method, params))).toMatchObject({ kind, executed: 'no' });
  });

  it('an unknown method of a server that was guarded late', async () => {
    const late = LATE['a low-level server of v2']?.(() => new Error('x')) as Paid;
    const { ask } = await connectRaw(late.server);
    expect(faultIn(await ask('acme/pay'))).toMatchObject({ kind: 'unsupported', executed: 'no' });
  });
});
