import { endOfFinding, startOfFinding } from './ends.ts';
import { partsWithin, tokenAt } from './json-bounds.ts';
import { type JsonIn, jsonIn } from './json-reader.ts';
import type { KeyMeaning } from './rules/key-meanings.ts';
import type { KeyHolds } from './rules/key-names.ts';
import type { Named } from './rules/received.ts';
import type { Walked } from './runs.ts';
import { hasSurrogates, isSurrogateAt } from './surrogates.ts';

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
  /** Whether anything of a class is to go at all. */
  takes(cls: string): boolean;
  readonly strict: boolean;
  /** Whether a caller says that numbers with a label are identifiers. */
  keeps(label: string): boolean;
  /** The user's own rules. */
  readonly ownRules?: ReadonlySet<string>;
  /** Whether the text stands in bytes that are none: a letter before a secret is a length there, or another value's. */
  readonly isInBytes?: boolean;
}

/** One text while it is being looked at. Detectors mark spans; a few keep a position so that no text is read twice. */
export interface Page extends Walked {
  readonly switches: Switches;
  readonly spans: Span[];
  /** From where to where something stands between its letters, or for them; whether a line break does. */
  disguiseFrom: number;
  disguiseTo: number;
  isSplit: boolean;
  /** The key under which the text stands in a value. */
  readonly label: string | undefined;
  /** How many encodings deep this text was found. */
  readonly depth: number;
  /** Everything before this offset is already marked. */
  covered: number;
  /** End of the name that was judged last. */
  named: number;
  /** End of the last word that speaks of a secret, and how far it was looked at by each block detector. */
  hint: number;
  /** What a key of that name holds, where the name need not be a secret's. */
  hintHolds: KeyHolds | undefined;
  /** The last name that surely speaks of a secret. */
  told: KeyMeaning | undefined;
  toldEnd: number;
  /** All names that surely speak of a secret, in their order. */
  readonly names: Named[];
  /** End of the last table that was read. */
  tableEnd: number;
  /** Where the line of heads starts of the last one that has rows. */
  tableHead: number;
  /** The value that a validator said last, before a name for it was seen. */
  echo: { readonly start: number; readonly end: number } | undefined;
  /** Where the number starts that was last tried as a card's. */
  number: number;
  /** End of the word that was last tried as a web token's header. */
  jwtTried: number;
  /** Where a program was called last. */
  program: number;
  flags: number;
  sqlFrom: number;
  sqlDone: number;
  /** End of the query that was read last. */
  queryDone: number;
  stackDone: number;
  decoded: number;
  /** End of the value that was read last, and how many names were found inside it. */
  valueEnd: number;
  valueNames: number;
  /** Whether the text holds surrogates; not known until somebody asks. */
  surrogates: boolean | undefined;
  /** The JSON in the text; not read until somebody asks. */
  json: JsonIn | undefined;
  /** The stretch of text on which a rule was tried last: a user's own, or one that reads far. */
  tried: Map<object, number> | undefined;
}

/** Opens a text for reading. */
export function createPage(text: string, switches: Switches, depth: number, label: string | undefined): Page {
  return {
    text,
    switches,
    spans: [],
    disguiseFrom: -1,
    disguiseTo: -1,
    isSplit: false,
    label,
    depth,
    covered: 0,
    named: -1,
    hint: -1000,
    hintHolds: undefined,
    told: undefined,
    toldEnd: -1,
    names: [],
    tableEnd: -1,
    tableHead: -1,
    echo: undefined,
    number: -1,
    jwtTried: -1,
    program: -1,
    flags: 0,
    sqlFrom: -1,
    sqlDone: 0,
    queryDone: 0,
    stackDone: 0,
    decoded: 0,
    valueEnd: -1,
    valueNames: 0,
    surrogates: undefined,
    json: undefined,
    runs: [],
    nexts: undefined,
    tried: undefined,
  };
}

/** Weights: a vendor's format knows best what a value is, then the structure around it, then its looks. */
export const BLOCK = 4;
export const FORMAT = 3;
export const STRUCTURE = 2;
export const LOOKS = 1;

/** Whether a page's text holds surrogates at all. */
export function holdsSurrogates(page: Page): boolean {
  page.surrogates ??= hasSurrogates(page.text);
  return page.surrogates;
}

/** The JSON in a page's text. */
export function jsonOf(page: Page): JsonIn {
  page.json ??= jsonIn(page.text);
  return page.json;
}

/** Where the string of JSON ends that an offset is in; the text's end, if it is in none. */
export function jsonStringEnd(page: Page, at: number): number {
  return tokenAt(jsonOf(page), at)?.end ?? page.text.length;
}

/** Whether an offset is in a name of JSON. */
export function isInJsonName(page: Page, at: number): boolean {
  return tokenAt(jsonOf(page), at)?.isName === true;
}

/** Marks a span for removal, unless its rule is off or it is a surrogate already. JSON stays JSON without it. */
export function mark(
  page: Page,
  start: number,
  end: number,
  rule: string,
  cls: string,
  weight: number,
  quote = '',
): boolean {
  if (end <= start || !page.switches.isOn(rule) || !page.switches.takes(cls)) {
    return false;
  }
  const mayBeGone = holdsSurrogates(page);
  let isMarked = false;
  const first = startOfFinding(page.text, start);
  const last = endOfFinding(page.text, first, end);
  for (const part of partsWithin(jsonOf(page), page.text, first, last, quote)) {
    if (part.end > part.start && !(mayBeGone && isSurrogateAt(page.text, part.start, part.end))) {
      page.spans.push({ ...part, rule, class: cls, weight });
      page.covered = Math.max(page.covered, part.end);
      isMarked = true;
    }
  }
  return isMarked;
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

/** Whether a character code is a letter, a digit or `_` of ASCII. */
export function isWordSign(code: number): boolean {
  return isAlnum(code) || code === 95;
}
