import { expect, it } from 'vitest';
import { startCall } from '../call.ts';
import { rateCheck } from './rate.ts';
import { createMemoryRateStore } from './rate-store.ts';

const callOf = (init: object = {}) => startCall({ upstream: 'shop', target: 'pay', caller: 'ada', ...init });

it('lets so many calls through in any window, and says the exact wait', () => {
  let now = 1000;
  const check = rateCheck({ limit: 2, windowMs: 1000, clock: { now: () => now } });
  const waits: unknown[] = [];
  for (const at of [1000, 1400, 1500, 1999, 2000, 2000, 2399, 2400]) {
    now = at;
    const refusal = check(callOf());
    waits.push(refusal instanceof Promise ? refusal : refusal?.waitMs);
  }
  expect(waits).toEqual([undefined, undefined, 500, 1, undefined, 400, 1, undefined]);
});

it('is right after every stretch of time, against a count by hand', () => {
  const store = createMemoryRateStore();
  const taken: number[] = [];
  let now = 0;
  for (let step = 0; step < 5000; step += 1) {
    now += (step * 7919) % 37;
    const inWindow = taken.filter((at) => at > now - 500);
    const wait = store.take({ key: 'k', limit: 20, windowMs: 500, now });
    if (wait === 0) taken.push(now);
    expect(wait).toBe(inWindow.length < 20 ? 0 : (inWindow.at(-20) as number) + 500 - now);
  }
});

it('says what it refuses with', () => {
  const check = rateCheck({ limit: 1, windowMs: 30_000, clock: { now: () => 0 } });
  expect(check(callOf())).toBeUndefined();
  expect(check(callOf())).toMatchObject({
    by: 'rate',
    fault: {
      kind: 'rate_limited',
      executed: 'no',
      message: 'Rate limit exceeded',
      retry: { when: 'after_wait', afterMs: 30_000 },
      details: { limit: 1, window_ms: 30_000 },
    },
  });
});

it('counts each caller and target apart, and all that do not exist together', () => {
  const isKnown = ({ target }: { target?: string | undefined }) => target === 'pay';
  const check = rateCheck({ limit: 1, windowMs: 1000, isKnown, clock: { now: () => 0 } });
  const isFree = (init: object) => check(callOf(init)) === undefined;
  expect([isFree({}), isFree({}), isFree({ caller: 'bob' })]).toEqual([true, false, true]);
  expect([
    isFree({ target: 'x1' }),
    isFree({ target: 'x2' }),
    isFree({ target: 'x3', caller: 'bob' }),
  ]).toEqual([true, false, true]);
});

it('resets nobody when ten thousand unknown names are tried', () => {
  const store = createMemoryRateStore();
  const take = (key: string, now = 0) => store.take({ key, limit: 1, windowMs: 1000, now });
  expect(take('ada')).toBe(0);
  for (let name = 0; name < 10_001; name += 1) take(`x${name}`);
  expect(take('ada')).toBe(1000);
  // Beyond the bound, newcomers are counted together until somebody has been quiet for a window.
  expect([take('new 1'), take('new 2')]).toEqual([1000, 1000]);
  expect([take('ada', 1000), take('new 1', 1000), take('new 2', 1000)]).toEqual([0, 0, 0]);
});

it.each(['closed', 'open'] as const)('is %s when the store fails', async (whenStoreFails) => {
  const stores = [
    { take: () => Promise.reject(new Error('redis://:secret@cache is down')) },
    {
      take: () => {
        throw new Error('redis://:secret@cache is down');
      },
    },
  ];
  for (const store of stores) {
    const refusal = await rateCheck({ limit: 1, windowMs: 1000, store, whenStoreFails })(callOf());
    expect(refusal?.fault.kind).toBe(whenStoreFails === 'closed' ? 'unavailable' : undefined);
    expect(JSON.stringify(refusal?.fault ?? {})).not.toContain('secret');
  }
});

it.each([
  ['caller', [true, false, false, true]],
  ['caller-and-target', [true, true, true, true]],
  [({ target }: { target?: string | undefined }) => target ?? '', [true, true, false, false]],
] as const)('counts together by %s', (per, free) => {
  const check = rateCheck({ limit: 1, windowMs: 1000, per, clock: { now: () => 0 } });
  const calls = [{}, { target: 'look' }, { method: 'prompts/get' }, { caller: 'bob' }];
  expect(calls.map((init) => check(callOf(init)) === undefined)).toEqual(free);
});

it('says in its own words that it cannot count, or in those it was given that it is enough', async () => {
  const store = { take: () => Promise.reject(new Error('down')) };
  expect(await rateCheck({ limit: 1, windowMs: 1000, store })(callOf())).toMatchObject({
    by: 'rate',
    reason: 'Error: down',
    fault: { executed: 'no', message: 'The rate limiter is not available' },
  });
  const check = rateCheck({ limit: 1, windowMs: 1000, message: 'Slow down', clock: { now: () => 0 } });
  expect([check(callOf()), check(callOf())]).toMatchObject([undefined, { fault: { message: 'Slow down' } }]);
});

it.each([
  [{ limit: 0, windowMs: 1000 }, 'Expected `limit` to be a positive integer, got 0'],
  [{ limit: 1, windowMs: -1 }, 'Expected `windowMs` to be a number of milliseconds, got -1'],
])('says what is wrong with %j', (options, message) => {
  expect(() => rateCheck(options)).toThrow(new TypeError(message));
});
