/** A store that outlives its processes: who is alive says so, and nobody waits for the dead. */
import { expect, it } from 'vitest';
import { type FakeClock, fakeClock } from '../../test/fake-clock.ts';
import { setup, tick } from '../../test/keyed-calls.ts';
import { idempotency } from './idempotency.ts';
import type { IdempotencyStore, KeyClaim, KeyState } from './idempotency-store.ts';

interface Row extends KeyClaim {
  readonly until: number;
  readonly answer?: string;
}

/** As a file or a Redis keeps it. `renewals` are those that were asked for; `isDown` refuses them. */
function lasting(clock: FakeClock) {
  const rows = new Map<string, Row>();
  const seen = { renewals: 0, isDown: false };
  const store: IdempotencyStore = {
    claim(claim): KeyState {
      const { fingerprint, until = 0, answer } = rows.get(claim.key) ?? { fingerprint: undefined };
      if (fingerprint !== undefined && answer !== undefined) return { state: 'done', fingerprint, answer };
      if (fingerprint !== undefined) return { state: until > clock.now() ? 'running' : 'lost', fingerprint };
      rows.set(claim.key, { ...claim, until: clock.now() + claim.leaseMs });
      return { state: 'claimed' };
    },
    finish: ({ key, answer }) => void rows.set(key, { ...(rows.get(key) as Row), answer }),
    free: (key) => void rows.delete(key),
    async renew({ key, token, leaseMs }) {
      seen.renewals += 1;
      if (seen.isDown) throw new Error('down');
      const row = rows.get(key);
      if (row?.token === token) rows.set(key, { ...(row as Row), until: clock.now() + leaseMs });
    },
  };
  return { store, seen };
}

const LOST = { fault: { kind: 'disconnected', executed: 'maybe', retryable: false } };

it('tells a repeat within half a minute that a call of a process that died may have been executed', async () => {
  const clock = fakeClock();
  const { store } = lasting(clock);
  const dead = setup({ store, clock: { ...clock, timer: () => () => undefined } as never });
  void dead.pay();
  await tick();
  const there = setup({ store, clock });
  const from = clock.now();
  expect(await clock.until(there.pay({ deadline: from + 60_000 }))).toMatchObject(LOST);
  expect(clock.now() - from).toBeLessThanOrEqual(31_000);
  expect(await there.pay()).toMatchObject(LOST); // and at once, from then on
  expect(there.runs).toHaveLength(0);
});

it('lets a repeat wait for a process that lives, however long its call takes', async () => {
  const clock = fakeClock();
  const { store, seen } = lasting(clock);
  const here = setup({ store, clock });
  const there = setup({ store, clock });
  const first = here.pay({ deadline: clock.now() + 3_600_000 });
  await tick();
  const second = there.pay({ deadline: clock.now() + 3_600_000 });
  for (let minute = 0; minute < 9; minute += 1) await clock.advance(60_000);
  here.runs[0]?.end();
  await first;
  expect(await clock.until(second)).toEqual({ ok: true, value: 'paid 1', replayed: true });
  const { renewals } = seen;
  expect(renewals).toBeGreaterThan(9);
  await clock.advance(600_000);
  expect([seen.renewals, there.runs.length]).toEqual([renewals, 0]);
});

it('keeps on renewing where the store does not take it, and takes the end of one that was given up', async () => {
  const clock = fakeClock();
  const { store, seen } = lasting(clock);
  const here = setup({ store, clock });
  const there = setup({ store, clock });
  const first = here.pay({ deadline: clock.now() + 3_600_000 });
  await tick();
  seen.isDown = true;
  await clock.advance(60_000);
  expect(await there.pay()).toMatchObject(LOST);
  seen.isDown = false;
  await clock.advance(10_000);
  const again = there.pay({ deadline: clock.now() + 60_000 });
  await clock.advance(1000);
  here.runs[0]?.end();
  await first;
  expect(await clock.until(again)).toEqual({ ok: true, value: 'paid 1', replayed: true });
  expect(there.runs).toHaveLength(0);
});

it('refuses a store whose `renew` is no method', () => {
  const { store } = lasting(fakeClock());
  const wrong = { ...store, renew: true } as never;
  expect(() => idempotency({ store: wrong })).toThrow('Expected `renew` of the `store` to be a method');
});
