import { raise } from './errors.ts';

/** Time, as an option, so that tests own it. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Calls back after a while; the returned function takes the call back. */
  after(ms: number, run: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Settles with the work, or rejects when it takes too long. The work's signal is the caller's to abort. */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  let cancel = (): void => {};
  const expired = new Promise<never>((_, reject) => {
    cancel = clock.after(ms, () => reject(late()));
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    cancel();
  }
}

/** A time limit that can stand still. */
export interface Limit {
  /** Rejects when the time is over. */
  readonly over: Promise<never>;
  /** Stands still until the work has settled. */
  meanwhile<T>(work: Promise<T>): Promise<T>;
  stop(): void;
}

/** A limit of so much time, which runs from now on. */
export function createLimit(clock: Clock, ms: number, late: () => Error): Limit {
  let cancel = (): void => {};
  let [left, since, held] = [ms, 0, 0];
  let expire = (): void => {};
  const over = new Promise<never>((_, reject) => {
    expire = () => reject(late());
  });
  over.catch(() => {}); // whoever waits hears of it
  const run = (): void => {
    since = clock.now();
    cancel = clock.after(left, expire);
  };
  run();
  return {
    over,
    async meanwhile(work) {
      if (held++ === 0) {
        cancel();
        left -= clock.now() - since;
      }
      try {
        return await work;
      } finally {
        if (--held === 0) run();
      }
    },
    stop: () => cancel(),
  };
}

/** A wait that ends early, and badly, when the signal aborts. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** The error of a request that took too long. */
export function requestTimeout(clock: Clock, startedAt: number, timeoutMs: number): Error {
  return raise('timeout', {
    timeout_ms: timeoutMs,
    elapsed_ms: Math.max(clock.now() - startedAt, timeoutMs),
  });
}
