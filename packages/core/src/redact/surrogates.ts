import { isDistinctive, isSecretClass } from './distinctive.ts';
import { GUESSED } from './own.ts';
import { givenWith } from './passwords-in.ts';

/** How a surrogate is written. */
export const SURROGATE: RegExp = /\[[a-z][a-z-]{1,23}:\d{1,6}(?:#[\da-f]{4,16})?\]/y;
const SURROGATES = /\[([a-z][a-z-]{1,23}):(\d{1,6})(?:#[\da-f]{4,16})?\]/g;

const LONGEST_SURROGATE = 50;
const OPEN = 0x5b;

/** Values and the surrogates they were given. */
export type Known = ReadonlyArray<readonly [value: string, surrogate: string]>;

const MOST_KNOWN = 50;

/** Names values: the same value gets the same surrogate, each class counts from one. */
export interface Namer {
  /** `rule`: which one saw the value there. */
  name(value: string, cls: string, rule?: string): string;
  /** Keeps new numbers clear of surrogates that are in a text already; tells whether there are any. */
  reserve(text: string): boolean;
  /** Values worth looking for elsewhere in the same message, longest first; so many that the search stays cheap. */
  known(): Known;
  /** All that was named, and what is given away with it. */
  named(): ReadonlyArray<readonly [value: string, named: Named]>;
}

/** What is remembered of a value. */
interface Named {
  readonly surrogate: string;
  readonly class: string;
  /** Whether nothing but its looks, or a name that need not be a secret's, speaks for it. */
  isGuess: boolean;
}

/** Starts the numbering of one message. With digests, each surrogate has that of its value: `[password:1#4f2a91c0]`. */
export function createNamer(digest?: (value: string) => string): Namer {
  const names = new Map<string, Named>();
  const counts = new Map<string, number>();
  const name = (value: string, cls: string, rule = ''): string => {
    const isGuess = GUESSED.test(rule);
    const given = names.get(value);
    if (given !== undefined) {
      given.isGuess &&= isGuess;
      return given.surrogate;
    }
    const count = (counts.get(cls) ?? 0) + 1;
    counts.set(cls, count);
    const surrogate = `[${cls}:${count}${digest === undefined ? '' : `#${digest(value)}`}]`;
    names.set(value, { surrogate, class: cls, isGuess });
    return surrogate;
  };
  /** Who has credentials has the password in them. What is only guessed gives nothing else away. */
  const nameParts = (): void => {
    for (const [value, { class: cls, isGuess }] of [...names].slice(0, MOST_KNOWN)) {
      if (isGuess || !isSecretClass(cls)) continue;
      for (const [part, its] of givenWith(value, cls)) {
        if (isTelling(part, its)) name(part, its);
      }
    }
  };
  return {
    name,
    reserve(text) {
      if (!hasSurrogates(text)) {
        return false;
      }
      for (const [, cls = '', digits] of text.matchAll(SURROGATES)) {
        counts.set(cls, Math.max(counts.get(cls) ?? 0, Number(digits)));
      }
      return true;
    },
    known() {
      nameParts();
      return [...names]
        .filter(([value, { class: cls }]) => isTelling(value, cls))
        .slice(0, MOST_KNOWN)
        .map(([value, { surrogate }]) => [value, surrogate] as const)
        .sort(([a], [b]) => b.length - a.length);
    },
    named() {
      nameParts();
      return [...names].map(([value, named]) => [value, named] as const);
    },
  };
}

/** A value long and odd enough that seeing it again cannot be chance. */
function isTelling(value: string, cls: string): boolean {
  if (isSecretClass(cls)) return isDistinctive(value, cls);
  return value.length >= 8 && value.length <= 4096 && /\d/.test(value) && /[^\d\s.,:/-]/.test(value);
}

/** Whether a text holds any surrogate. */
export function hasSurrogates(text: string): boolean {
  return text.search(SURROGATES) >= 0;
}

/** A part of a text with something else in the place of each surrogate, also of one that starts before it. */
export function withoutSurrogates(text: string, start: number, end: number, replacement: string): string {
  const part = text.slice(start, end);
  if (!part.includes(']')) {
    return part;
  }
  const parts = outsideSurrogates(text, start, end);
  return (
    parts
      .map(([from, to], index) => {
        const isBehind = from > (parts[index - 1]?.[1] ?? start);
        return (isBehind ? replacement : '') + text.slice(from, to);
      })
      .join('') + ((parts.at(-1)?.[1] ?? start) < end ? replacement : '')
  );
}

/** The end of the surrogate at an offset, or the offset itself if there is none. */
export function surrogateEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== OPEN) {
    return at;
  }
  SURROGATE.lastIndex = at;
  return SURROGATE.test(text) ? SURROGATE.lastIndex : at;
}

/** Whether a span lies inside a surrogate, or consists of surrogates alone. */
export function isSurrogateAt(text: string, start: number, end: number): boolean {
  return surrogateEnd(text, start) >= end || outsideSurrogates(text, start, end).length === 0;
}

/** The parts of a span that no surrogate covers. */
export function outsideSurrogates(
  text: string,
  start: number,
  end: number,
): Array<readonly [start: number, end: number]> {
  const parts: Array<readonly [number, number]> = [];
  let from = start;
  for (let at = Math.max(0, start - LONGEST_SURROGATE); at < end; at++) {
    const past = text.charCodeAt(at) === OPEN ? surrogateEnd(text, at) : at;
    if (past > at && past > start) {
      if (at > from) {
        parts.push([from, at]);
      }
      from = Math.max(from, past);
      at = past - 1;
    }
  }
  if (from < end) {
    parts.push([from, end]);
  }
  return parts;
}
