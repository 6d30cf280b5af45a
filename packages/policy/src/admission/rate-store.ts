/** Where a rate limit keeps its counts. */
import { integer, onlyKnown } from '../check.ts';
import type { Awaitable } from '../policy.ts';

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

/** Counts that are at hand. */
export interface MemoryRateStore extends RateStore {
  take(wish: RateWish): number;
}

/** The calls of one key in the window: their times, oldest first. */
interface Counted {
  times: number[];
  /** Those before are stale. */
  from: number;
  /** When the bucket is full again. */
  fullAt: number;
  /** From then on nothing is left to remember. */
  quietAt: number;
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
  const crowd: Counted = { times: [], from: 0, fullAt: 0, quietAt: 0 };

  /** The map's order is the order of use, so that quiet keys come first. */
  function sweep(now: number): void {
    let looked = 0;
    for (const [key, { quietAt }] of byKey) {
      if (looked === SWEPT) return;
      looked += 1;
      if (quietAt <= now) byKey.delete(key);
    }
  }

  function countedOf(key: string, now: number): Counted {
    sweep(now);
    const known = byKey.get(key);
    if (known === undefined && byKey.size >= maxKeys) return crowd;
    const counted = known ?? { times: [], from: 0, fullAt: 0, quietAt: 0 };
    byKey.delete(key);
    byKey.set(key, counted);
    return counted;
  }

  return {
    take(wish) {
      const cost = costOf(wish);
      const counted = countedOf(wish.key, wish.now);
      return wish.algorithm === 'bucket' ? pour(counted, wish, cost) : count(counted, wish, cost);
    },
  };
}

/** What a wish counts for; refuses what would never fit. */
export function costOf({ cost, limit }: RateWish): number {
  const given = integer('cost', cost, 1, 1);
  if (given <= limit) return given;
  throw new RangeError(
    `Expected \`cost\` to be at most the limit of ${limit}, got ${given}: it would never fit`,
  );
}

function count(counted: Counted, { limit, windowMs, now }: RateWish, cost: number): number {
  // A clock that was set back makes nobody wait longer than a window.
  if ((counted.times.at(-1) ?? now) > now) counted.times = counted.times.map((time) => Math.min(time, now));
  forget(counted, now - windowMs);
  const { times, from } = counted;
  if (times.length - from + cost > limit)
    return Math.ceil((times[times.length + cost - limit - 1] as number) + windowMs - now);
  for (let i = 0; i < cost; i += 1) times.push(now);
  counted.quietAt = Math.max(counted.quietAt, now + windowMs);
  return 0;
}

/** Fractions of a millisecond add up to no more than this. */
const ROUNDING_MS = 0.01;

function pour(counted: Counted, { limit, windowMs, now }: RateWish, cost: number): number {
  // A clock that was set back: the bucket counts as empty from now on, and fills.
  if (counted.fullAt > now + windowMs) counted.fullAt = counted.quietAt = now + windowMs;
  const fullAt = Math.max(counted.fullAt, now) + (cost * windowMs) / limit;
  const waitMs = fullAt - windowMs - now;
  if (waitMs > ROUNDING_MS) return Math.ceil(waitMs - ROUNDING_MS);
  counted.fullAt = fullAt;
  counted.quietAt = Math.max(counted.quietAt, fullAt);
  return 0;
}

/** Lets go of what left the window; the list is only copied when half of it is stale. */
function forget(counted: Counted, until: number): void {
  const { times } = counted;
  while (counted.from < times.length && (times[counted.from] as number) <= until) counted.from += 1;
  if (counted.from < 32 || counted.from * 2 < times.length) return;
  counted.times = times.slice(counted.from);
  counted.from = 0;
}
