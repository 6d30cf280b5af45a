/** Time, as an option, so that tests and replays own it. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Milliseconds that only go forward; what is kept for a while is measured by it, where there is one. */
  monotonic?(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** The machine's clock. Its timers never keep a process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (run, ms) => setTimeout(run, Math.min(ms, LONGEST_TIMER)).unref(),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** Node fires timers beyond this at once. */
const LONGEST_TIMER = 2 ** 31 - 1;
