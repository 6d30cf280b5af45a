import { knownLeaf } from './leaves.ts';
import { nameOf } from './node-names.ts';
import { createNode, type Entry, type Node } from './nodes.ts';
import { mark, type Page, STRUCTURE } from './page.ts';
import { markExpectedUnder } from './rules/expected.ts';
import { markGivenWords } from './rules/given.ts';
import { markReceivedUnder } from './rules/received.ts';

/** An entry, and where its leaf stands in the text, without quotes. */
interface Place {
  readonly node: Node;
  readonly entry: Entry;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
}

const LITERAL = /-?\d[\d.eE+-]{0,40}|true|false|null/y;
const DEEPEST = 64;

/** Marks what the structure of JSON in a text gives away: it is read as the value that it is. */
export function markJson(page: Page): void {
  const { text } = page;
  if (!/[{[]\s{0,40}["[{]/.test(text)) {
    return;
  }
  const places = placesIn(text);
  const spans = [...page.spans].sort((a, b) => a.start - b.start);
  let at = 0;
  for (const { node, entry, start, end, quote } of places) {
    while (at < spans.length && (spans[at]?.end ?? 0) <= start) {
      at++;
    }
    // What other rules found in it is enough.
    if ((spans[at]?.start ?? text.length) < end) {
      continue;
    }
    const known = knownLeaf(node, entry, entry.leaf);
    if (known) {
      mark(page, start, end, known.rule, known.class, STRUCTURE, quote);
    } else if (typeof entry.leaf === 'string') {
      const name = nameOf(node, entry);
      markGivenWords(page, start, end, name);
      markReceivedUnder(page, start, end, name);
      markExpectedUnder(page, start, end, name);
    }
  }
}

/** All leaves of all JSON in a text, whole or cut off, in their order. Each character is read once. */
function placesIn(text: string): Place[] {
  const places: Place[] = [];
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    at = code === 123 || code === 91 ? readFrom(text, at, places) : at + 1;
  }
  return places;
}

/** Reads from an opening bracket as far as the text is JSON. Returns how far that was. */
function readFrom(text: string, from: number, places: Place[]): number {
  const reader = new Reader(text, from, places);
  while (reader.at < text.length && reader.step()) {
    // Each step reads one token.
  }
  return Math.max(reader.at, from + 1);
}

class Reader {
  readonly #text: string;
  readonly #places: Place[];
  at: number;
  #node: Node | undefined;
  #key: string | undefined;
  #depth = 0;

  constructor(text: string, from: number, places: Place[]) {
    this.#text = text;
    this.at = from;
    this.#places = places;
  }

  /** Whether a list is open, or an object before one of its values. */
  get #takesValue(): boolean {
    return this.#node === undefined || Array.isArray(this.#node.source) || this.#key !== undefined;
  }

  /** Reads a token. Whether the JSON goes on after it. */
  step(): boolean {
    const char = this.#text.charAt(this.at);
    switch (char) {
      case '{':
      case '[':
        return this.#open(char === '[');
      case '}':
      case ']':
        return this.#close(char === ']');
      case '"':
        return this.#string();
      case ',':
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        this.at++;
        return true;
      default:
        return this.#literal();
    }
  }

  #open(isList: boolean): boolean {
    if (this.#depth >= DEEPEST || !this.#takesValue) {
      return false;
    }
    const child = createNode(isList ? [] : {}, this.#node, this.#key ?? this.#node?.entries.length ?? '');
    child.via = this.#add(undefined, child);
    this.#node = child;
    this.#depth++;
    this.at++;
    return true;
  }

  #close(isList: boolean): boolean {
    if (!this.#node || Array.isArray(this.#node.source) !== isList) {
      return false;
    }
    this.#node = this.#node.parent;
    this.#key = undefined;
    this.#depth--;
    this.at++;
    return this.#depth > 0;
  }

  #string(): boolean {
    const start = this.at + 1;
    const [end, isWhole] = stringEnd(this.#text, this.at);
    this.at = end;
    if (!isWhole && end < this.#text.length) {
      return false;
    }
    const to = isWhole ? end - 1 : end; // a message may be cut off
    const said = unescaped(this.#text.slice(start, to));
    if (this.#takesValue) {
      this.#place(said, start, to, '');
      return true;
    }
    this.#key = said;
    this.at = skip(this.#text, end) + 1;
    return this.#text.charAt(this.at - 1) === ':';
  }

  #literal(): boolean {
    LITERAL.lastIndex = this.at;
    const literal = LITERAL.exec(this.#text)?.[0];
    if (literal === undefined || !this.#takesValue) {
      return false;
    }
    const start = this.at;
    this.at += literal.length;
    if (/\d/.test(literal)) {
      this.#place(Number(literal), start, this.at, '"');
    } else {
      this.#add(literal === 'null' ? null : literal === 'true');
    }
    return true;
  }

  #place(leaf: unknown, start: number, end: number, quote: string): void {
    const node = this.#node;
    const entry = this.#add(leaf);
    if (node && entry) {
      this.#places.push({ node, entry, start, end, quote });
    }
  }

  #add(leaf: unknown, child?: Node): Entry | undefined {
    const name = this.#key ?? this.#node?.entries.length ?? '';
    const entry: Entry = { key: name, child, keyChild: undefined, leaf, next: leaf, name };
    this.#key = undefined;
    this.#node?.entries.push(entry);
    return entry;
  }
}

/** Where a string ends, behind the quote that closes it; whether there is one before the line ends. */
function stringEnd(text: string, start: number): readonly [end: number, isWhole: boolean] {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      return [at + 1, true];
    }
    if (code === 10) {
      return [at, false];
    }
    at += code === 92 ? 1 : 0;
  }
  return [text.length, false];
}

function skip(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \n\r\t'.includes(text.charAt(at))) {
    at++;
  }
  return at;
}

const ESCAPES = '"\\/bfnrt';
const FOUR_DIGITS = /[\da-f]{4}/iy;

function unescaped(raw: string): string {
  // Whether it is JSON is looked up first: an exception costs more than all else that is done with a text.
  return raw.includes('\\') && isEscaped(raw) ? (JSON.parse(`"${raw}"`) as string) : raw;
}

/** Whether every escape is one of JSON, and no character stands unescaped that must not. */
function isEscaped(raw: string): boolean {
  for (let at = raw.indexOf('\\'); at >= 0; at = raw.indexOf('\\', at + 2)) {
    const char = raw.charAt(at + 1);
    FOUR_DIGITS.lastIndex = at + 2;
    if (char === '' || !(ESCAPES.includes(char) || (char === 'u' && FOUR_DIGITS.test(raw)))) {
      return false;
    }
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are looked for
  return !/[\x00-\x1f]/.test(raw);
}
