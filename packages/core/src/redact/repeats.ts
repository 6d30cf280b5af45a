/**
 * Texts that say the same over and over: a line in a loop, or what was made to keep a process busy. No rule looks
 * further than some thousand characters, so in the midst of such a stretch it finds the same each time. What is found in
 * a few thousand characters of it is found in all.
 */
import type { Span } from './page.ts';

/** A stretch of a text that repeats its first characters to its end. */
interface Repeat {
  readonly start: number;
  readonly end: number;
  readonly period: number;
}

/** Where a text was cut, in the cut one, and how much of it is gone. */
interface Cut {
  readonly at: number;
  /** Where what repeats ends. */
  readonly end: number;
  readonly period: number;
  readonly removed: number;
}

/** A text without most of its repetitions. */
export interface Shortened {
  readonly text: string;
  /** What is found in the whole text, by what is found in this one, in order; `undefined` where one does not tell the other. */
  readonly whole: (spans: readonly Span[]) => Span[] | undefined;
}

const LONGEST_PERIOD = 512;
/** Shorter ones are not worth it. */
const SHORTEST = 20_000;
/** A repeat of that length has a place where it is looked for. */
const STEP = 1 << 13;
/** So much of it stays on either side of a cut: as far as any rule looks. */
const KEPT = 1 << 13;
/** A quote that opens and one that closes are two times the same; every so many times what is found may recur. */
const TURNS: readonly number[] = [1, 2, 3, 4, 6, 8, 12, 24];
/** By so many times texts are cut: by a multiple of each of the turns. */
const ALL_TURNS = 24;
/** So far around a cut it has to recur. */
const LOOKED_AT = 1 << 10;

/** The same text with less of what it repeats; `undefined` where nothing is worth leaving out. */
export function shorten(text: string): Shortened | undefined {
  const cuts: Cut[] = [];
  let short = '';
  let from = 0;
  for (const { start, end, period } of repeatsIn(text)) {
    const step = period * ALL_TURNS;
    const removed = Math.floor((end - start - 2 * KEPT) / step) * step;
    if (removed > 0) {
      short += text.slice(from, start + KEPT);
      from = start + KEPT + removed;
      cuts.push({ at: short.length, end: short.length + end - from, period, removed });
    }
  }
  if (cuts.length === 0) {
    return undefined;
  }
  return { text: short + text.slice(from), whole: (spans) => wholeSpans(spans, cuts) };
}

function repeatsIn(text: string): Repeat[] {
  const repeats: Repeat[] = [];
  let done = 0;
  for (let at = 0; at + STEP <= text.length; ) {
    const period = periodAt(text, at);
    const end = period > 0 ? repeatEnd(text, at, period) : at;
    const start = end > at ? repeatStart(text, at, period, Math.max(done, at - STEP)) : at;
    if (end - start >= SHORTEST) {
      repeats.push({ start, end, period });
      done = end;
    }
    at = Math.max(end, at + STEP);
  }
  return repeats;
}

/** After how many characters the text at an offset comes again; 0 if not soon. */
function periodAt(text: string, at: number): number {
  const begun = text.slice(at, at + LONGEST_PERIOD);
  return text.slice(at + 1, at + 2 * LONGEST_PERIOD).indexOf(begun) + 1;
}

function repeatEnd(text: string, at: number, period: number): number {
  let end = at + LONGEST_PERIOD;
  while (end < text.length && text.charCodeAt(end) === text.charCodeAt(end - period)) {
    end++;
  }
  return end;
}

function repeatStart(text: string, at: number, period: number, least: number): number {
  let start = at;
  while (start > least && text.charCodeAt(start - 1) === text.charCodeAt(start - 1 + period)) {
    start--;
  }
  return start;
}

function wholeSpans(spans: readonly Span[], cuts: readonly Cut[]): Span[] | undefined {
  const whole: Span[] = [];
  let next = 0;
  let shift = 0;
  for (const cut of cuts) {
    const { at, period, removed } = cut;
    const turn = TURNS.map((times) => times * period).find((length) => recurs(spans, cut, length));
    if (turn === undefined) {
      return undefined;
    }
    const first = whole.length;
    for (; next < spans.length && (spans[next]?.start ?? 0) < at; next++) {
      const span = spans[next] as Span;
      // What goes on behind all that is looked at goes on to the end of the repetitions.
      const isLong = span.end > at + turn;
      whole.push({ ...span, start: span.start + shift, end: span.end + shift + (isLong ? removed : 0) });
    }
    const again = whole.slice(first).filter(({ start }) => start >= at + shift - turn);
    for (let by = turn; by <= removed; by += turn) {
      for (const span of again) {
        whole.push({ ...span, start: span.start + by, end: span.end + by });
      }
    }
    shift += removed;
  }
  for (const span of spans.slice(next)) {
    whole.push({ ...span, start: span.start + shift, end: span.end + shift });
  }
  return whole;
}

/** Whether what is found around a cut is found again so many characters later. */
function recurs(spans: readonly Span[], { at, end }: Cut, turn: number): boolean {
  const reach = Math.max(LOOKED_AT, turn);
  if (reach > KEPT / 2) {
    return false;
  }
  const first = firstFrom(spans, at - reach);
  const before = spans.slice(first, firstFrom(spans, at + reach - turn));
  const behind = spans.slice(firstFrom(spans, at - reach + turn), firstFrom(spans, at + reach));
  const open = spans[first - 1]?.end ?? 0;
  // What began long before goes on to the end, or had ended.
  const isOver = open <= at - reach + turn;
  return (
    (isOver || open > end - LOOKED_AT) &&
    before.length === behind.length &&
    before.every((span, index) => isSame(span, behind[index] as Span, turn))
  );
}

/** The index of the first span that starts at an offset or behind it. */
function firstFrom(spans: readonly Span[], at: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as Span).start < at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

function isSame(a: Span, b: Span, by: number): boolean {
  return (
    a.start + by === b.start &&
    a.end + by === b.end &&
    a.rule === b.rule &&
    a.class === b.class &&
    a.weight === b.weight &&
    a.quote === b.quote
  );
}
