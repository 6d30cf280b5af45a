/** A text with a memory of what was walked, so that many detectors can look around without reading anything twice. */
export interface Walked {
  readonly text: string;
  /** Runs of characters that were walked, four numbers a set; see {@link runEnd} and {@link runStart}. */
  readonly runs: number[];
  /** Searches forward, by what was searched for. */
  nexts: Map<string, readonly [from: number, at: number]> | undefined;
}

/** Whether a character code beyond ASCII is a blank. */
export function isSpace(code: number): boolean {
  return (
    code === 0xa0 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0x1680 ||
    code === 0xfeff
  );
}

/** Is it a byte of a text, in any encoding? */
export function isOfText(byte: number): boolean {
  return Number.isInteger(byte) && byte <= 255 && (byte >= 32 || byte === 9 || byte === 10 || byte === 13);
}

/** A set of characters, with its place in every page's memory of runs. */
export interface CharSet {
  readonly slot: number;
  readonly ascii: Uint8Array;
  readonly others: (code: number) => boolean;
}

let slots = 0;

/** A set of characters: those of ASCII by an expression for one, the others by their code. */
/* @__NO_SIDE_EFFECTS__ */
export function charSet(ascii: RegExp, others: (code: number) => boolean = () => false): CharSet {
  const table = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    table[code] = ascii.test(String.fromCharCode(code)) ? 1 : 0;
  }
  slots += 4;
  return { slot: slots - 4, ascii: table, others };
}

/** Whether a character code belongs to a set. */
function isIn(set: CharSet, code: number): boolean {
  return code < 128 ? set.ascii[code] === 1 : set.others(code);
}

/** Where the run of a set's characters ends that an offset is in. Walked once for each run, not for each offset. */
export function runEnd(page: Walked, set: CharSet, at: number): number {
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
export function runStart(page: Walked, set: CharSet, at: number): number {
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
export function nextOf(page: Walked, literal: string, from: number): number {
  return knownNext(page, literal, from, () => {
    const found = page.text.indexOf(literal, from);
    return found < 0 ? page.text.length : found;
  });
}

/** What a search from an offset finds, and for every offset before the find too: each stretch is searched once. */
export function knownNext(page: Walked, id: string, from: number, search: () => number): number {
  page.nexts ??= new Map();
  const [since, known] = page.nexts.get(id) ?? [0, -1];
  if (since <= from && from <= known) {
    return known;
  }
  const next = search();
  page.nexts.set(id, [from, next]);
  return next;
}

const DIGIT = /\d/g;

/** Where a digit of ASCII stands next, the length of the text if nowhere. */
export function nextDigit(page: Walked, from: number): number {
  return knownNext(page, 'digit', from, () => {
    DIGIT.lastIndex = from;
    return DIGIT.test(page.text) ? DIGIT.lastIndex - 1 : page.text.length;
  });
}
