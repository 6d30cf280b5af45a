/** A clock that stands still until it is told to go on. */
import type { Clock } from '../src/clock.ts';

export interface FakeClock extends Clock {
  /** Lets time pass; timers fire in order, and what they set off runs before the next one fires. */
  advance(ms: number): Promise<void>;
  /** Lets time pass, timer by timer, until the promise settles. */
  until<T>(work: Promise<T>): Promise<T>;
}

/** Lets everything that is already due run: promises and, where real input is involved, one turn of the loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export function fakeClock(start = 1_000_000): FakeClock {
  let now = start;
  const timers = new Set<{ at: number; fire: () => void }>();
  const next = () => [...timers].sort((left, right) => left.at - right.at)[0];

  async function advance(ms: number): Promise<void> {
    const end = now + ms;
    await settle();
    for (let timer = next(); timer !== undefined && timer.at <= end; timer = next()) {
      timers.delete(timer);
      now = Math.max(now, timer.at);
      timer.fire();
      await settle();
    }
    now = end;
  }

  return {
    now: () => now,
    timer(ms, fire) {
      const timer = { at: now + Math.max(0, ms), fire };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    advance,
    async until(work) {
      let done = false;
      const noted = work.finally(() => {
        done = true;
      });
      noted.catch(() => undefined);
      await settle();
      for (let timer = next(); !done && timer !== undefined; timer = next()) {
        await advance(timer.at - now);
      }
      return noted;
    },
  };
}
