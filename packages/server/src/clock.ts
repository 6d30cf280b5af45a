/** Time, as an option, so that tests and replays own it. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** The machine's clock. Its timers never keep a process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, Math.min(ms, LONGEST_TIMER)).unref(),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** Node fires timers beyond this at once. */
const LONGEST_TIMER = 2 ** 31 - 1;
