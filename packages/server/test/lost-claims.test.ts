/** A store that takes a claim and loses its reply: the key is given back, though the store is away for a moment longer. */
import { expect, it } from 'vitest';
import { createMemoryIdempotency } from '../src/index.ts';
import { said, till } from './till.ts';
import { faultIn } from './wire.ts';

const soon = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Loses the reply to its first claim, and then takes nothing until it is well again. */
function losing(reply: 'lost' | 'nonsense') {
  const kept = createMemoryIdempotency();
  let claims = 0;
  let isAway = false;
  let freed = 0;
  const well = async (): Promise<void> => {
    if (isAway) throw new Error('connect ECONNREFUSED');
  };
  return {
    heal: () => {
      isAway = false;
    },
    freed: () => freed,
    store: {
      async claim(claim: never) {
        await well();
        const state = await kept.claim(claim);
        claims += 1;
        if (claims > 1) return state;
        isAway = true;
        if (reply === 'nonsense') return { state: 'what' } as never;
        throw new Error('socket hang up');
      },
      async finish(done: never) {
        await well();
        return kept.finish(done);
      },
      async free(key: string, token?: string) {
        await well();
        freed += 1;
        return kept.free(key, token);
      },
    },
  };
}

it.each(['lost', 'nonsense'] as const)('the reply is %s: a repeat is made at once', async (reply) => {
  const { store, heal } = losing(reply);
  const { pay, paid } = await till(() => undefined, { idempotency: { store }, deadlineMs: 3000 });
  expect(faultIn(await pay(5, 'k'))).toMatchObject({ executed: expect.stringMatching(/no|maybe/) });
  expect(paid).toEqual([]);
  await soon(20);
  expect(faultIn(await pay(5, 'k'))).toMatchObject({ kind: 'unavailable' });
  heal();
  expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 1');
  expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 1');
  expect(paid).toEqual([5]);
});

it('the key is given back by itself, for other processes', async () => {
  const { store, heal, freed } = losing('lost');
  const { pay } = await till(() => undefined, { idempotency: { store } });
  await pay(5, 'k');
  await soon(20);
  heal();
  await expect.poll(freed, { timeout: 3000 }).toBe(1);
});
