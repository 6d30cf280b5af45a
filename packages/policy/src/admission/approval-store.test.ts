import { expect, it } from 'vitest';
import { type Approval, createMemoryApprovals } from './approval-store.ts';

const asked = (fingerprint: string, caller: string, now = 0) => ({
  fingerprint,
  caller,
  upstream: 'bank',
  target: 'pay',
  arguments: {},
  now,
  ttlMs: 10,
});

/** In memory, everything is at hand. */
function stateOf(found: unknown): string {
  return (found as Approval).state;
}

function desk(now: () => number = () => 0) {
  let ids = 0;
  return createMemoryApprovals({ newId: () => `apr_${++ids}`, clock: { now } });
}

it('has room for a hundred requests of one caller, and a thousand in all', () => {
  const store = desk();
  const states = Array.from({ length: 101 }, (_, i) => stateOf(store.claim(asked(`ada ${i}`, 'ada'))));
  expect([states.indexOf('full'), states[0]]).toEqual([100, 'waiting']);
  const more = Array.from({ length: 901 }, (_, i) =>
    stateOf(store.claim(asked(`other ${i}`, `caller ${i}`))),
  );
  expect(more.indexOf('full')).toBe(900);
});

it('goes through its states: waiting, claimed, taken, and again after a release', () => {
  const store = desk();
  expect(store.claim(asked('a', 'ada'))).toEqual({ state: 'waiting', id: 'apr_1' });
  expect(store.claim(asked('a', 'ada'))).toEqual({ state: 'waiting', id: 'apr_1' });
  expect([store.approve('apr_1'), store.approve('apr_1'), store.reject('apr_1')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(store.claim(asked('a', 'ada'))).toEqual({ state: 'claimed', id: 'apr_1' });
  expect(store.claim(asked('a', 'ada'))).toEqual({ state: 'taken', id: 'apr_1' });
  void store.release('apr_1');
  expect(store.claim(asked('a', 'ada'))).toEqual({ state: 'claimed', id: 'apr_1' });
  void store.confirm('apr_1');
  expect(store.claim(asked('a', 'ada'))).toEqual({ state: 'waiting', id: 'apr_2' });
  expect(store.reject('apr_2')).toBe(true);
  expect(store.claim(asked('a', 'ada'))).toEqual({ state: 'rejected', id: 'apr_2' });
});

it('releases and confirms nothing but what is claimed', () => {
  const store = desk();
  void store.claim(asked('a', 'ada'));
  void store.release('apr_1');
  void store.confirm('apr_1');
  expect(store.claim(asked('a', 'ada'))).toEqual({ state: 'waiting', id: 'apr_1' });
  store.reject('apr_1');
  void store.release('apr_1');
  expect(store.claim(asked('a', 'ada'))).toEqual({ state: 'rejected', id: 'apr_1' });
});

it('forgets at the moment its time is over, but never a call that is under way', () => {
  let now = 0;
  const store = desk(() => now);
  void store.claim(asked('a', 'ada'));
  now = 9;
  expect(store.waiting()).toMatchObject([{ id: 'apr_1', askedAt: 0, expiresAt: 10 }]);
  now = 10;
  expect([store.waiting(), store.approve('apr_1')]).toEqual([[], false]);
  void store.claim(asked('b', 'ada', 10));
  store.approve('apr_2');
  expect(store.waiting()).toEqual([]);
  expect(stateOf(store.claim(asked('b', 'ada', 11)))).toBe('claimed');
  expect(stateOf(store.claim(asked('b', 'ada', 1000)))).toBe('taken');
});

it('gives up a call that never reported back: its consent is used up, not free again', () => {
  const store = createMemoryApprovals({ newId: () => 'apr', leaseMs: 50, clock: { now: () => 0 } });
  void store.claim(asked('a', 'ada'));
  store.approve('apr');
  expect(stateOf(store.claim(asked('a', 'ada', 5)))).toBe('claimed');
  expect(stateOf(store.claim(asked('a', 'ada', 54)))).toBe('taken');
  expect(stateOf(store.claim(asked('a', 'ada', 55)))).toBe('waiting');
});
