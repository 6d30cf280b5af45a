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

/** Stale keys that are looked for with each new one. */
const SWEPT = 8;

/** Of the keys that fit, one owner has a tenth. */
const SHARE = 10;

/** A key that is used stays in its place in the order of use for such a part of its window. */
const MOVED = 10;

/** What is remembered of a key, and whose it is. */
interface Owned {
  readonly counted: Counted;
  readonly owner: string | undefined;
  /** When it was put last. */
  movedAt: number;
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
  const keys = new CountedKeys(integer('maxKeys', options.maxKeys, 10_000, 1));
  return {
    take(wish) {
      const cost = costOf(wish);
      keys.makeRoom([wish]);
      const counted = keys.countedOf(wish);
      const waitMs = gaugeOf(wish).waitMs(counted, wish, cost);
      if (waitMs === 0) gaugeOf(wish).add(counted, wish, cost);
      return waitMs;
    },
    takeAll(wishes) {
      const costs = wishes.map(costOf);
      keys.makeRoom(wishes);
      const counts = wishes.map((wish) => keys.countedOf(wish));
      const waits = wishes.map((wish, i) =>
        gaugeOf(wish).waitMs(counts[i] as Counted, wish, costs[i] as number),
      );
      const fits = waits.every((waitMs) => waitMs === 0);
      return wishes.map((wish, i) => {
        const gauge = gaugeOf(wish);
        if (fits) gauge.add(counts[i] as Counted, wish, costs[i] as number);
        const { remaining, growsMs } = gauge.level(counts[i] as Counted, wish);
        return { waitMs: waits[i] as number, remaining, growsMs };
      });
    },
  };
}

/** What is remembered, by key. */
class CountedKeys {
  readonly #maxKeys: number;
  readonly #maxOwned: number;
  readonly #byKey = new Map<string, Owned>();
  readonly #crowds = new Map<string, Owned>();
  /** How many keys each owner has. */
  readonly #owned = new Map<string, number>();

  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys;
    this.#maxOwned = Math.ceil(maxKeys / SHARE);
  }

  /** Before any of them is looked for: a key that is new is quiet until it is counted. Only a new one needs the room. */
  makeRoom(wishes: readonly RateWish[]): void {
    for (const { key, now } of wishes) {
      if (this.#byKey.has(key)) continue;
      this.#sweep(this.#byKey, now);
      this.#sweep(this.#crowds, now);
      return;
    }
  }

  countedOf(wish: RateWish): Counted {
    const { key, owner, limit, windowMs, algorithm } = wish;
    const known = this.#byKey.get(key);
    if (known !== undefined) return used(this.#byKey, key, known, wish);
    if (this.#hasRoomFor(owner)) {
      this.#own(owner, 1);
      return used(this.#byKey, key, unused(owner), wish);
    }
    const crowd = JSON.stringify([owner, limit, windowMs, algorithm]);
    return used(this.#crowds, crowd, this.#crowds.get(crowd) ?? unused(owner), wish);
  }

  /** The map's order is about the order of use, so that quiet keys come first. */
  #sweep(map: Map<string, Owned>, now: number): void {
    let looked = 0;
    for (const [key, { counted, owner }] of map) {
      if (looked === SWEPT) return;
      looked += 1;
      if (counted.quietAt > now) continue;
      map.delete(key);
      if (map === this.#byKey) this.#own(owner, -1);
    }
  }

  #own(owner: string | undefined, more: number): void {
    if (owner === undefined) return;
    const count = (this.#owned.get(owner) ?? 0) + more;
    if (count === 0) this.#owned.delete(owner);
    else this.#owned.set(owner, count);
  }

  #hasRoomFor(owner: string | undefined): boolean {
    return (
      this.#byKey.size < this.#maxKeys &&
      (owner === undefined || (this.#owned.get(owner) ?? 0) < this.#maxOwned)
    );
  }
}

function unused(owner: string | undefined): Owned {
  return { counted: uncounted(), owner, movedAt: Number.NEGATIVE_INFINITY };
}

/** Puts it last, as one that was used last. Not each time: a map whose members move all the time is laid out anew again and again. */
function used(map: Map<string, Owned>, key: string, found: Owned, { now, windowMs }: RateWish): Counted {
  if (Math.abs(now - found.movedAt) < windowMs / MOVED) return found.counted;
  found.movedAt = now;
  map.delete(key);
  map.set(key, found);
  return found.counted;
}
