/** The two ways to count calls: what each remembers of a key, and what follows from that. */
import { integer } from '../check.ts';
import type { RateWish } from './rate-store.ts';

/** What is remembered of one key. */
export interface Counted {
  /** When calls were counted, the oldest first, and how much at each of these times. */
  times: number[];
  costs: number[];
  /** Those before are stale. */
  from: number;
  /** The sum of those that are not. */
  used: number;
  /** When the bucket is full again. */
  fullAt: number;
  /** From then on nothing is left to remember. */
  quietAt: number;
}

/** A key of which nothing is known. */
export function uncounted(): Counted {
  return { times: [], costs: [], from: 0, used: 0, fullAt: 0, quietAt: 0 };
}

/** How much fits a limit now, and when more will. */
export interface RateLevel {
  /** Whole units that still fit. */
  readonly remaining: number;
  /** Whole milliseconds until more of them do; 0 when nothing is used. */
  readonly growsMs: number;
}

/** One way to count. */
interface Gauge {
  /** 0, or the whole milliseconds until so much fits. */
  waitMs(counted: Counted, wish: RateWish, cost: number): number;
  /** Counts what fits. */
  add(counted: Counted, wish: RateWish, cost: number): void;
  level(counted: Counted, wish: RateWish): RateLevel;
}

/** What a wish counts for; refuses what would never fit. */
export function costOf({ cost, limit }: RateWish): number {
  const given = integer('cost', cost, 1, 1);
  if (given <= limit) return given;
  throw new RangeError(
    `Expected \`cost\` to be at most the limit of ${limit}, got ${given}: it would never fit`,
  );
}

/** Exactly so much in any window. */
const WINDOW: Gauge = {
  waitMs(counted, { limit, windowMs, now }, cost) {
    turnBack(counted, now);
    forget(counted, now - windowMs);
    let excess = counted.used + cost - limit;
    let i = counted.from;
    for (; excess > 0 && i < counted.times.length; i += 1) excess -= counted.costs[i] as number;
    return i === counted.from ? 0 : Math.ceil((counted.times[i - 1] as number) + windowMs - now);
  },
  add(counted, { windowMs, now }, cost) {
    const { times, costs } = counted;
    const last = times.length - 1;
    if (last >= counted.from && times[last] === now) costs[last] = (costs[last] as number) + cost;
    else {
      times.push(now);
      costs.push(cost);
    }
    counted.used += cost;
    counted.quietAt = Math.max(counted.quietAt, now + windowMs);
  },
  level({ used, times, from }, { limit, windowMs, now }) {
    const oldest = times[from];
    const growsMs = oldest === undefined ? 0 : Math.ceil(oldest + windowMs - now);
    return { remaining: Math.max(0, limit - used), growsMs };
  },
};

/** Fractions of a millisecond add up to no more than this. */
const ROUNDING_MS = 0.01;

/** So much at once, and evenly more. */
const BUCKET: Gauge = {
  waitMs(counted, wish, cost) {
    const { windowMs, now } = wish;
    // A clock that was set back: the bucket counts as empty from now on, and fills.
    if (counted.fullAt > now + windowMs) counted.fullAt = counted.quietAt = now + windowMs;
    const waitMs = poured(counted.fullAt, wish, cost) - windowMs - now;
    return waitMs > ROUNDING_MS ? Math.ceil(waitMs - ROUNDING_MS) : 0;
  },
  add(counted, wish, cost) {
    counted.fullAt = poured(counted.fullAt, wish, cost);
    counted.quietAt = Math.max(counted.quietAt, counted.fullAt);
  },
  level: ({ fullAt }, wish) => bucketLevel(fullAt, wish),
};

/** When the bucket is full again once so much was taken. */
function poured(fullAt: number, { limit, windowMs, now }: RateWish, cost: number): number {
  return Math.max(fullAt, now) + (cost * windowMs) / limit;
}

/** How much is in a bucket that is full again at this time. */
export function bucketLevel(fullAt: number, { limit, windowMs, now }: RateWish): RateLevel {
  const missingMs = Math.max(0, fullAt - now - ROUNDING_MS);
  if (missingMs === 0) return { remaining: limit, growsMs: 0 };
  const unitMs = windowMs / limit;
  const remaining = Math.max(0, Math.floor((windowMs - missingMs) / unitMs));
  return { remaining, growsMs: Math.max(1, Math.ceil(missingMs - windowMs + (remaining + 1) * unitMs)) };
}

/** The way that a wish wants to be counted. */
export function gaugeOf({ algorithm }: RateWish): Gauge {
  return algorithm === 'bucket' ? BUCKET : WINDOW;
}

/** A clock that was set back makes nobody wait longer than a window. */
function turnBack(counted: Counted, now: number): void {
  if ((counted.times.at(-1) ?? now) <= now) return;
  counted.times = counted.times.map((time) => Math.min(time, now));
}

/** Lets go of what left the window; the lists are only copied when half of them is stale. */
function forget(counted: Counted, until: number): void {
  const { times, costs } = counted;
  while (counted.from < times.length && (times[counted.from] as number) <= until) {
    counted.used -= costs[counted.from] as number;
    counted.from += 1;
  }
  if (counted.from < 32 || counted.from * 2 < times.length) return;
  counted.times = times.slice(counted.from);
  counted.costs = costs.slice(counted.from);
  counted.from = 0;
}
