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
  /** Where the number starts that was last tried as a card's. */
  number: number;
  /** Where a program was called last. */
  program: number;
  sqlFrom: number;
  sqlDone: number;
  stackDone: number;
  decoded: number;
  /** End of the value that was read last, and how many names were found inside it. */
  valueEnd: number;
  valueNames: number;
  /** Whether the text holds surrogates; not known until somebody asks. */
  surrogates: boolean | undefined;
  /** What {@link runEnd}, {@link runStart} and {@link nextOf} have found out, so that nothing is walked twice. */
  readonly runs: number[];
  nexts: Map<string, readonly [from: number, at: number]> | undefined;
  /** The stretch of text on which a user's own rule was tried last. */
  tried: Map<object, number> | undefined;
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
    number: -1,
    program: -1,
    sqlFrom: -1,
    sqlDone: 0,
    stackDone: 0,
    decoded: 0,
    valueEnd: -1,
    valueNames: 0,
    surrogates: undefined,
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
  if (end <= start || !page.switches.isOn(rule)) {
    return false;
  }
  page.surrogates ??= hasSurrogates(page.text);
  if (page.surrogates && isSurrogateAt(page.text, start, end)) {
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

/** Whether a character code beyond ASCII is a blank. */
export function isSpace(code: number): boolean {
  return /\s/.test(String.fromCharCode(code));
}

/** A set of characters, with its place in every page's memory of runs. */
export interface CharSet {
  readonly slot: number;
  readonly ascii: Uint8Array;
  readonly others: (code: number) => boolean;
}

let slots = 0;

/** A set of characters: those of ASCII by an expression for one, the others by their code. */
export function charSet(ascii: RegExp, others: (code: number) => boolean = () => false): CharSet {
  const table = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    table[code] = ascii.test(String.fromCharCode(code)) ? 1 : 0;
  }
  slots += 4;
  return { slot: slots - 4, ascii: table, others };
}

/** Whether a character code belongs to a set. */
export function isIn(set: CharSet, code: number): boolean {
  return code < 128 ? set.ascii[code] === 1 : set.others(code);
}

/** Where the run of a set's characters ends that an offset is in. Walked once for each run, not for each offset. */
export function runEnd(page: Page, set: CharSet, at: number): number {
  const { text, runs } = page;
  const { slot } = set;
  const from = runs[slot] ?? -1;
  const to = runs[slot + 1] ?? -1;
  if (at >= from && at < to) {
    return to;
  }
  let end = at;
  while (end < text.length && isIn(set, text.charCodeAt(end))) {
    end = end + 1 === from ? to : end + 1;
  }
  if (end > at) {
    runs[slot] = at;
    runs[slot + 1] = end;
  }
  return end;
}

/** Where the run of a set's characters starts that ends at an offset. */
export function runStart(page: Page, set: CharSet, at: number): number {
  const { text, runs } = page;
  const { slot } = set;
  const from = runs[slot + 2] ?? -1;
  const to = runs[slot + 3] ?? -1;
  if (at > from && at <= to) {
    return from;
  }
  let start = at;
  while (start > 0 && isIn(set, text.charCodeAt(start - 1))) {
    start = start - 1 === to ? from : start - 1;
  }
  if (start < at) {
    runs[slot + 2] = start;
    runs[slot + 3] = at;
  }
  return start;
}

/** Where a literal stands next, the length of the text if nowhere. Each stretch is searched once. */
export function nextOf(page: Page, literal: string, from: number): number {
  return knownNext(page, literal, from, () => {
    const found = page.text.indexOf(literal, from);
    return found < 0 ? page.text.length : found;
  });
}

/** What a search from an offset finds, and for every offset before the find too: each stretch is searched once. */
export function knownNext(page: Page, id: string, from: number, search: () => number): number {
  page.nexts ??= new Map();
  const [since, known] = page.nexts.get(id) ?? [0, -1];
  if (since <= from && from <= known) {
    return known;
  }
  const next = search();
  page.nexts.set(id, [from, next]);
  return next;
}
