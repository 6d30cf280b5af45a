/** Law 7: `executed: no` only where no handler began, whatever the kind. */
import { fault, KIND_NAMES, makeFault, read, toDocument } from '@mayday/core';
import { InMemoryTransport, McpServer, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  approval,
  createMemoryApprovals,
  type GuardOptions,
  guard,
  keys,
  rateLimit,
  sizeLimits,
} from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { connectRaw, faultIn, textOf } from './wire.ts';

const http = (status: number) =>
  Object.assign(new Error(`Request failed with status code ${status}`), { status });
const errno = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

/** What a tool throws, or returns as a failure, after it has done its work. */
const AFTERWARDS: { readonly [name: string]: () => unknown } = {
  'an error': () => new Error('fetch failed'),
  ECONNREFUSED: () => errno('ECONNREFUSED'),
  ENOTFOUND: () => errno('ENOTFOUND'),
  'HTTP 429': () => http(429),
  'HTTP 503': () => http(503),
  'HTTP 401': () => http(401),
  'a mail that failed': () => new Error('Payment accepted; receipt email failed: 503'),
  'rows that were written': () => new Error('3 of 5 rows written … rate limit exceeded'),
  'a rejected backend': () => new Error('created but the notification service is unavailable'),
  'a zod error': () => z.object({ id: z.string() }).safeParse({}).error,
  'a string': () => 'Service unavailable',
};

function serverThat(run: () => unknown, options?: GuardOptions): McpServer {
  const server = guard(new McpServer({ name: 's', version: '1' }), options);
  server.registerTool('pay', { inputSchema: z.object({ amount: z.number() }) }, (async () => run()) as never);
  return server;
}

async function call(server: McpServer | Server, params: object = {}): Promise<Message> {
  const { ask } = await connectRaw(server);
  return ask('tools/call', { name: 'pay', arguments: { amount: 1 }, ...params });
}

function throwing(reason: unknown): () => never {
  return () => {
    throw reason;
  };
}

describe('after a handler began', () => {
  it.each(Object.entries(AFTERWARDS))('%s is `maybe` when thrown', async (_name, make) => {
    const answer = await call(serverThat(throwing(make())));
    expect(faultIn(answer)).toMatchObject({ executed: 'maybe' });
  });

  it.each(Object.entries(AFTERWARDS))('%s is `maybe` when returned as an error result', async (_n, make) => {
    const text = String((make() as Error).message ?? make());
    const answer = await call(serverThat(() => ({ content: [{ type: 'text', text }], isError: true })));
    expect(faultIn(answer)).toMatchObject({ executed: 'maybe' });
  });

  it.each(KIND_NAMES.filter((kind) => kind !== 'invalid_output'))(
    'a fault of kind %s is `maybe` unless the author said otherwise',
    async (kind) => {
      expect(faultIn(await call(serverThat(throwing(fault(kind, 'x')))))).toMatchObject({
        kind,
        executed: 'maybe',
      });
      for (const executed of ['no', 'yes', 'maybe'] as const) {
        const answer = await call(serverThat(throwing(fault(kind, 'x', { executed }))));
        expect(faultIn(answer)).toMatchObject({ kind, executed });
      }
    },
  );

  const FOREIGN = {
    'a fault document': {
      'dev.mayday/fault': toDocument(makeFault({ kind: 'unavailable', executed: 'no' })),
    },
    'a tool-failure': { 'io.modelcontextprotocol/toolFailure': { category: 'policy_blocked' } },
  };

  it.each(Object.entries(FOREIGN))('%s of another server says nothing about this call', async (_, _meta) => {
    for (const dialect of ['mayday', 'mcp', 'problem'] as const) {
      const content = [{ type: 'text', text: 'busy' }];
      const answer = await call(serverThat(() => ({ isError: true, content, _meta }), { dialect }));
      const heard = read(answer);
      expect(heard).toMatchObject({ failure: true, fault: { executed: 'maybe' } });
    }
  });

  it.each(Object.entries(FOREIGN))('a success with %s in its meta is a plain success', async (_, _meta) => {
    const content = [{ type: 'text', text: 'paid' }];
    const kept = { 'example.com/receipt': '4711' };
    const answer = await call(serverThat(() => ({ content, _meta: { ..._meta, ...kept } })));
    expect(read(answer)).toEqual({ failure: false });
    expect(answer.result).toMatchObject({ content, _meta: kept });
    const keys = Object.keys(answer.result?.['_meta'] as object);
    expect(keys.filter((key) => key in _meta)).toEqual([]);
  });

  it('an answer of the wrong form says that it happened', async () => {
    expect(faultIn(await call(serverThat(() => undefined)))).toMatchObject({
      kind: 'invalid_output',
      executed: 'yes',
    });
  });

  it('holds for handlers that were registered before the guard', async () => {
    const server = new McpServer({ name: 's', version: '1' });
    server.registerTool('pay', { inputSchema: z.object({ amount: z.number() }) }, async () => {
      throw new Error('Service unavailable');
    });
    expect(faultIn(await call(guard(server)))).toMatchObject({ executed: 'maybe' });
  });

  it('holds for low-level servers', async () => {
    const server = guard(new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } }));
    server.setRequestHandler('tools/call', throwing(http(503)));
    expect(faultIn(await call(server))).toMatchObject({ executed: 'maybe' });
  });

  it('holds when the deadline passes', async () => {
    const answer = await call(serverThat(() => new Promise(() => {}), { deadlineMs: 30 }));
    expect(faultIn(answer)).toMatchObject({ kind: 'timeout', executed: 'maybe' });
  });
});

it('does not warn of repeating a tool that only reads', async () => {
  const server = guard(new McpServer({ name: 's', version: '1' }), { deadlineMs: 30 });
  const hang = (): Promise<never> => new Promise(() => {});
  server.registerTool('look', { annotations: { readOnlyHint: true } }, hang);
  const answer = await call(server, { name: 'look' });
  expect(textOf({ message: answer })).toBe('No answer within 30 ms. A repetition does no harm; try again.');
  expect(faultIn(answer)).toMatchObject({ kind: 'timeout', executed: 'maybe' });
});

describe('a refusal before the handler', () => {
  const refused = async (options: GuardOptions, params: object = {}): Promise<Message> => {
    let ran = 0;
    const answer = await call(
      serverThat(() => ran++, options),
      params,
    );
    expect(ran).toBe(0);
    return answer;
  };

  it.each([
    ['an unknown tool', {}, { name: 'nope' }, 'not_found'],
    ['arguments that break the schema', {}, { arguments: { amount: 'x' } }, 'invalid_arguments'],
    ['no key', { guards: [keys({ lookup: () => undefined })] }, {}, 'unauthenticated'],
    ['a size limit', { guards: [sizeLimits({ maxArgumentBytes: 2 })] }, {}, 'too_large'],
    [
      'an approval',
      { guards: [approval({ tools: ['pay'], store: createMemoryApprovals() })] },
      {},
      'approval_required',
    ],
    [
      'a rate limit whose store fails',
      {
        guards: [
          rateLimit({ limit: 1, windowMs: 1000, store: { take: () => Promise.reject(new Error('down')) } }),
        ],
      },
      {},
      expect.any(String),
    ],
  ] as const)('%s is `no`', async (_name, options, params, kind) => {
    expect(faultIn(await refused(options as GuardOptions, params))).toMatchObject({ kind, executed: 'no' });
  });

  it('a rate limit is `no`', async () => {
    const server = serverThat(() => ({ content: [] }), {
      guards: [rateLimit({ limit: 1, windowMs: 60_000 })],
    });
    const { ask } = await connectRaw(server);
    const params = { name: 'pay', arguments: { amount: 1 } };
    await ask('tools/call', params);
    expect(faultIn(await ask('tools/call', params))).toMatchObject({ kind: 'rate_limited', executed: 'no' });
  });

  it('a deadline that passes while a guard holds the call back is `no`', async () => {
    const held = { name: 'held', before: () => new Promise<void>(() => {}) };
    expect(faultIn(await refused({ guards: [held], deadlineMs: 30 }))).toMatchObject({
      kind: 'timeout',
      executed: 'no',
    });
  });
});

describe('a validator’s error in a handler', () => {
  it('over a backend’s reply does not blame the arguments', async () => {
    const reply = z.object({ order: z.object({ id: z.string() }) });
    const answer = await call(serverThat(() => reply.parse({ order: {} })));
    expect(faultIn(answer)).toMatchObject({ kind: 'internal', executed: 'maybe' });
    expect(faultIn(answer)).not.toHaveProperty('issues');
    expect(textOf({ message: answer })).not.toMatch(/argument|order/);
  });

  it('over a low-level server’s arguments names them', async () => {
    const server = guard(new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } }));
    const schema = z.object({ amount: z.number(), currency: z.string() });
    server.setRequestHandler('tools/call', async (request) => {
      schema.parse(request.params.arguments);
      return { content: [] };
    });
    const answer = await call(server, { arguments: { amount: 'x' } });
    expect(faultIn(answer)).toMatchObject({
      kind: 'invalid_arguments',
      executed: 'maybe',
      issues: [{ path: ['amount'] }, { path: ['currency'] }],
    });
  });

  it('over what is missing blames the arguments only where the listing names it', async () => {
    const server = guard(new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } }));
    let missing = 'currency';
    server.setRequestHandler('tools/list', () => ({
      tools: [{ name: 'pay', inputSchema: { type: 'object', properties: { amount: {}, currency: {} } } }],
    }));
    server.setRequestHandler('tools/call', async () => {
      z.object({ [missing]: z.string() }).parse({});
      return { content: [] };
    });
    const { ask } = await connectRaw(server);
    const kind = async () =>
      faultIn(await ask('tools/call', { name: 'pay', arguments: { amount: 1 } }))['kind'];
    expect(await kind()).toBe('invalid_arguments');
    await ask('tools/list', {});
    expect(await kind()).toBe('invalid_arguments');
    missing = 'receipt';
    expect(await kind()).toBe('internal');
  });

  it('over a low-level server’s backend does not', async () => {
    const server = guard(new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } }));
    server.setRequestHandler('tools/call', async () => {
      z.object({ rows: z.array(z.object({ id: z.string() })) }).parse({ rows: [{}] });
      return { content: [] };
    });
    expect(faultIn(await call(server))).toMatchObject({ kind: 'internal' });
  });
});

it('does not start a handler whose call is over', async () => {
  let ran = 0;
  const server = guard(new McpServer({ name: 's', version: '1' }), { deadlineMs: 20 });
  const slow = z.object({}).refine(async () => {
    await new Promise((resolve) => setTimeout(resolve, 80));
    return true;
  });
  server.registerTool('pay', { inputSchema: slow }, async () => {
    ran++;
    return { content: [] };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const answered = new Promise<Message>((resolve) => {
    near.onmessage = (message) => resolve(message as Message);
  });
  await near.start();
  await near.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pay', arguments: {} } });
  expect(faultIn(await answered)).toMatchObject({ kind: 'timeout', executed: 'no' });
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(ran).toBe(0);
});
