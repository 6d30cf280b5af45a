/** Guards, alone and on a server. */
import { faultOf } from '@mayday/core';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import {
  approval,
  type Call,
  type Clock,
  concurrency,
  createMemoryApprovals,
  deadline,
  digestKey,
  type Guard,
  guard,
  keys,
  protect,
  rateLimit,
  scopes,
  sizeLimits,
} from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { callOf } from './call-of.ts';
import { failingServer } from './fixture.ts';
import { ask, faultIn, textOf } from './wire.ts';

/** The fault that guards answer with; `undefined` when they let the call through. */
async function refusal(guards: readonly Guard[], call: Call = callOf(), run: () => unknown = () => 'done') {
  return protect(guards, call, run).then(
    () => undefined,
    (reason: unknown) => faultOf(reason),
  );
}

describe('rateLimit', () => {
  it('lets so many calls through in any window, and says how long to wait', async () => {
    let now = 1000;
    const guards = [rateLimit({ limit: 2, windowMs: 1000, now: () => now })];
    expect(await refusal(guards)).toBeUndefined();
    now = 1400;
    expect(await refusal(guards)).toBeUndefined();
    now = 1500;
    expect(await refusal(guards)).toMatchObject({
      kind: 'rate_limited',
      retry: { when: 'after_wait', afterMs: 500 },
    });
    now = 2000;
    expect(await refusal(guards)).toBeUndefined();
    expect(await refusal(guards)).toMatchObject({ retry: { afterMs: 400 } });
  });

  it('counts each caller and tool apart, unless told otherwise', async () => {
    const apart = [rateLimit({ limit: 1, windowMs: 1000, now: () => 0 })];
    const together = [rateLimit({ limit: 1, windowMs: 1000, now: () => 0, per: 'caller' })];
    const [a, b, c] = [callOf(), callOf({ name: 'refund' }), callOf({ principal: 'bob' })];
    expect([await refusal(apart, a), await refusal(apart, b), await refusal(apart, c)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await refusal(together, a)).toBeUndefined();
    expect(await refusal(together, b)).toMatchObject({ kind: 'rate_limited' });
    expect(await refusal(together, c)).toBeUndefined();
  });

  it('refuses when the store fails, unless it is told to let through', async () => {
    const store = { take: () => Promise.reject(new Error('redis://:secret@cache is down')) };
    const closed = await refusal([rateLimit({ limit: 1, windowMs: 1000, store })]);
    expect(closed).toMatchObject({ kind: 'unavailable' });
    expect(JSON.stringify(closed)).not.toContain('secret');
    expect(
      await refusal([rateLimit({ limit: 1, windowMs: 1000, store, whenStoreFails: 'open' })]),
    ).toBeUndefined();
  });

  it('forgets nobody, whatever names are tried: those that do not exist are counted together', async () => {
    const guards = [rateLimit({ limit: 1, windowMs: 1000, now: () => 0 })];
    expect(await refusal(guards)).toBeUndefined();
    expect(await refusal(guards, callOf({ name: 'x', tool: undefined }))).toBeUndefined();
    for (let at = 0; at < 10_001; at += 1) {
      const guess = refusal(guards, callOf({ name: `x${at}`, tool: undefined }));
      expect(await guess).toMatchObject({ kind: 'rate_limited' });
    }
    expect(await refusal(guards)).toMatchObject({ kind: 'rate_limited' });
  });

  it.each([
    [{ limit: 0, windowMs: 1 }, 'Expected `limit` to be a positive number, got 0'],
    [{ limit: 1, windowMs: '1' }, 'Expected `windowMs` to be a positive number, got "1"'],
    [
      { limit: 1, windowMs: 1, per: 'ip' },
      'Expected `per` to be "caller-and-tool", "caller" or a function, got "ip"',
    ],
  ])('rejects %o', (options, sentence) => {
    expect(() => rateLimit(options as never)).toThrow(new TypeError(sentence));
  });
});

describe('concurrency', () => {
  it('refuses beyond the limit, and frees the place of a call that failed', async () => {
    const guards = [concurrency({ limit: 1 })];
    let finish: (value: unknown) => void = () => {};
    const first = protect(guards, callOf(), () => new Promise((resolve) => (finish = resolve)));
    await Promise.resolve();
    expect(await refusal(guards)).toMatchObject({ kind: 'overloaded', retryable: true });
    finish('done');
    await first;
    expect(await refusal(guards, callOf(), () => Promise.reject(new Error('boom')))).toBeUndefined();
    expect(await refusal(guards)).toBeUndefined();
  });

  it('queues, in order', async () => {
    const guards = [concurrency({ limit: 1, queue: 1 })];
    const order: string[] = [];
    let finish: (value: unknown) => void = () => {};
    const first = protect(guards, callOf(), () => new Promise((resolve) => (finish = resolve)));
    await Promise.resolve();
    const second = protect(guards, callOf(), () => order.push('second'));
    expect(await refusal(guards)).toMatchObject({ kind: 'overloaded' });
    order.push('first');
    finish('done');
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });
});

/** Handlers that do not listen to anybody, on a real server, over one connection. */
async function stubbornServer(guards: readonly Guard[]) {
  const seen = { running: 0, most: 0, begun: 0 };
  const ends: (() => void)[] = [];
  const server = guard(new McpServer({ name: 'stubborn', version: '1.0.0' }), { guards });
  server.registerTool('work', {}, async () => {
    seen.begun += 1;
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    await new Promise<void>((resolve) => ends.push(resolve));
    seen.running -= 1;
    return { content: [] };
  });
  const [client, transport] = InMemoryTransport.createLinkedPair();
  const answers: Message[] = [];
  client.onmessage = (message) => answers.push(message as Message);
  await server.connect(transport);
  await client.start();
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const send = (message: object) => client.send({ jsonrpc: '2.0', ...message } as never);
  await send({ id: 0, method: 'initialize', params });
  await send({ method: 'notifications/initialized' });
  const work = (id: number) => send({ id, method: 'tools/call', params: { name: 'work', arguments: {} } });
  const cancel = (requestId: number) => send({ method: 'notifications/cancelled', params: { requestId } });
  return { seen, answers, work, cancel, end: () => ends.shift()?.() };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits for something to become true; what it was for says so itself when it never does. */
async function until(holds: () => boolean): Promise<void> {
  for (let left = 400; left > 0 && !holds(); left -= 1) await pause(10);
}

describe('concurrency, with handlers that ignore everything', () => {
  it('holds when deadlines fire, and says of those that never ran that they did not', async () => {
    const guards = [concurrency({ limit: 1, queue: 10 }), deadline({ ms: 300 })];
    const { seen, answers, work } = await stubbornServer(guards);
    for (let id = 1; id <= 6; id += 1) await work(id);
    await until(() => answers.length === 7);
    expect(seen).toMatchObject({ most: 1, begun: 1 });
    const faults = answers.filter(({ id }) => id !== 0).map((message) => faultIn(message));
    expect(faults.map((fault) => [fault['kind'], fault['executed']])).toEqual([
      ['timeout', 'maybe'],
      ...Array.from({ length: 5 }, () => ['timeout', 'no']),
    ]);
  });

  it('holds when fifty are called and cancelled, and goes on afterwards', async () => {
    const { seen, answers, work, cancel, end } = await stubbornServer([concurrency({ limit: 2, queue: 5 })]);
    for (let id = 1; id <= 50; id += 1) {
      await work(id);
      if (id % 2 === 0) await pause(1);
      await cancel(id);
    }
    await until(() => seen.running === 2);
    expect(seen.most).toBe(2);
    for (let left = seen.running; left > 0; left -= 1) end();
    await until(() => seen.running === 0);
    await work(99);
    await until(() => seen.running === 1);
    end();
    await until(() => answers.at(-1)?.id === 99);
    expect(answers.at(-1)).toMatchObject({ id: 99, result: { content: [] } });
  });

  it('is not wedged by two requests with one id', async () => {
    const { seen, answers, work, end } = await stubbornServer([concurrency({ limit: 2 })]);
    await work(7);
    await work(7);
    await until(() => seen.running === 1 && answers.at(-1)?.id === 7);
    expect(faultIn(answers.at(-1))).toMatchObject({ kind: 'invalid_request', executed: 'maybe' });
    end();
    await until(() => seen.running === 0);
    await work(8);
    await work(9);
    await until(() => seen.running === 2);
    expect(seen).toMatchObject({ begun: 3, running: 2, most: 2 });
  });
});

describe('scopes', () => {
  const guards = [scopes({ required: { pay: ['orders.write', 'orders.read'] } })];

  it('names what is missing', async () => {
    const fault = await refusal(guards, callOf({ scopes: ['orders.read'] }));
    expect(fault).toMatchObject({
      kind: 'forbidden',
      message: 'Missing scope orders.write',
      details: { required_scopes: ['orders.write'] },
    });
  });

  it('lets through who has them all, and everybody to other tools', async () => {
    expect(await refusal(guards, callOf({ scopes: ['orders.read', 'orders.write'] }))).toBeUndefined();
    expect(await refusal(guards, callOf({ name: 'constructor' }))).toBeUndefined();
  });
});

describe('approval', () => {
  it('holds a call back until a person consents, once', async () => {
    let ids = 0;
    const store = createMemoryApprovals({ newId: () => `apr_${++ids}` });
    const guards = [approval({ tools: ['pay'], store })];
    const call = callOf({ arguments: { amount: 5, to: 'bob' } });
    expect(await refusal(guards, call)).toMatchObject({
      kind: 'approval_required',
      message: 'pay requires approval (request apr_1)',
      details: { approval_id: 'apr_1' },
    });
    expect(store.waiting()).toMatchObject([
      { id: 'apr_1', target: 'pay', caller: 'ada', arguments: { amount: 5, to: 'bob' } },
    ]);
    expect(store.approve('apr_1')).toBe(true);
    for (const args of [
      { to: 'bob', amount: 500 },
      [
        ['amount', 5],
        ['to', 'bob'],
      ],
    ])
      expect(await refusal(guards, callOf({ arguments: args }))).toMatchObject({ kind: 'approval_required' });
    expect(await refusal(guards, callOf({ arguments: { to: 'bob', amount: 5 } }))).toBeUndefined();
    expect(await refusal(guards, call)).toMatchObject({ kind: 'approval_required' });
  });

  it('says no when a person said no', async () => {
    const store = createMemoryApprovals({ newId: () => 'apr_2' });
    const guards = [approval({ tools: () => true, store })];
    await refusal(guards);
    store.reject('apr_2');
    expect(await refusal(guards)).toMatchObject({ kind: 'forbidden' });
  });
});

describe('sizeLimits', () => {
  it.each([
    [{ maxArgumentBytes: 100 }, { text: 'x'.repeat(200) }, 'The arguments are too large'],
    [{ maxArgumentBytes: 100 }, { list: Array(200).fill(1) }, 'The arguments are too large'],
    [{ maxDepth: 3 }, { a: { b: { c: { d: 1 } } } }, 'The arguments are nested too deeply'],
  ])('refuses by %o', async (options, args, message) => {
    expect(await refusal([sizeLimits(options)], callOf({ arguments: args }))).toMatchObject({
      kind: 'too_large',
      message,
    });
  });

  it('refuses a result that nobody could take, and says that it ran', async () => {
    const fault = await refusal([sizeLimits({ maxResultBytes: 100 })], callOf(), () => ({
      text: 'x'.repeat(200),
    }));
    expect(fault).toMatchObject({ kind: 'too_large', executed: 'yes' });
  });

  it('lets the rest through', async () => {
    const guards = [sizeLimits({ maxArgumentBytes: 100, maxDepth: 3, maxResultBytes: 100 })];
    expect(await refusal(guards, callOf({ arguments: { a: 1 } }))).toBeUndefined();
  });
});

describe('deadline', () => {
  it.each([
    [0.4, 'No answer within 1 ms'],
    [1.9, 'No answer within 1 ms'],
    [1000, 'No answer within 1 s'],
    [1590, 'No answer within 1.5 s'],
  ])('of %d ms is told without making it longer', async (ms, message) => {
    const clock: Clock = { now: () => 0, setTimeout: (run) => setTimeout(run), clearTimeout: () => {} };
    const slow = protect([deadline({ ms })], callOf(), () => new Promise(() => {}), clock);
    await expect(slow).rejects.toMatchObject({ message });
  });

  it('gives each tool its time, by an injected clock', async () => {
    const timers: (() => void)[] = [];
    const asked: number[] = [];
    const clock: Clock = {
      now: () => 0,
      setTimeout: (run, ms) => {
        asked.push(ms);
        return timers.push(run);
      },
      clearTimeout: () => {},
    };
    const guards = [deadline({ ms: 50, tools: { pay: 7000, wait: false } })];
    const slow = protect(guards, callOf(), () => new Promise(() => {}), clock);
    await new Promise((resolve) => setImmediate(resolve));
    timers[0]?.();
    await expect(slow).rejects.toMatchObject({ message: 'No answer within 7 s' });
    await protect(guards, callOf({ name: 'wait' }), () => 1, clock);
    await protect(guards, callOf({ name: 'other' }), () => 1, clock);
    expect(asked).toEqual([7000, 50]);
  });
});

describe('on a server', () => {
  it('are asked in order before the tool, whose arguments are not even looked at', async () => {
    const guards = [
      keys({
        lookup: (digest) =>
          digest === digestKey('key-of-ada-1') ? { principal: 'ada', scopes: ['a'] } : undefined,
      }),
      scopes({ required: { args: ['b'] } }),
    ];
    const request = (authorization: string) =>
      ask(
        () => failingServer({ guards }),
        '2026-07-28',
        'tools/call',
        { name: 'args', arguments: {} },
        { authorization },
      );
    expect(faultIn((await request('Bearer nobody-knows-me'))?.message)).toMatchObject({
      kind: 'unauthenticated',
    });
    expect(faultIn((await request('bearer key-of-ada-1'))?.message)).toMatchObject({
      kind: 'forbidden',
      message: 'Missing scope b',
    });
  });

  it('say the wait in the text', async () => {
    const guards = [rateLimit({ limit: 1, windowMs: 30_000, now: () => 0 })];
    const request = () => ask(() => failingServer({ guards }), '2025-11-25', 'tools/call', { name: 'fine' });
    expect(textOf(await request())).toBe('fine');
    expect(textOf(await request())).toBe('Rate limit exceeded. Wait, then call again. Wait at least 30 s.');
  });

  it('free their place when the call is over', async () => {
    const guards = [concurrency({ limit: 1 })];
    for (const name of ['fine', 'error', 'bigint', 'nope', 'fine'])
      expect(
        faultIn((await ask(() => failingServer({ guards }), '2026-07-28', 'tools/call', { name }))?.message)[
          'kind'
        ],
      ).not.toBe('overloaded');
  });

  it('refuse results that are too large', async () => {
    const guards = [sizeLimits({ maxResultBytes: 10 })];
    const answer = await ask(() => failingServer({ guards }), '2026-07-28', 'tools/call', { name: 'fine' });
    expect(faultIn(answer?.message)).toMatchObject({ kind: 'too_large', executed: 'yes' });
  });
});
