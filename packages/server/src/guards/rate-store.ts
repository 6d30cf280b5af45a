/** Where a rate limit keeps its counts. */
export interface RateStore {
  /** Takes one call if it fits: 0, or the milliseconds until one would. */
  take(request: {
    readonly key: string;
    readonly limit: number;
    readonly windowMs: number;
    readonly now: number;
  }): number | Promise<number>;
}

const MAX_KEYS = 10_000;

/**
 * Counts in memory, exactly: the times of the calls in the window. Bounded: beyond `maxKeys` keys, the one
 * that has been quiet longest is forgotten.
 */
export function createMemoryRateStore(options: { readonly maxKeys?: number } = {}): RateStore {
  const { maxKeys = MAX_KEYS } = options;
  const calls = new Map<string, number[]>();
  return {
    take({ key, limit, windowMs, now }) {
      const times = calls.get(key) ?? [];
      let stale = 0;
      while (stale < times.length && (times[stale] as number) <= now - windowMs) stale++;
      if (stale > 0) times.splice(0, stale);
      // Re-inserted, so that the map's order is the order of use.
      calls.delete(key);
      calls.set(key, times);
      if (calls.size > maxKeys) calls.delete(calls.keys().next().value as string);
      if (times.length >= limit) return (times[times.length - limit] as number) + windowMs - now;
      times.push(now);
      return 0;
    },
  };
}
