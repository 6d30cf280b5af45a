import { expect, it } from 'vitest';
import { fakeClock } from '../../test/fake-clock.ts';
import { createPace, type Pace } from './pace.ts';

type FakeClock = ReturnType<typeof fakeClock>;

/** A hundred answers a second, for a second. */
async function busy(pace: Pace, clock: FakeClock): Promise<void> {
  for (let at = 0; at < 100; at += 1) {
    await pace.turn();
    pace.answered();
    await clock.advance(10);
  }
}

async function throttled() {
  const clock = fakeClock();
  const pace = createPace({ clock });
  await busy(pace, clock);
  pace.throttled();
  return { clock, pace };
}

/** When each of so many got its turn. */
async function turns(pace: Pace, clock: FakeClock, count: number): Promise<number[]> {
  const start = clock.now();
  const all = Array.from({ length: count }, async () => {
    await pace.turn();
    return clock.now() - start;
  });
  return clock.until(Promise.all(all));
}

it('has no limit until the first throttle', async () => {
  const clock = fakeClock();
  const pace = createPace({ clock });
  expect(new Set(await turns(pace, clock, 1000))).toEqual(new Set([0]));
  expect(pace.perSecond).toBeUndefined();
});

it('sends no faster than it was answered, and takes one burst of refusals for one', async () => {
  const { pace } = await throttled();
  for (let at = 0; at < 50; at += 1) pace.throttled();
  expect(pace.perSecond).toBe(95);
});

it('lets one after the other go, in order, a little faster each second', async () => {
  const { clock, pace } = await throttled();
  const waited = await turns(pace, clock, 200);
  expect(waited).toEqual([...waited].sort((left, right) => left - right));
  expect(waited.filter((ms) => ms <= 1000).length).toBeGreaterThan(95);
  expect(waited.filter((ms) => ms <= 1000).length).toBeLessThan(140);
  expect(pace.perSecond).toBeGreaterThan(120);
});

it('says how long the line is', async () => {
  const { clock, pace } = await throttled();
  const all = turns(pace, clock, 190);
  expect(pace.lineMs).toBe(2000);
  await all;
  expect(pace.lineMs).toBe(0);
});

it('does not take the first refusal after a pause for a sign that nothing is borne', async () => {
  const clock = fakeClock();
  const pace = createPace({ clock });
  await busy(pace, clock);
  await clock.advance(3000);
  pace.throttled();
  expect(pace.perSecond).toBeGreaterThan(80);
});

it('goes when it holds nobody back', async () => {
  const { clock, pace } = await throttled();
  await clock.advance(6000);
  await pace.turn();
  expect(pace.perSecond).toBeUndefined();
});

it('never stops altogether', async () => {
  const clock = fakeClock();
  const pace = createPace({ clock });
  for (let at = 0; at < 100; at += 1) {
    pace.throttled();
    await clock.advance(600);
  }
  expect(pace.perSecond).toBeGreaterThanOrEqual(1);
});

it('leaves the line with the signal', async () => {
  const { pace } = await throttled();
  const giveUp = new AbortController();
  const waiting = pace.turn(giveUp.signal);
  giveUp.abort();
  expect(await waiting).toBe(false);
  expect(pace.lineMs).toBe(0);
});
