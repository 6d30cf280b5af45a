/** Calls in several rounds under one key: each round is made once, however often and in whichever order it comes again. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Call, startCall } from '../call.ts';
import type { Outcome } from '../outcome.ts';
import { idempotency, type Rounds } from './idempotency.ts';
import { createMemoryIdempotency, type MemoryIdempotencyOptions } from './idempotency-store.ts';

interface RoundCall extends Call {
  readonly round: number;
}

interface Said {
  readonly round: number;
  readonly asks: boolean;
}

const ROUNDS: Rounds<Said, RoundCall> = {
  isLater: ({ round }) => round > 0,
  goesOn: ({ ok, value }, { round }) => ok && value.asks && value.round !== round,
};

/** A server that asks in all rounds but the last, and what it has done. */
function booking(last: number, options: MemoryIdempotencyOptions = {}) {
  const made: number[] = [];
  const policy = idempotency<Said, RoundCall>({ store: createMemoryIdempotency(options), rounds: ROUNDS });
  const handle = policy(async ({ round }) => {
    made.push(round);
    await Promise.resolve();
    return { ok: true, value: { round, asks: round < last } };
  });
  const book = (round: number, key = 'k'): Promise<Outcome<Said>> =>
    handle(startCall<RoundCall>({ upstream: 'shop', target: 'book', idempotencyKey: key, round }));
  return { made, book };
}

it('keeps the answer of each round', async () => {
  const { made, book } = booking(2);
  const told: unknown[] = [];
  for (const round of [0, 0, 1, 0, 1, 2, 2, 1, 0]) told.push((await book(round)).value?.round);
  expect(told).toEqual([0, 0, 1, 0, 1, 2, 2, 1, 0]);
  expect(made).toEqual([0, 1, 2]);
});

it('gives the end to a first round of which nothing is known here', async () => {
  const { made, book } = booking(1);
  await book(1);
  expect(await book(0)).toMatchObject({ ok: true, value: { round: 1 }, replayed: true });
  expect(made).toEqual([1]);
});

it('goes on from a first question that was let go, and makes nothing twice', async () => {
  const { made, book } = booking(1, { maxAnswersPerOwner: 1 });
  await book(0);
  await book(0, 'another');
  expect(await book(0)).toMatchObject({ ok: false, fault: { kind: 'conflict', executed: 'yes' } });
  expect(await book(1)).toMatchObject({ ok: true, value: { round: 1 } });
  await book(0, 'a third');
  expect(await book(1)).toMatchObject({ ok: false, fault: { kind: 'conflict', executed: 'yes' } });
  expect(made).toEqual([0, 0, 1, 0]);
});

it('makes no round twice, whatever comes again, at once or later, kept or let go', async () => {
  const waves = fc.array(fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 3 }), fc.boolean(), waves, async (last, isTight, asked) => {
      const { made, book } = booking(last, isTight ? { maxAnswersPerOwner: 1 } : {});
      let heard = -1; // nobody sends a round whose question was not heard
      for (const wave of asked) {
        const sent = wave.map((round) => Math.min(round, heard + 1, last));
        const outcomes = await Promise.all(sent.map((round) => book(round)));
        for (const { ok, value } of outcomes) if (ok) heard = Math.max(heard, value.round);
      }
      expect(new Set(made).size).toBe(made.length);
    }),
    { numRuns: 300 },
  );
});
