import type { Clock } from '@mayday/policy';

/** How long something may take, who can stop it, and what is thrown when its time is over. */
export interface Limit {
  readonly clock: Clock;
  readonly ms: number;
  readonly signal: AbortSignal;
  late(): Error;
}

/** Waits for somebody who has a time limit of their own: meanwhile one's own stands still. */
export type Meanwhile = <T>(wait: Promise<T>) => Promise<T>;

/** Ends with the work, when its time is over, or when it is stopped: then with the signal's reason. */
export async function limited<T>(
  { clock, ms, signal, late }: Limit,
  work: (meanwhile: Meanwhile) => T | Promise<T>,
): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => {}); // whoever waits hears of it
  let [left, since, held, isOver] = [ms, 0, 0, false];
  let stop = (): void => {};
  const run = (): void => {
    since = clock.now();
    if (!isOver) stop = clock.timer(left, () => reject(late()));
  };
  const meanwhile: Meanwhile = async (wait) => {
    if (held++ === 0) {
      stop();
      left -= clock.now() - since;
    }
    try {
      return await wait;
    } finally {
      if (--held === 0) run();
    }
  };
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  run();
  try {
    return await Promise.race([Promise.resolve(meanwhile).then(work), ended]);
  } finally {
    isOver = true;
    stop();
    signal.removeEventListener('abort', onAbort);
  }
}
