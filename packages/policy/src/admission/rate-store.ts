/** Where a rate limit keeps its counts. */
import { integer, onlyKnown } from '../check.ts';
import type { Awaitable } from '../policy.ts';
import { type Counted, costOf, gaugeOf, type RateLevel, uncounted } from './rate-gauges.ts';

/** One call that wants to be counted. */
export interface RateWish {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
  /**
   * `window` (the default) allows `limit` in any window; `bucket` holds `limit` and fills evenly, `limit` a window,
   * so that room comes back bit by bit.
   */
  readonly algorithm?: 'window' | 'bucket' | undefined;
  /** How much the call counts for, at most `limit`. Default 1. */
  readonly cost?: number | undefined;
  /** Unix time in milliseconds. A store with a clock of its own, shared by many, goes by that. */
  readonly now: number;
}

/** Where a rate limit keeps its counts. */
export interface RateStore {
  /** Takes one call if it fits: 0, or the whole milliseconds until one would. */
  take(wish: RateWish): Awaitable<number>;
}

/** Where one limit stands after it was asked. */
export interface RateStanding extends RateLevel {
  /** 0, or the whole milliseconds until the call would fit this limit. */
  readonly waitMs: number;
}

/** Where many limits keep their counts. */
export interface RateLedger extends RateStore {
  /**
   * Takes one call out of several limits, in one step: out of all of them if it fits all, and else out of none. Says where
   * each of them stands then, in their order. Each has a key of its own. Empty where nothing could be counted, and is not to be.
   */
  takeAll(wishes: readonly RateWish[]): Awaitable<readonly RateStanding[]>;
}

/** Counts that are at hand. */
export interface MemoryRateStore extends RateLedger {
  take(wish: RateWish): number;
  takeAll(wishes: readonly RateWish[]): readonly RateStanding[];
}

/** Stale keys that are looked for with each call. */
const SWEPT = 8;

/**
 * Counts in memory, exactly: the times of the calls in the window. Bounded, and nothing that still counts is
 * forgotten: beyond `maxKeys` busy keys, new ones are counted together.
 */
export function createMemoryRateStore(
  options: { readonly maxKeys?: number | undefined } = {},
): MemoryRateStore {
  onlyKnown('`createMemoryRateStore`', options, { maxKeys: true });
  const maxKeys = integer('maxKeys', options.maxKeys, 10_000, 1);
  const byKey = new Map<string, Counted>();
  const crowd: Counted = uncounted();

  /** The map's order is the order of use, so that quiet keys come first. */
  function sweep(now: number): void {
    let looked = 0;
    for (const [key, { quietAt }] of byKey) {
      if (looked === SWEPT) return;
      looked += 1;
      if (quietAt <= now) byKey.delete(key);
    }
  }

  function countedOf(key: string): Counted {
    const known = byKey.get(key);
    if (known === undefined && byKey.size >= maxKeys) return crowd;
    const counted = known ?? uncounted();
    byKey.delete(key);
    byKey.set(key, counted);
    return counted;
  }

  return {
    take(wish) {
      const cost = costOf(wish);
      sweep(wish.now);
      const counted = countedOf(wish.key);
      const waitMs = gaugeOf(wish).waitMs(counted, wish, cost);
      if (waitMs === 0) gaugeOf(wish).add(counted, wish, cost);
      return waitMs;
    },
    takeAll(wishes) {
      const costs = wishes.map(costOf);
      for (const { now } of wishes.slice(0, 1)) sweep(now); // a key that is new is quiet until it is counted
      const looked = wishes.map((wish, i) => {
        const counted = countedOf(wish.key);
        return { wish, counted, gauge: gaugeOf(wish), cost: costs[i] as number };
      });
      const waits = looked.map(({ wish, counted, gauge, cost }) => gauge.waitMs(counted, wish, cost));
      const fits = waits.every((waitMs) => waitMs === 0);
      return looked.map(({ wish, counted, gauge, cost }, i) => {
        if (fits) gauge.add(counted, wish, cost);
        return { waitMs: waits[i] as number, ...gauge.level(counted, wish) };
      });
    },
  };
}
