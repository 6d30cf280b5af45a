/** What is remembered of keys in memory, and what goes when there is no room. */
import { expect, it } from 'vitest';
import { setup, tick } from '../../test/keyed-calls.ts';
import {
  createMemoryIdempotency,
  type KeyState,
  type MemoryIdempotencyOptions,
} from './idempotency-store.ts';

/** A store of one answer a claim, at a time that the test sets. */
function shelf(options: MemoryIdempotencyOptions) {
  const store = createMemoryIdempotency(options);
  const claim = (owner: string, key: string, now = 0) =>
    store.claim({ key, owner, fingerprint: key, now, leaseMs: 1000, ttlMs: 1000 }) as KeyState;
  const make = (owner: string, key: string, now = 0): string => {
    const { state } = claim(owner, key, now);
    if (state === 'claimed') void store.finish({ key, answer: 'x', now });
    return state;
  };
  return { claim, make };
}

it('forgets no key within its time: further ones are refused', () => {
  const { claim, make } = shelf({ maxKeys: 4, maxPerOwner: 3 });
  expect([claim('ada', 'a1'), make('ada', 'a2'), make('ada', 'a3'), claim('ada', 'a4')]).toEqual([
    { state: 'claimed' },
    'claimed',
    'claimed',
    { state: 'full' },
  ]);
  expect([make('bob', 'b1'), make('eve', 'e1')]).toEqual(['claimed', 'full']);
  expect([make('ada', 'a1'), make('ada', 'a2'), make('bob', 'b1')]).toEqual(['running', 'done', 'done']);
  expect([make('ada', 'a4', 1000), make('eve', 'e1', 1000)]).toEqual(['claimed', 'claimed']);
});

it('lets answers go when there is no room for them: of whoever has most, the oldest first', () => {
  const { claim, make } = shelf({ maxAnswers: 3, maxAnswersPerOwner: 2 });
  const answers = (): string[] =>
    ['a1', 'a2', 'a3', 'b1', 'e1'].filter(
      (key) => (claim(key.replace(/\d/, ''), key) as { answer?: string }).answer === 'x',
    );
  for (const key of ['a1', 'a2', 'a3']) make('a', key);
  make('b', 'b1');
  make('e', 'e1');
  expect(answers()).toEqual(['a3', 'b1', 'e1']);
  expect(claim('a', 'a1')).toEqual({ state: 'done', fingerprint: 'a1', answer: '' });
});

it('tells a repeat that the call was made when its answer had to go', async () => {
  const { runs, pay } = setup({ store: createMemoryIdempotency() });
  for (let at = 0; at <= 1000; at++) {
    const paid = pay({ idempotencyKey: `k${at}` });
    await tick();
    runs[at]?.end();
    await paid;
  }
  expect(await pay({ idempotencyKey: 'k0' })).toMatchObject({
    ok: false,
    fault: { executed: 'yes', retryable: false },
    replayed: true,
  });
  expect(await pay({ idempotencyKey: 'k0', arguments: { to: 'eve' } })).toMatchObject({
    fault: { kind: 'conflict' },
  });
  expect(runs).toHaveLength(1001);
});

it('refuses bounds that nobody reads', () => {
  expect(() => createMemoryIdempotency({ answers: 1 } as never)).toThrow(
    new TypeError('Unknown option `answers` of `createMemoryIdempotency`; did you mean `maxAnswers`?'),
  );
});
