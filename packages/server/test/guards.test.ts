/** Guards, alone and on a server. */
import { faultOf } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import {
  approval,
  type Call,
  type Clock,
  concurrency,
  createMemoryApprovals,
  createMemoryRateStore,
  deadline,
  digestKey,
  type Guard,
  keys,
  protect,
  rateLimit,
  scopes,
  sizeLimits,
} from '../src/index.ts';
import { failingServer } from './fixture.ts';
import { ask, faultIn, textOf } from './wire.ts';

function callOf(init: Partial<Call> = {}): Call {
  return {
    id: 1,
    method: 'tools/call',
    name: 'pay',
    arguments: {},
    message: { jsonrpc: '2.0', id: 1, method: 'tools/call' },
    revision: '2026-07-28',
    auth: undefined,
    principal: 'ada',
    scopes: [],
    tool: { enabled: true },
    header: () => undefined,
    meta: () => undefined,
    ...init,
  };
}

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

  it('forgets the quietest key when there are too many', () => {
    const store = createMemoryRateStore({ maxKeys: 2 });
    const take = (key: string) => store.take({ key, limit: 1, windowMs: 1000, now: 0 });
    expect([take('a'), take('b'), take('a'), take('c'), take('b')]).toEqual([0, 0, 1000, 0, 0]);
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
    const store = createMemoryApprovals({ newId: () => 'apr_1' });
    const guards = [approval({ tools: ['pay'], store })];
    const call = callOf({ arguments: { amount: 5, to: 'bob' } });
    expect(await refusal(guards, call)).toMatchObject({
      kind: 'approval_required',
      message: 'pay requires approval (request apr_1)',
      details: { approval_id: 'apr_1' },
    });
    expect(store.waiting()).toEqual([
      { id: 'apr_1', tool: 'pay', principal: 'ada', arguments: { amount: 5, to: 'bob' } },
    ]);
    expect(store.approve('apr_1')).toBe(true);
    expect(await refusal(guards, callOf({ arguments: { to: 'bob', amount: 500 } }))).toMatchObject({
      kind: 'approval_required',
    });
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
