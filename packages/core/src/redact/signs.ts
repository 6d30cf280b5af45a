/**
 * What kinds of characters a value is made of. Most expressions that judge a value need a sign that it does not have; to
 * walk over it once, and to ask for the sign, costs less than to try one of them.
 */
import { isSpace } from './runs.ts';

export const SMALL: number = 1;
export const CAPITAL: number = 1 << 1;
export const DIGIT: number = 1 << 2;
/** `_` */
export const LOWLINE: number = 1 << 3;
export const DASH: number = 1 << 4;
export const DOT: number = 1 << 5;
export const SLASH: number = 1 << 6;
export const COLON: number = 1 << 7;
export const DOLLAR: number = 1 << 8;
/** `@` */
export const AT: number = 1 << 9;
/** `(` and `[` */
export const OPEN: number = 1 << 10;
export const TILDE: number = 1 << 11;
/** One of `!#%^&*`. */
export const MARK: number = 1 << 12;
/** What `\s` stands for. */
export const BLANK: number = 1 << 13;
/** `x` or `X`, which is a letter as well. */
export const CROSS: number = 1 << 14;
/** `'` */
export const APOSTROPHE: number = 1 << 15;
/** Every other character of ASCII. */
export const OTHER: number = 1 << 16;
/** Characters beyond ASCII. */
export const BEYOND: number = 1 << 17;

export const LETTER: number = SMALL | CAPITAL | CROSS;
export const ALNUM: number = LETTER | DIGIT;
/** What `\w` stands for. */
export const WORD: number = ALNUM | LOWLINE;

const SIGNS: ReadonlyArray<readonly [kind: number, signs: string]> = [
  [LOWLINE, '_'],
  [DASH, '-'],
  [DOT, '.'],
  [SLASH, '/'],
  [COLON, ':'],
  [DOLLAR, '$'],
  [AT, '@'],
  [OPEN, '(['],
  [TILDE, '~'],
  [MARK, '!#%^&*'],
  [BLANK, ' \t\n\v\f\r'],
  [APOSTROPHE, "'"],
];

const KINDS = new Uint32Array(128).fill(OTHER);
KINDS.fill(DIGIT, 48, 58);
KINDS.fill(CAPITAL, 65, 91);
KINDS.fill(SMALL, 97, 123);
KINDS[88] = CAPITAL | CROSS;
KINDS[120] = SMALL | CROSS;
for (const [kind, signs] of SIGNS) {
  for (let i = 0; i < signs.length; i++) {
    KINDS[signs.charCodeAt(i)] = kind;
  }
}

/** The kinds of characters in a text. */
export function kindsOf(text: string): number {
  let kinds = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    kinds |= code < 128 ? (KINDS[code] as number) : isSpace(code) ? BEYOND | BLANK : BEYOND;
  }
  return kinds;
}

let last = '';
let lastKinds = 0;

/** The same for a value that is judged by many, one after the other. */
export function kindsIn(value: string): number {
  if (value !== last) {
    lastKinds = kindsOf(value);
  }
  // Also where it was the same: to compare a text with itself takes no time, with a copy it does.
  last = value;
  return lastKinds;
}

/** Whether a value has one of some kinds at least. */
export function hasAny(value: string, kinds: number): boolean {
  return (kindsIn(value) & kinds) !== 0;
}

/** Whether a value has no other kinds than some. */
export function hasOnly(value: string, kinds: number): boolean {
  return (kindsIn(value) & ~kinds) === 0;
}
