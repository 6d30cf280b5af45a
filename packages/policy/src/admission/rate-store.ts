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
  /** Whose key it is: where there are too many, nobody's are counted together with those of others. */
  readonly owner?: string | undefined;
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

/** Of the keys that fit, one owner has a tenth. */
const SHARE = 10;

/** What is remembered of a key, and whose it is. */
interface Owned {
  readonly counted: Counted;
  readonly owner: string | undefined;
}

/**
 * Counts in memory, exactly: the times of the calls in the window. Bounded, and nothing that still counts is
 * forgotten: beyond `maxKeys` busy keys, or a tenth of that for one owner, new ones of the same limit and owner are
 * counted together.
 */
export function createMemoryRateStore(
  options: { readonly maxKeys?: number | undefined } = {},
): MemoryRateStore {
  onlyKnown('`createMemoryRateStore`', options, { maxKeys: true });
  const maxKeys = integer('maxKeys', options.maxKeys, 10_000, 1);
  const maxOwned = Math.ceil(maxKeys / SHARE);
  const byKey = new Map<string, Owned>();
  const crowds = new Map<string, Owned>();
  /** How many keys each owner has. */
  const owned = new Map<string, number>();

  /** The map's order is the order of use, so that quiet keys come first. */
  function sweep(map: Map<string, Owned>, now: number): void {
    let looked = 0;
    for (const [key, { counted, owner }] of map) {
      if (looked === SWEPT) return;
      looked += 1;
      if (counted.quietAt > now) continue;
      map.delete(key);
      if (map === byKey) own(owner, -1);
    }
  }

  function own(owner: string | undefined, more: number): void {
    if (owner === undefined) return;
    const count = (owned.get(owner) ?? 0) + more;
    if (count === 0) owned.delete(owner);
    else owned.set(owner, count);
  }

  function hasRoomFor(owner: string | undefined): boolean {
    return byKey.size < maxKeys && (owner === undefined || (owned.get(owner) ?? 0) < maxOwned);
  }

  function countedOf({ key, owner, limit, windowMs, algorithm }: RateWish): Counted {
    if (byKey.has(key) || hasRoomFor(owner)) {
      if (!byKey.has(key)) own(owner, 1);
      return used(byKey, key, owner);
    }
    return used(crowds, JSON.stringify([owner, limit, windowMs, algorithm]), owner);
  }

  return {
    take(wish) {
      const cost = costOf(wish);
      for (const map of [byKey, crowds]) sweep(map, wish.now);
      const counted = countedOf(wish);
      const waitMs = gaugeOf(wish).waitMs(counted, wish, cost);
      if (waitMs === 0) gaugeOf(wish).add(counted, wish, cost);
      return waitMs;
    },
    takeAll(wishes) {
      const costs = wishes.map(costOf);
      // A key that is new is quiet until it is counted.
      for (const { now } of wishes.slice(0, 1)) for (const map of [byKey, crowds]) sweep(map, now);
      const looked = wishes.map((wish, i) => {
        const counted = countedOf(wish);
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

/** Puts it last, as the one that was used last. */
function used(map: Map<string, Owned>, key: string, owner: string | undefined): Counted {
  const found = map.get(key) ?? { counted: uncounted(), owner };
  map.delete(key);
  map.set(key, found);
  return found.counted;
}
