/** Guarding itself: when, how often, and what was there before. */
import { InMemoryTransport, McpServer, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as main from '../src/index.ts';
import {
  approval,
  type Clock,
  concurrency,
  deadline,
  digestKey,
  guard,
  keys,
  rateLimit,
  scopes,
  sizeLimits,
} from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import * as v1 from '../src/v1.ts';
import { failingServer, LEAK, SECRET } from './fixture.ts';
import { ask, connectRaw, faultIn } from './wire.ts';

const fail = async (): Promise<never> => {
  throw new Error(LEAK);
};

async function connect(server: { connect(transport: InMemoryTransport): Promise<void> }) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  return talk(near);
}

async function talk(near: InMemoryTransport) {
  const waiting: ((message: Message) => void)[] = [];
  near.onmessage = (message) => waiting.shift()?.(message as Message);
  await near.start();
  return (message: object): Promise<Message> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      void near.send({ jsonrpc: '2.0', id: 1, ...message } as never);
    });
}

const call = (name: string) => ({ method: 'tools/call', params: { name } });

describe('what was registered before', () => {
  it('is redacted, and masked where its handle is given', async () => {
    const make = () => {
      const server = new McpServer({ name: 's', version: '1' });
      return { server, handle: server.registerTool('early', {}, fail) };
    };
    const without = make();
    const redacted = await (await connect(guard(without.server)))(call('early'));
    expect(JSON.stringify(redacted)).not.toContain(SECRET);
    const given = make();
    const masked = await (await connect(guard(given.server, { registered: [given.handle] })))(call('early'));
    expect(faultIn(masked)).toMatchObject({ kind: 'internal', message: 'Internal error' });
  });

  it('includes handlers that a declared capability installs', async () => {
    const answer = await ask(
      () => failingServer({}, { capabilities: { tools: {}, resources: {}, prompts: {} } }),
      '2026-07-28',
      'resources/read',
      { uri: 'fails://error' },
    );
    expect(answer?.text).not.toContain(SECRET);
  });

  it('includes the connection', async () => {
    const server = new McpServer({ name: 's', version: '1' }, { capabilities: { tools: {} } });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    guard(server).registerTool('late', {}, fail);
    expect(faultIn(await (await talk(near))(call('late')))).toMatchObject({ kind: 'internal' });
  });
});

describe('later changes of a tool', () => {
  it('stay behind the guard', async () => {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    const handle = server.registerTool('a', {}, async () => ({ content: [] }));
    handle.update({ name: 'b', callback: fail as never });
    const send = await connect(server);
    expect(faultIn(await send(call('b')))).toMatchObject({ kind: 'internal' });
    expect(faultIn(await send(call('a')))).toMatchObject({ kind: 'not_found' });
  });
});

it('guards a low-level server', async () => {
  const server = guard(new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } }));
  server.setRequestHandler('tools/call', fail);
  expect(faultIn(await (await connect(server))(call('any')))).toMatchObject({
    kind: 'internal',
    subject: { id: 'any' },
  });
});

it('leaves pages alone where the author serves them', async () => {
  const server = guard(new McpServer({ name: 's', version: '1' }));
  server.registerTool('a', {}, async () => ({ content: [] }));
  server.server.setRequestHandler('tools/list', async (request) => ({
    tools: [],
    nextCursor: `after ${request.params?.cursor}`,
  }));
  const answer = await (await connect(server))({ method: 'tools/list', params: { cursor: 'x' } });
  expect(answer.result).toMatchObject({ nextCursor: 'after x' });
});

it('aborts the handler whose deadline has passed, and drops what it says later', async () => {
  const timers: (() => void)[] = [];
  let now = 0;
  const clock: Clock = { now: () => now, setTimeout: (run) => timers.push(run), clearTimeout: () => {} };
  const server = guard(new McpServer({ name: 's', version: '1' }), { clock, deadlineMs: 1000 });
  let signal: AbortSignal | undefined;
  let finish: (value: { content: [] }) => void = () => {};
  server.registerTool('slow', {}, (ctx) => {
    signal = ctx.mcpReq.signal;
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  server.registerTool('fine', {}, async () => ({ content: [] }));
  const send = await connect(server);
  const answer = send(call('slow'));
  await new Promise((resolve) => setImmediate(resolve));
  now = 1000;
  timers[0]?.();
  expect(faultIn(await answer)).toMatchObject({ kind: 'timeout', message: 'No answer within 1 s' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(signal?.aborted).toBe(true);
  finish({ content: [] });
  expect(await send({ ...call('fine'), id: 2 })).toMatchObject({ id: 2, result: {} });
});

it('sends no answer to a request that was cancelled', async () => {
  const server = guard(new McpServer({ name: 's', version: '1' }));
  let reject: (reason: Error) => void = () => {};
  server.registerTool('slow', {}, () => new Promise((_, fails) => (reject = fails)));
  server.registerTool('fine', {}, async () => ({ content: [] }));
  const send = await connect(server);
  void send(call('slow'));
  const next = send({ id: undefined, method: 'notifications/cancelled', params: { requestId: 1 } });
  await new Promise((resolve) => setImmediate(resolve));
  reject(new Error('late'));
  void send({ ...call('fine'), id: 2 });
  expect(await Promise.race([next, send({ ...call('fine'), id: 3 })])).toMatchObject({ result: {} });
});

const fresh = () => new McpServer({ name: 's', version: '1' });

describe('wrong options', () => {
  it.each([
    [{ dialect: 'klingon' }, /^Expected `dialect` to be one of closient, .*, got "klingon"$/],
    [{ deadlineMs: -1 }, /^Expected `deadlineMs` to be a positive number, a function or false, got -1$/],
    [{ clientDialects: 'x' }, /^Expected `clientDialects` to be a list of dialects or false, got "x"$/],
    [
      { clientDialects: ['mcp', 'onxx'] },
      /^Expected `clientDialects\[1\]` to be one of closient, .*, got "onxx"; did you mean `onx`\?$/,
    ],
    [{ dialect: 'Onx' }, /^Expected `dialect` to be one of closient, .*, got "Onx"; did you mean `onx`\?$/],
    [{ placement: 'http' }, /^Expected `placement` to be "protocol" or "tool", got "http"$/],
    [{ logger: {} }, /^Expected `logger` to be an object with `error\(fields, message\)`, got \{\}$/],
    [{ onFault: 1 }, /^Expected `onFault` to be a function, got 1$/],
    [{ guards: [{}] }, /^Expected `guards` to be a list of guards/],
  ])('%o are named', (options, sentence) => {
    expect(() => guard(new McpServer({ name: 's', version: '1' }), options as never)).toThrow(sentence);
  });

  it.each([
    [
      () => guard(fresh(), { deadlineMS: 1 } as never),
      '`guard` has no option `deadlineMS`: did you mean `deadlineMs`?',
    ],
    [
      () => guard(fresh(), { colour: 'red' } as never),
      /^`guard` has no option `colour`: its options are dialect, /,
    ],
    [
      () => guard(fresh(), 'mayday' as never),
      'Expected the options of `guard` to be an object, got "mayday"',
    ],
    [
      () => rateLimit({ limit: 1, window: 1000 } as never),
      '`rateLimit` has no option `window`: did you mean `windowMs`?',
    ],
    [
      () => keys({ lookup: () => undefined, form: 1 } as never),
      '`keys` has no option `form`: did you mean `from`?',
    ],
    [() => scopes({ require: {} } as never), '`scopes` has no option `require`: did you mean `required`?'],
    [
      () => concurrency({ limit: 1, queues: 2 } as never),
      '`concurrency` has no option `queues`: did you mean `queue`?',
    ],
    [
      () => sizeLimits({ maxArgumentByte: 1 } as never),
      '`sizeLimits` has no option `maxArgumentByte`: did you mean `maxArgumentBytes`?',
    ],
    [() => deadline({ ms: 1, tool: {} } as never), '`deadline` has no option `tool`: did you mean `tools`?'],
    [
      () => approval({ tools: [], stores: {} } as never),
      '`approval` has no option `stores`: did you mean `store`?',
    ],
    [() => digestKey('short'), /^Expected a key of 8 to 512 letters/],
  ])('are refused, with the one that was probably meant', (make, sentence) => {
    expect(make).toThrow(sentence);
  });

  it('include guarding twice', () => {
    expect(() => guard(guard(new McpServer({ name: 's', version: '1' })))).toThrow('not guarded yet');
  });
});

it('has the same for SDK v1, name by name', () => {
  expect(Object.keys(v1).sort()).toEqual(Object.keys(main).sort());
  expect(v1.guard).toBe(main.guard);
});

describe('two requests under one id', () => {
  it('cannot be told apart: the second is refused, and the first is answered', async () => {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    let finish: (value: { content: [] }) => void = () => {};
    let entered = 0;
    server.registerTool('slow', {}, () => {
      entered++;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    const client = await connectRaw(server);
    await client.send({ id: 7, ...call('slow') });
    await client.send({ id: 7, ...call('slow') });
    await new Promise((resolve) => setImmediate(resolve));
    finish({ content: [] });
    await new Promise((resolve) => setImmediate(resolve));
    expect(client.received).toMatchObject([
      {
        id: 7,
        error: { code: -32600, message: expect.stringMatching(/^Another request with this id is under way/) },
      },
      { id: 7, result: {} },
    ]);
    expect(entered).toBe(1);
  });

  it.each([
    ['the very same is the same request', 'k', 'k', {}, [{ id: 7, result: {} }]],
    [
      'another key is another request',
      'k',
      'l',
      {},
      [
        { id: 7, error: { code: -32600 } },
        { id: 7, result: {} },
      ],
    ],
    [
      'so are other arguments',
      'k',
      'k',
      { n: 2 },
      [
        { id: 7, error: { code: -32600 } },
        { id: 7, result: {} },
      ],
    ],
  ])('with a key, %s', async (_, one, two, args, answers) => {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    let finish: (value: { content: [] }) => void = () => {};
    let entered = 0;
    server.registerTool('slow', {}, () => {
      entered++;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    const client = await connectRaw(server);
    const keyed = (key: string, given: object) => {
      const _meta = { 'dev.mayday/idempotency-key': key };
      return { id: 7, method: 'tools/call', params: { name: 'slow', arguments: given, _meta } };
    };
    await client.send(keyed(one, {}));
    await client.send(keyed(two, args));
    await new Promise((resolve) => setTimeout(resolve, 20));
    finish({ content: [] });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(client.received).toMatchObject(answers);
    expect(client.received).toHaveLength(answers.length);
    expect(entered).toBe(1);
  });
});

it('answers when a function of the operator’s throws', async () => {
  const deadlineMs = (): number => {
    throw new Error(LEAK);
  };
  const client = await connectRaw(guard(fresh(), { deadlineMs }));
  const answer = await client.ask('tools/list');
  expect(answer.error).toMatchObject({ code: -32603, data: { kind: 'internal', executed: 'no' } });
  expect(JSON.stringify(answer)).not.toContain(SECRET);
});

it('survives a connection that breaks while it answers', async () => {
  const errors: Error[] = [];
  const server = guard(fresh(), { deadlineMs: 20 });
  server.registerTool('slow', {}, () => new Promise<never>(() => {}));
  server.server.onerror = (error) => void errors.push(error);
  const [near, far] = InMemoryTransport.createLinkedPair();
  far.send = () => Promise.reject(new Error('broken pipe'));
  await server.connect(far);
  await near.start();
  await near.send({ jsonrpc: '2.0', id: 1, ...call('slow') });
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(errors.map((error) => error.message)).toEqual(['No answer within 20 ms', 'broken pipe']);
});
