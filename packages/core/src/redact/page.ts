import { isSurrogateAt } from './surrogates.ts';

/** Part of a text that a rule wants removed. */
export interface Span {
  start: number;
  end: number;
  rule: string;
  class: string;
  weight: number;
  /** Put around the surrogate, where the text needs quotes to stay well-formed. */
  quote: string;
}

/** Looks at a keyword's place in a page and marks what must go. */
export type Detector = (page: Page, start: number, end: number) => void;

/** Which rules are on. */
export interface Switches {
  isOn(rule: string): boolean;
  readonly strict: boolean;
}

/** One text while it is being looked at. Detectors mark spans; a few keep a position so that no text is read twice. */
export interface Page {
  readonly text: string;
  readonly switches: Switches;
  readonly spans: Span[];
  /** How many encodings deep this text was found. */
  readonly depth: number;
  /** Everything before this offset is already marked. */
  covered: number;
  /** End of the name that was judged last. */
  named: number;
  /** End of the last word that speaks of a secret, and how far it was looked at by each block detector. */
  hint: number;
  sqlFrom: number;
  sqlDone: number;
  stackDone: number;
  decoded: number;
}

/** Opens a text for reading. */
export function createPage(text: string, switches: Switches, depth = 0): Page {
  return {
    text,
    switches,
    spans: [],
    depth,
    covered: 0,
    named: -1,
    hint: -1000,
    sqlFrom: -1,
    sqlDone: 0,
    stackDone: 0,
    decoded: 0,
  };
}

/** Weights: a vendor's format knows best what a value is, then the structure around it, then its looks. */
export const BLOCK = 4;
export const FORMAT = 3;
export const STRUCTURE = 2;
export const LOOKS = 1;

/** Marks a span for removal, unless its rule is off or it is a surrogate already. */
export function mark(
  page: Page,
  start: number,
  end: number,
  rule: string,
  cls: string,
  weight: number,
  quote = '',
): boolean {
  if (end <= start || !page.switches.isOn(rule) || isSurrogateAt(page.text, start, end)) {
    return false;
  }
  page.spans.push({ start, end, rule, class: cls, weight, quote });
  if (end > page.covered) {
    page.covered = end;
  }
  return true;
}

/** Runs a sticky expression at an offset. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Whether a character code is a letter or digit of ASCII. */
export function isAlnum(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** Walks left from an offset while characters belong to a set, `limit` steps at most. */
export function walkLeft(text: string, from: number, limit: number, set: RegExp): number {
  let at = from;
  const stop = Math.max(0, from - limit);
  while (at > stop && set.test(text[at - 1] as string)) {
    at--;
  }
  return at;
}
