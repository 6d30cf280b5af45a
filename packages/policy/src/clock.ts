/** Time and chance, injected: nothing else in this package looks at the clock or throws dice. */
import { isFunction, shown } from './check.ts';

/** The source of time. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Milliseconds that only go forward, from any beginning: what is kept for a while outlives a clock that is set. */
  monotonic?(): number;
  /** Calls back once after a wait; returns how to call it off. */
  timer(ms: number, callback: () => void): () => void;
  /** Settles once all has been read that has come so far: after a timer that was late, it may still wait. */
  caughtUp?(): Promise<void>;
}

/** Refuses what tells no time, or wakes nobody. */
export function checkClock(name: string, clock: Partial<Clock> | undefined): void {
  const { now, timer } = clock ?? systemClock;
  if (!isFunction(now) || !isFunction(timer))
    throw new TypeError(`Expected \`${name}\` to be a clock with \`now\` and \`timer\`, got ${shown(clock)}`);
}

/** A number in [0, 1). */
export type Random = () => number;

/** Longest wait that a timer of the platform can hold; anything longer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer(ms, callback) {
    let timer: ReturnType<typeof setTimeout>;
    const arm = (left: number): void => {
      const step = Math.min(Math.max(0, left), MAX_TIMER_MS);
      timer = setTimeout(() => (left > step ? arm(left - step) : callback()), step);
    };
    arm(ms);
    return () => clearTimeout(timer);
  },
  async caughtUp() {
    // Where a loop was busy, its timers come first. The end of a process is told a turn after its last words are read.
    for (let turn = 0; turn < TURNS_TO_READ; turn += 1) await new Promise<void>(afterOthers);
  },
};

const TURNS_TO_READ = 2;

/** Calls back once whatever waits has had its turn. */
function afterOthers(callback: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(callback);
  else setTimeout(callback, 0);
}

/** The time by which to measure how long something is kept. */
export function steady(clock: Clock): number {
  return clock.monotonic?.() ?? clock.now();
}

/** Chance, as the machine has it. */
export const systemRandom: Random = () => Math.random();

/** Waits; ends early, and says so with `false`, when the signal aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<boolean> {
  if (signal?.aborted === true) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stop = clock.timer(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve(true);
    });
    const onAbort = (): void => {
      stop();
      resolve(false);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
