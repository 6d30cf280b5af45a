/** Which requests a guard is asked about: all that reach what the server's author wrote, unless it names some. */
import { fault } from '@mayday/core';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guardHandler } from '../src/http.ts';
import {
  approval,
  concurrency,
  createMemoryApprovals,
  deadline,
  type Guard,
  guard,
  rateLimit,
  scopes,
  sizeLimits,
} from '../src/index.ts';
import { connectRaw, httpRequest } from './wire.ts';

const TEXT = 'x'.repeat(2000);

/** What a client can ask of a server that offers everything. */
const REACHING: readonly (readonly [method: string, params: object])[] = [
  ['tools/call', { name: 'pay', arguments: {} }],
  ['resources/read', { uri: 'mem://payroll' }],
  ['resources/subscribe', { uri: 'mem://payroll' }],
  ['prompts/get', { name: 'ask' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'ask' }, argument: { name: 'a', value: 'b' } }],
  ['acme/export', { name: 'all' }],
  ['tasks/result', { taskId: 't-1' }],
];

/** What the protocol needs by itself. */
const BESIDE: readonly (readonly [method: string, params: object])[] = [
  ['ping', {}],
  ['tools/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['prompts/list', {}],
];

/** A server that offers everything, behind these guards; `ran` has what its author's handlers were asked. */
async function serving(guards: readonly Guard[], { v1 = false, waitMs = 0, everything = false } = {}) {
  const ran: string[] = [];
  const work = async <T>(method: string, result: T): Promise<T> => {
    ran.push(method);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    return result;
  };
  const info = { name: 's', version: '1' };
  const capabilities = { resources: { subscribe: true }, completions: {} };
  const plain = new McpServer(info, { capabilities });
  const server = guard(v1 ? (new McpServerV1(info, { capabilities }) as unknown as typeof plain) : plain, {
    guards,
  });
  const text = { type: 'text' as const, text: TEXT };
  server.registerTool('pay', {}, () => work('tools/call', { content: [text] }));
  for (const uri of ['mem://payroll', 'mem://other'])
    server.registerResource(uri, uri, {}, () => work('resources/read', { contents: [{ uri, text: TEXT }] }));
  for (const name of ['ask', 'tell'])
    server.registerPrompt(name, {}, () =>
      work('prompts/get', { messages: [{ role: 'user' as const, content: text }] }),
    );
  const own = server.server.setRequestHandler.bind(server.server) as (...args: unknown[]) => void;
  if (!v1) {
    own('resources/subscribe', () => work('resources/subscribe', {}));
    own('completion/complete', () => work('completion/complete', { completion: { values: [] } }));
  }
  if (everything)
    server.server.fallbackRequestHandler = async ({ method }: { readonly method: string }) =>
      work(method, {});
  const client = await connectRaw(server);
  const clientInfo = { name: 'c', version: '1' };
  await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const ask = async (method: string, params: object) => {
    const { result, error } = await client.ask(method, params);
    const data = (error?.data ?? (result?.['_meta'] as object | undefined)) as
      | { readonly [key: string]: unknown }
      | undefined;
    const told = (error === undefined ? data?.['dev.mayday/fault'] : data) as
      | { readonly kind: string; readonly executed: string; readonly message: string }
      | undefined;
    return { told, message: error?.message, result };
  };
  return { ask, ran };
}

const asked = (name: string, more: Partial<Guard> = {}) => {
  const methods: string[] = [];
  const own: Guard = {
    name,
    before(call) {
      methods.push(call.method);
      throw fault.forbidden('Only admins');
    },
    ...more,
  };
  return { own, methods };
};

describe.each([
  ['v2', false],
  ['v1', true],
])('a guard of one’s own without `methods`, on %s', (_, v1) => {
  it.each(REACHING)('refuses %s', async (method, params) => {
    const { own, methods } = asked('admins-only');
    const { ask, ran } = await serving([own], { v1, everything: true });
    const { told } = await ask(method, params);
    expect(told).toMatchObject({ kind: 'forbidden', executed: 'no', message: 'Only admins' });
    expect([methods, ran]).toEqual([[method], []]);
  });

  it.each(['acme/export', 'tasks/result'])('is not asked about %s, which nobody answers', async (method) => {
    const { own, methods } = asked('admins-only');
    const { ask } = await serving([own], { v1 });
    expect((await ask(method, {})).told).toMatchObject({ kind: 'unsupported', executed: 'no' });
    expect(methods).toEqual([]);
  });

  it.each(BESIDE)('is not asked about %s', async (method, params) => {
    const { own, methods } = asked('admins-only');
    const { ask } = await serving([own], { v1 });
    expect((await ask(method, params)).told).toBeUndefined();
    expect(methods).toEqual([]);
  });
});

it('a guard that names methods is asked about those alone', async () => {
  const { own, methods } = asked('tools', { methods: ['tools/call'] });
  const { ask, ran } = await serving([own]);
  for (const [method, params] of REACHING.slice(0, 4)) await ask(method, params);
  expect(methods).toEqual(['tools/call']);
  expect(ran).toEqual(['resources/read', 'resources/subscribe', 'prompts/get']);
});

it('a guard looks at what resources and prompts come back with, too', async () => {
  const seen: string[] = [];
  const own: Guard = {
    name: 'leaks',
    result(call) {
      seen.push(call.method);
      throw fault.forbidden('Not for you');
    },
  };
  const { ask } = await serving([own]);
  for (const [method, params] of REACHING.slice(0, 4))
    expect((await ask(method, params)).told).toMatchObject({ message: 'Not for you', executed: 'yes' });
  expect(seen).toEqual(['tools/call', 'resources/read', 'resources/subscribe', 'prompts/get']);
});

it('a stream of notifications is refused by a guard of one’s own', async () => {
  const { own, methods } = asked('admins-only');
  const options = { guards: [own] };
  const handler = guardHandler(
    createMcpHandler(() => guard(new McpServer({ name: 's', version: '1' }), options)),
    options,
  );
  const wanted = { notifications: { resourceSubscriptions: ['mem://payroll'] } };
  const response = await handler.fetch(httpRequest('2026-07-28', 'subscriptions/listen', wanted));
  expect(response.status).toBe(403);
  expect(methods).toEqual(['subscriptions/listen']);
});

describe('rateLimit', () => {
  const once = (more: object = {}) => rateLimit({ limit: 1, windowMs: 60_000, ...more });

  it.each([
    ['resources/read', { uri: 'mem://payroll' }, { uri: 'mem://other' }],
    ['prompts/get', { name: 'ask' }, { name: 'tell' }],
    ['resources/subscribe', { uri: 'mem://payroll' }, { uri: 'mem://other' }],
  ])('counts %s under the method, whatever is named', async (method, one, other) => {
    const { ask, ran } = await serving([once()]);
    expect((await ask(method, one)).told).toBeUndefined();
    expect((await ask(method, other)).told).toMatchObject({
      kind: 'rate_limited',
      executed: 'no',
      message: 'Rate limit exceeded',
    });
    expect(ran).toEqual([method]);
    // Another method has an allowance of its own.
    expect((await ask('tools/call', { name: 'pay', arguments: {} })).told).toBeUndefined();
  });

  it('gives nobody a new allowance for a method that is made up', async () => {
    const { ask } = await serving([once({ methods: 'all' })]);
    const kinds: unknown[] = [];
    for (const method of ['acme/a', 'acme/b', 'acme/c']) kinds.push((await ask(method, {})).told?.kind);
    expect(kinds.slice(1)).toEqual(['rate_limited', 'rate_limited']);
  });

  it('lets somebody ask as often as it takes what became of a task', async () => {
    const { ask } = await serving([once()]);
    for (let at = 0; at < 3; at += 1)
      expect((await ask('tasks/get', { taskId: 't' })).told?.kind).not.toBe('rate_limited');
  });

  it('is of tools alone where its user says so', async () => {
    const { ask, ran } = await serving([once({ methods: ['tools/call'] })]);
    for (let at = 0; at < 2; at += 1) await ask('resources/read', { uri: 'mem://payroll' });
    expect(ran).toEqual(['resources/read', 'resources/read']);
  });
});

it.each([
  ['resources/read', { uri: 'mem://payroll' }],
  ['prompts/get', { name: 'ask' }],
])('concurrency holds for %s, and gives the place back', async (method, params) => {
  const { ask, ran } = await serving([concurrency({ limit: 1 })], { waitMs: 50 });
  const kinds = (await Promise.all([ask(method, params), ask(method, params)])).map(({ told }) => told);
  expect(kinds).toEqual([
    undefined,
    expect.objectContaining({ kind: 'overloaded', executed: 'no', message: 'Too many requests at once' }),
  ]);
  expect((await ask(method, params)).told).toBeUndefined();
  expect(ran).toHaveLength(2);
});

it.each([
  ['resources/read', { uri: 'mem://payroll' }],
  ['prompts/get', { name: 'ask' }],
])('deadline holds for %s', async (method, params) => {
  // What is said of a tool says nothing of a prompt of its name.
  const { ask } = await serving([deadline({ ms: 30, tools: { ask: false } })], { waitMs: 5000 });
  expect((await ask(method, params)).told).toMatchObject({
    kind: 'timeout',
    message: 'No answer within 30 ms',
  });
});

describe('sizeLimits', () => {
  it.each([
    ['resources/read', { uri: 'mem://payroll' }],
    ['prompts/get', { name: 'ask' }],
  ])('holds for what %s comes back with', async (method, params) => {
    const { ask } = await serving([sizeLimits({ maxResultBytes: 500 })]);
    expect((await ask(method, params)).told).toMatchObject({
      kind: 'too_large',
      executed: 'yes',
      message: 'The result is too large to send',
    });
  });

  it('holds for what is sent, whatever it is called', async () => {
    const { ask, ran } = await serving([sizeLimits({ maxArgumentBytes: 200 })]);
    const large = 'y'.repeat(300);
    const told = async (method: string, params: object) => (await ask(method, params)).told;
    expect(await told('resources/read', { uri: `mem://${large}` })).toMatchObject({
      kind: 'too_large',
      message: 'The parameters are too large',
    });
    expect(await told('prompts/get', { name: 'ask', arguments: { a: large } })).toMatchObject({
      kind: 'too_large',
      message: 'The arguments are too large',
    });
    const ref = { type: 'ref/prompt', name: 'ask' };
    expect(await told('completion/complete', { ref, argument: { name: 'a', value: large } })).toMatchObject({
      kind: 'too_large',
      message: 'The parameters are too large',
    });
    expect(ran).toEqual([]);
  });

  it('does not count what the protocol itself sends along, nor take nothing for much', async () => {
    const { ask, ran } = await serving([sizeLimits({ maxArgumentBytes: 30 })]);
    const _meta = { progressToken: 'p'.repeat(100) };
    expect((await ask('resources/read', { uri: 'mem://payroll', _meta })).told).toBeUndefined();
    const { ask: strict } = await serving([sizeLimits({ maxArgumentBytes: 5 })]);
    expect((await strict('prompts/get', { name: 'ask' })).told).toBeUndefined();
    expect(ran).toEqual(['resources/read']);
  });

  it('is of tools alone where its user says so', async () => {
    const { ask } = await serving([sizeLimits({ maxResultBytes: 500, methods: ['tools/call'] })]);
    expect((await ask('resources/read', { uri: 'mem://payroll' })).told).toBeUndefined();
    expect((await ask('tools/call', { name: 'pay', arguments: {} })).told?.kind).toBe('too_large');
  });
});

it('scopes and approvals are of tools: a prompt of a tool’s name is none', async () => {
  const store = createMemoryApprovals();
  const guards = [
    scopes({ required: { ask: ['a'], pay: ['b'] }, opaque: true, sensitive: ['mem://payroll'] }),
    approval({ tools: () => true, store }),
  ];
  const { ask, ran } = await serving(guards);
  await ask('prompts/get', { name: 'ask' });
  await ask('resources/read', { uri: 'mem://payroll' });
  expect((await ask('tools/call', { name: 'pay', arguments: {} })).told?.kind).toBe('forbidden');
  expect(ran).toEqual(['prompts/get', 'resources/read']);
  expect(guards.map(({ methods }) => methods)).toEqual([['tools/call'], ['tools/call']]);
});
