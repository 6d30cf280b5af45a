import { expect, it } from 'vitest';
import { startCall } from '../call.ts';
import { rateCheck } from './rate.ts';
import { createMemoryRateStore, type RateWish } from './rate-store.ts';

const wish = (key: string, now = 0): RateWish => ({ key, limit: 1, windowMs: 100, now });

it('counts ten thousand keys apart, and further ones together, until some are quiet', () => {
  const store = createMemoryRateStore();
  const waits = Array.from({ length: 10_000 }, (_, i) => store.take(wish(`k${i}`)));
  expect(Math.max(...waits)).toBe(0);
  expect([store.take(wish('x')), store.take(wish('y')), store.take(wish('k0'))]).toEqual([0, 100, 100]);
  expect([store.take(wish('y', 100)), store.take(wish('z', 100))]).toEqual([0, 0]);
});

it('counts nobody together with somebody who has too many keys', () => {
  const store = createMemoryRateStore({ maxKeys: 100 });
  const take = (owner: string, key: string, now = 0): number =>
    store.takeAll([{ ...wish(`${owner} ${key}`, now), owner }])[0]?.waitMs ?? -1;
  const waits = Array.from({ length: 200 }, (_, i) => take('ann', `k${i}`));
  expect(waits.slice(0, 11)).toEqual(Array.from({ length: 11 }, () => 0));
  expect([waits.slice(11).every((ms) => ms === 100), take('ann', 'k0')]).toEqual([true, 100]);
  expect([take('bob', 'a'), take('bob', 'b'), take('bob', 'a')]).toEqual([0, 0, 100]);
  expect([take('ann', 'k77', 100), take('ann', 'k78', 100), take('ann', 'k79', 100)]).toEqual([0, 0, 0]);
});

it('says the whole milliseconds until one fits, to the one', () => {
  const store = createMemoryRateStore({ maxKeys: 1 });
  expect(store.take(wish('a', 0.5))).toBe(0);
  expect([store.take(wish('a', 99)), store.take(wish('a', 100.4))]).toEqual([2, 1]);
  expect(store.take(wish('a', 100.5))).toBe(0);
});

it('is right however many calls have left the window', () => {
  const store = createMemoryRateStore();
  const many = (now: number): RateWish => ({ key: 'a', limit: 40, windowMs: 100, now });
  for (let now = 0; now < 40; now += 1) expect(store.take(many(now))).toBe(0);
  expect(store.take(many(40))).toBe(60);
  for (let now = 100; now < 140; now += 1) expect(store.take(many(now))).toBe(0);
  expect(store.take(many(140))).toBe(60);
});

it('counts a call for what it costs, and says when that much fits', () => {
  const store = createMemoryRateStore();
  const costly = (now: number, cost: number): RateWish => ({ key: 'a', limit: 4, windowMs: 100, now, cost });
  expect([store.take(costly(0, 1)), store.take(costly(10, 2)), store.take(costly(20, 3))]).toEqual([
    0, 0, 90,
  ]);
  expect([store.take(costly(20, 1)), store.take(costly(20, 1))]).toEqual([0, 80]);
  expect(() => store.take(costly(20, 5))).toThrow('at most the limit of 4, got 5: it would never fit');
  expect(() => store.take(costly(20, 0))).toThrow('Expected `cost` to be a positive integer');
});

it('fills a bucket evenly, and never above its brim', () => {
  const store = createMemoryRateStore();
  const drop = (now: number, cost = 1): number =>
    store.take({ key: 'a', limit: 3, windowMs: 1000, algorithm: 'bucket', now, cost });
  expect([drop(0), drop(0), drop(0), drop(0)]).toEqual([0, 0, 0, 334]);
  expect([drop(333), drop(334), drop(334)]).toEqual([1, 0, 333]);
  expect([drop(9000, 3), drop(9000, 3), drop(9000)]).toEqual([0, 1000, 334]);
});

it('makes nobody wait longer than a window when the clock is set back', () => {
  const store = createMemoryRateStore();
  const take = (now: number, algorithm: 'window' | 'bucket') =>
    store.take({ key: algorithm, limit: 2, windowMs: 100, now, algorithm });
  expect([take(5000, 'window'), take(5000, 'window'), take(10, 'window')]).toEqual([0, 0, 100]);
  expect([take(109, 'window'), take(110, 'window')]).toEqual([1, 0]);
  expect([take(5000, 'bucket'), take(5000, 'bucket'), take(10, 'bucket')]).toEqual([0, 0, 50]);
});

it('is asked under a key of caller, method and target, as far as they are known', () => {
  const keys: string[] = [];
  const store = { take: ({ key }: RateWish) => keys.push(key) * 0 };
  const options = { limit: 1, windowMs: 1, store };
  const call = { upstream: 'shop', caller: 'ada', target: 'pay' };
  void rateCheck(options)(startCall(call));
  void rateCheck(options)(startCall({ upstream: 'shop', method: 'prompts/get' }));
  void rateCheck({ ...options, isKnown: () => false })(startCall(call));
  void rateCheck({ ...options, per: 'caller' })(startCall(call));
  expect(keys).toEqual(['["ada","tools/call","pay"]', '[null,"prompts/get",null]', '["ada"]', '["ada"]']);
});
