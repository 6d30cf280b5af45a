import { expect, it } from 'vitest';
import { createMemoryIdempotency, type MemoryIdempotencyOptions } from './idempotency-store.ts';

/** One unit of time is one millisecond of this process. */
function shop(options: MemoryIdempotencyOptions = {}) {
  const store = createMemoryIdempotency(options);
  let at = 0;
  const claim = (key: string, owner = 'ada', more: object = {}) =>
    store.claim({ key, owner, fingerprint: `f ${key}`, now: at, leaseMs: 10, ttlMs: 100, ...more });
  const finish = (key: string, answer = 'done') => store.finish({ key, answer, now: at });
  const made = (key: string, answer?: string, owner?: string) => {
    void claim(key, owner);
    void finish(key, answer);
  };
  return { store, claim, finish, made, at: (ms: number) => (at = ms) };
}

const full = { state: 'full' };
const claimed = { state: 'claimed' };
const done = (key: string, answer = 'done') => ({ state: 'done', fingerprint: `f ${key}`, answer });

it('keeps a call running for its lease, gives it up for lost until its time is over, then forgets it', () => {
  const { claim, at } = shop();
  expect(claim('a')).toEqual(claimed);
  at(9);
  expect(claim('a')).toEqual({ state: 'running', fingerprint: 'f a' });
  at(10);
  expect(claim('a')).toEqual({ state: 'lost', fingerprint: 'f a' });
  at(99);
  expect(claim('a')).toEqual({ state: 'lost', fingerprint: 'f a' });
  at(100);
  expect(claim('a')).toEqual(claimed);
});

it('keeps a lease that is longer than the time of an answer', () => {
  const { claim, at } = shop();
  void claim('a', 'ada', { leaseMs: 200 });
  at(150);
  expect(claim('a')).toEqual({ state: 'running', fingerprint: 'f a' });
  at(200);
  expect(claim('a')).toEqual(claimed);
});

it('keeps an answer for its time, from its end on, and frees what did nothing', () => {
  const { store, claim, finish, at } = shop();
  void claim('a');
  at(50);
  void finish('a');
  at(149);
  expect(claim('a')).toEqual(done('a'));
  at(150);
  expect(claim('a')).toEqual(claimed);
  void store.free('a');
  expect(claim('a')).toEqual(claimed);
});

it('takes no end of a call that it does not know', () => {
  const { store, claim, finish } = shop();
  void finish('a');
  void store.free('a');
  expect(claim('a')).toEqual(claimed);
});

it('goes by the steady clock where it is told one', () => {
  const { claim } = shop();
  void claim('a', 'ada', { steadyMs: 5 });
  expect(claim('a', 'ada', { now: 1000, steadyMs: 14 })).toMatchObject({ state: 'running' });
  expect(claim('a', 'ada', { now: 0, steadyMs: 15 })).toMatchObject({ state: 'lost' });
});

it('refuses further keys, of one owner and of all, and finds room as soon as something is over', () => {
  const { claim, made, store, at } = shop({ maxKeys: 3, maxPerOwner: 2 });
  made('a');
  made('b');
  expect(claim('c')).toEqual(full);
  expect(claim('c', 'bob')).toEqual(claimed);
  expect(claim('d', 'bob')).toEqual(full);
  void store.free('c');
  expect(claim('d', 'bob')).toEqual(claimed);
  at(100);
  expect(claim('c')).toEqual(claimed);
});

it('looks through everybody’s keys once a second, no more often', () => {
  const { claim, made, at } = shop({ maxKeys: 2 });
  made('a');
  void claim('b', 'bob');
  expect(claim('c', 'eve')).toEqual(full);
  at(100);
  expect(claim('c', 'eve')).toEqual(full);
  at(999);
  expect(claim('c', 'eve')).toEqual(full);
  at(1000);
  expect(claim('c', 'eve')).toEqual(claimed);
  expect(claim('d', 'eve')).toEqual(claimed);
  expect(claim('e', 'eve')).toEqual(full);
});

it('drops the oldest answer of who has too many, and stays aware that the call was made', () => {
  const { claim, made } = shop({ maxAnswersPerOwner: 2 });
  for (const key of ['a', 'b', 'c']) made(key);
  made('d', 'done', 'bob');
  expect(['a', 'b', 'c'].map((key) => claim(key))).toEqual([done('a', ''), done('b'), done('c')]);
  expect(claim('d', 'bob')).toEqual(done('d'));
});

it('drops the oldest answer of who has most, when there are too many in all', () => {
  const { claim, made } = shop({ maxAnswers: 3 });
  made('x', 'done', 'bob');
  for (const key of ['a', 'b', 'c']) made(key);
  expect([claim('x', 'bob'), claim('a'), claim('b')]).toEqual([done('x'), done('a', ''), done('b')]);
});

it('drops answers when they are too long together, and counts what it dropped', () => {
  const { claim, made, at } = shop({ maxTotalLength: 10 });
  made('a', '12345');
  made('b', '12345');
  expect(claim('a')).toEqual(done('a', '12345'));
  made('c', '1');
  expect([claim('a'), claim('b'), claim('c')]).toEqual([done('a', ''), done('b', '12345'), done('c', '1')]);
  at(100);
  for (const key of ['a', 'b', 'c']) void claim(key);
  made('d', '1234567890');
  expect(claim('d')).toEqual(done('d', '1234567890'));
});

it('has room for so many, unless it is said', () => {
  const { claim, made } = shop();
  for (let i = 0; i <= 1000; i += 1) made(`a${i}`);
  expect([claim('a0'), claim('a1')]).toEqual([done('a0', ''), done('a1')]);
  for (let i = 0; i < 9000; i += 1) made(`b${i}`, 'done', `owner ${i}`);
  expect([claim('a1'), claim('b0', 'owner 0')]).toEqual([done('a1'), done('b0')]);
  made('c', 'done', 'eve');
  expect([claim('a1'), claim('a2'), claim('b0', 'owner 0')]).toEqual([
    done('a1', ''),
    done('a2'),
    done('b0'),
  ]);
  for (let i = 1001; i < 100_000; i += 1) void claim(`a${i}`);
  expect([claim('late'), claim('late', 'eve')]).toEqual([full, claimed]);
});

it('has room for 64 million characters, unless it is said', () => {
  const { claim, made } = shop();
  made('a', 'x'.repeat(32_000_000));
  made('b', 'y'.repeat(32_000_000));
  expect(claim('a')).toHaveProperty('answer.length', 32_000_000);
  made('c', '1');
  expect([claim('a'), claim('c')]).toEqual([done('a', ''), done('c', '1')]);
});
