/** Counts by the minute, as bars of equal width. */
import type { Count } from '../api/documents.ts';

/** Some time, and how many there were in it. */
export interface Bucket {
  /** Unix time in milliseconds, at its beginning. */
  readonly from: number;
  readonly count: number;
}

/** How far back one looks, and how wide a bar is. */
export interface Range {
  readonly name: string;
  readonly spanMs: number;
  readonly barMs: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What can be chosen. */
export const RANGES: readonly [Range, ...Range[]] = [
  { name: '24 hours', spanMs: 24 * HOUR, barMs: 30 * MINUTE },
  { name: '1 hour', spanMs: HOUR, barMs: MINUTE },
  { name: '7 days', spanMs: 7 * 24 * HOUR, barMs: 4 * HOUR },
];

/** The bars up to now; those with nothing too. What is a little ahead of our clock is in the last. */
export function bucketsOf(
  counts: readonly Count[],
  { spanMs, barMs }: Range,
  now: number,
): readonly Bucket[] {
  const end = Math.floor(now / barMs) * barMs;
  const length = Math.round(spanMs / barMs);
  const first = end - (length - 1) * barMs;
  const sums = new Array<number>(length).fill(0);
  for (const { at, count } of counts) {
    const index = Math.floor((Date.parse(at) - first) / barMs);
    const place = Math.min(index, length - 1);
    if (place >= 0) sums[place] = (sums[place] ?? 0) + count;
  }
  return sums.map((count, index) => ({ from: first + index * barMs, count }));
}
