/** Some documents prescribe `result.error` for failures; whoever returns it by hand has failed, and is guarded. */
import { read } from '@mayday/core';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpServer, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import { guard as guardV1 } from '../src/v1.ts';
import { connectRaw } from './wire.ts';

const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
const handler = async () => ({
  content: [],
  error: { code: 4001, message: `The provider refused ${SECRET}` },
});

const servers = {
  v2: (dialect: string, work: unknown = handler) => {
    const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
    server.registerTool('t', {}, work as never);
    return server;
  },
  v1: (dialect: string, work: unknown = handler) => {
    const server = guardV1(new McpServerV1({ name: 's', version: '1' }), { dialect });
    server.registerTool('t', {}, work as never);
    return server;
  },
};

it.each([
  ['v2', 'mayday'],
  ['v2', 'qaqnuz'],
  ['v2', 'onx'],
  ['v1', 'mayday'],
  ['v1', 'closient'],
] as const)('is a failure, without its secrets: %s, %s', async (sdk, dialect) => {
  const client = await connectRaw(servers[sdk](dialect) as never);
  const answer = await client.ask('tools/call', { name: 't', arguments: {} });
  expect(answer.result?.['isError']).toBe(true);
  expect(JSON.stringify(answer)).not.toContain(SECRET);
});

it('is no failure where `error` is something else', async () => {
  const said = { content: [{ type: 'text', text: 'fine' }], error: 'none' };
  const client = await connectRaw(servers.v2('mayday', async () => said) as never);
  expect((await client.ask('tools/call', { name: 't', arguments: {} })).result).toMatchObject(said);
});

/** Limits in the forms of two documents, one of them as it should be and as careless authors write it. */
const PROBLEM = {
  code: -32003,
  message: 'Rate Limited',
  data: {
    type: 'https://closient.com/docs/errors/rate_limited',
    title: 'Rate Limited',
    status: 429,
    detail: 'Slow down',
    error_code: 'rate_limited',
    retryable: true,
    timestamp: '2026-04-26T02:34:56+00:00',
    retry_after: 1,
  },
};
const OF_ONX = { code: 3001, message: 'Slow down', retryable: true, details: { retryAfter: 1 } };

const LIMITS: { readonly [name: string]: object } = {
  closient: { content: [], error: PROBLEM },
  'closient, called no error': { content: [], isError: false, error: PROBLEM },
  'closient, without content': { error: PROBLEM },
  'closient, with a claim that nothing was done': {
    content: [],
    error: PROBLEM,
    _meta: { 'dev.mayday/error': { happened: 'no' } },
  },
  'a number without words': { content: [], error: { code: -32003 } },
  onx: { content: [], error: OF_ONX },
};

type Result = () => Promise<never>;
const TOOLS = { capabilities: { tools: {} } };
const NAMED = { name: 's', version: '1' };

/** Servers whose tool the guard does not see begin, or not as a tool. */
const UNSEEN: { readonly [name: string]: (dialect: string, work: Result) => unknown } = {
  'an McpServer of v2, guarded late': (dialect, work) => {
    const server = new McpServer(NAMED);
    server.registerTool('t', {}, work);
    return guard(server, { dialect });
  },
  'an McpServer of v1, guarded late': (dialect, work) => {
    const server = new McpServerV1(NAMED);
    server.registerTool('t', {}, work);
    return guardV1(server, { dialect });
  },
  'a low-level server of v2, guarded late': (dialect, work) => {
    const server = new Server(NAMED, TOOLS);
    server.setRequestHandler('tools/call', work);
    return guard(server, { dialect });
  },
  'a low-level server of v1, guarded late': (dialect, work) => {
    const server = new ServerV1(NAMED, TOOLS);
    server.setRequestHandler(CallToolRequestSchema, work);
    return guardV1(server, { dialect });
  },
  'a fallback of v2': (dialect, work) => {
    const server = guard(new Server(NAMED, TOOLS), { dialect });
    server.fallbackRequestHandler = work;
    return server;
  },
  'a fallback of v1': (dialect, work) => {
    const server = guardV1(new ServerV1(NAMED, TOOLS), { dialect });
    server.fallbackRequestHandler = work;
    return server;
  },
};

async function call(server: unknown) {
  const client = await introduced(server);
  return client.ask('tools/call', { name: 't', arguments: {} });
}

async function introduced(server: unknown) {
  const client = await connectRaw(server as never);
  await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: NAMED });
  return client;
}

describe.each(Object.entries(UNSEEN))('%s', (_name, serverOf) => {
  it.each(Object.entries(LIMITS))('tells a limit as any other tool does: %s', async (_limit, result) => {
    const work = async () => structuredClone(result) as never;
    for (const dialect of ['mayday', 'closient', 'onx', 'erlmcp', 'qaqnuz', 'platica']) {
      const late = await call(serverOf(dialect, work));
      const seen = await call(servers.v2(dialect, work));
      expect(timeless(late), dialect).toEqual(timeless(seen));
    }
  });

  it('says that it may have happened, and gives nobody a reason to repeat it', async () => {
    const closient = await call(serverOf('closient', async () => LIMITS['closient'] as never));
    expect(closient.result).toMatchObject({
      isError: true,
      _meta: { 'dev.mayday/error': { happened: 'maybe' } },
    });
    const onx = await call(serverOf('onx', async () => LIMITS['closient'] as never));
    expect(onx.result).toMatchObject({ isError: true, error: { code: 4001, retryable: false } });
    const erlmcp = await call(serverOf('erlmcp', async () => LIMITS['closient'] as never));
    expect(erlmcp).toMatchObject({ error: { code: -32031 } });
    expect(JSON.stringify(erlmcp)).not.toContain('error_code');
  });

  it('keeps a success whose `error` is no number', async () => {
    const said = { content: [{ type: 'text', text: 'fine' }], error: { reason: 'none' } };
    expect((await call(serverOf('closient', async () => said as never))).result).toMatchObject(said);
  });
});

/** What differs from one server to the next. */
function timeless(answer: object): unknown {
  return JSON.parse(JSON.stringify(answer), (key, value) =>
    ['timestamp', 'correlationId', 'correlation_id', 'elapsed_ms'].includes(key) ? undefined : value,
  );
}

describe('what a task came to', () => {
  async function ended(dialect: string) {
    const server = guardV1(
      new McpServerV1(NAMED, {
        capabilities: { tasks: { requests: { tools: { call: {} } } } },
        taskStore: new InMemoryTaskStore(),
      }),
      { dialect },
    );
    server.experimental.tasks.registerToolTask(
      't',
      { execution: { taskSupport: 'optional' } },
      {
        createTask: async ({ taskStore }) => {
          const task = await taskStore.createTask({ ttl: 60_000, pollInterval: 5 });
          await taskStore.storeTaskResult(task.taskId, 'failed', LIMITS['closient'] as never);
          return { task };
        },
        getTask: ({ taskId, taskStore }) => taskStore.getTask(taskId) as never,
        getTaskResult: ({ taskId, taskStore }) => taskStore.getTaskResult(taskId) as never,
      },
    );
    return introduced(server);
  }

  it.each(['closient', 'onx', 'erlmcp'])('is told in the words of the document: %s', async (dialect) => {
    const client = await ended(dialect);
    const begun = await client.ask('tools/call', { name: 't', arguments: {}, task: { ttl: 60_000 } });
    const { taskId } = (begun.result as { task: { taskId: string } }).task;
    const later = await client.ask('tasks/result', { taskId });
    const atOnce = await client.ask('tools/call', { name: 't', arguments: {} });
    const expected = {
      closient: { result: { isError: true, _meta: { 'dev.mayday/error': { happened: 'maybe' } } } },
      onx: { result: { isError: true, error: { code: 4001, retryable: false } } },
      erlmcp: { error: { code: -32031 } },
    }[dialect];
    // Nobody says there which tool it was of.
    const ofTask = dialect === 'erlmcp' ? { error: { code: -32083, data: { taskId } } } : expected;
    expect(later).toMatchObject(ofTask as object);
    expect(atOnce).toMatchObject(expected as object);
  });

  it('is the same where a handler of one’s own answers for tasks', async () => {
    const server = guard(new Server(NAMED, TOOLS), { dialect: 'closient' });
    const work = async () => LIMITS['closient'] as never;
    server.setRequestHandler('tasks/result' as never, { params: z.looseObject({}) } as never, work as never);
    const client = await connectRaw(server as never);
    expect((await client.ask('tasks/result', { taskId: 'x' })).result).toMatchObject({
      isError: true,
      _meta: { 'dev.mayday/error': { happened: 'maybe' } },
    });
  });
});

describe('a failing result of a change, after which somebody may call again', () => {
  const CAUTION = /It may have happened; (?:check|look at the state) before you repeat a change/;
  const said = (text: string, more: object = {}) => ({
    isError: true,
    content: [{ type: 'text', text }],
    ...more,
  });
  const RESULTS: readonly (readonly [string, object])[] = [
    ['the platform’s sentence', said('Rate limit exceeded. Please wait before sending more requests.')],
    ['a sentence like it', said('Rate limit exceeded, please try again later.')],
    ['a problem with words of its own', said('Slow down', { error: PROBLEM })],
    ['an onX error with words of its own', said('Slow down', { error: OF_ONX })],
  ];

  function serverOf(dialect: string, result: object, readOnlyHint: boolean) {
    const server = guard(new McpServer(NAMED), { dialect });
    server.registerTool('t', { annotations: { readOnlyHint } }, async () => structuredClone(result) as never);
    return server;
  }
  const words = (answer: { result?: object | undefined }) =>
    JSON.stringify((answer.result as { content: unknown }).content);

  describe.each(['mayday', 'closient', 'onx'])('in %s', (dialect) => {
    it.each(RESULTS)('says in its words that it may have happened: %s', async (_name, result) => {
      expect(words(await call(serverOf(dialect, result, false)))).toMatch(CAUTION);
      expect(words(await call(serverOf(dialect, result, true)))).not.toMatch(CAUTION);
    });
  });

  it.each(RESULTS)('CL-19 says so again, under the same key: %s', async (_name, result) => {
    const client = await introduced(serverOf('closient', result, false));
    const keyed = { name: 't', arguments: {}, _meta: { 'dev.mayday/idempotency-key': 'k' } };
    const [first, second] = [await client.ask('tools/call', keyed), await client.ask('tools/call', keyed)];
    for (const answer of [first, second]) {
      expect(words(answer)).toMatch(CAUTION);
      expect(read(answer, { from: 'closient' })).toMatchObject({ fault: { executed: 'maybe' } });
    }
  });
});
