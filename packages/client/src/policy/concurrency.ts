/** A concurrency limit: so many calls at a time, the rest in line until their patience ends. */
import { integer } from './check.ts';

/** A concurrency limit. */
export interface Limiter {
  /** A place, and how to give it back; `undefined` when the signal aborted first or the line is full. */
  acquire(signal?: AbortSignal): Promise<(() => void) | undefined>;
  readonly active: number;
  readonly waiting: number;
}

/** How many calls at a time, and how many in line. */
export interface LimiterOptions {
  /** Default 100. */
  readonly concurrency?: number | undefined;
  /** Default 1000. */
  readonly queue?: number | undefined;
}

/** Creates a limit. */
export function createLimiter(options: LimiterOptions = {}): Limiter {
  const concurrency = integer('concurrency', options.concurrency, 100, 1);
  const queue = integer('queue', options.queue, 1000, 0);
  const line: (() => void)[] = [];
  let active = 0;

  function place(): () => void {
    active += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      active -= 1;
      line.shift()?.();
    };
  }

  function acquire(signal?: AbortSignal): Promise<(() => void) | undefined> {
    if (signal?.aborted === true) return Promise.resolve(undefined);
    if (active < concurrency) return Promise.resolve(place());
    if (line.length >= queue) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const next = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve(place());
      };
      const leave = (): void => {
        line.splice(line.indexOf(next), 1);
        resolve(undefined);
      };
      line.push(next);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  return {
    acquire,
    get active() {
      return active;
    },
    get waiting() {
      return line.length;
    },
  };
}
