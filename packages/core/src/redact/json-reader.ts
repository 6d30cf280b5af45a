import { createNode, type Entry, type Node } from './nodes.ts';

/** An entry, and where its leaf stands in the text, without quotes. */
interface Place {
  readonly node: Node;
  readonly entry: Entry;
  readonly token: Token;
}

/** A name, a string or a literal of JSON, without quotes. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly isName: boolean;
  /** Needed around what takes the place of a literal; empty for strings, which have theirs. */
  readonly quote: string;
}

/** From where to where a text is JSON. */
interface Region {
  readonly start: number;
  readonly end: number;
}

/** The JSON that is written with so many escapes: none, or those of JSON around it. */
interface Layer {
  /** Both in their order, and none inside of another. */
  readonly regions: Region[];
  readonly tokens: Token[];
}

/** All JSON of a text, whole or cut off, and that in its strings. */
export interface JsonIn {
  /** All leaves, in their order. */
  readonly places: Place[];
  /** The outermost first. */
  readonly layers: readonly Layer[];
}

const LITERAL = /-?\d[\d.eE+-]{0,40}|true|false|null/y;
const DEEPEST = 64;
/** How often JSON in JSON in … is read. */
const MOST_LAYERS = 3;
const MAY_BE = /[{[](?:\s|\\{1,4}[nrt]){0,40}\\{0,7}["[{]/;
/** From a bracket to the first quote behind it. */
const OPENING = /[{[](?:[{[\s]|\\{1,4}[nrt]){0,40}(\\{0,7})"/y;

const backslashes = (layer: number): number => 2 ** layer - 1;

/** Reads all JSON in a text. Each character is read once for each layer of escapes. */
export function jsonIn(text: string): JsonIn {
  if (!MAY_BE.test(text)) {
    return { places: [], layers: [] };
  }
  const found: JsonIn = {
    places: [],
    layers: Array.from({ length: MOST_LAYERS }, () => ({ regions: [], tokens: [] })),
  };
  readBetween(text, 0, text.length, 0, found);
  return found;
}

/** Reads the JSON of part of a text that is written with at least so many layers of escapes. */
function readBetween(text: string, from: number, to: number, least: number, found: JsonIn): void {
  for (let at = from; at < to; ) {
    const code = text.charCodeAt(at);
    if (code !== 123 && code !== 91) {
      at++;
      continue;
    }
    OPENING.lastIndex = at;
    const escapes = OPENING.exec(text)?.[1]?.length ?? 0;
    const layer = Math.log2(escapes + 1);
    const isRead = Number.isInteger(layer) && layer >= least && layer < MOST_LAYERS;
    at = isRead ? readFrom(text, at, to, layer, found) : at + 1;
  }
}

/** Reads from an opening bracket as far as the text is JSON. Returns how far that was. */
function readFrom(text: string, from: number, to: number, layer: number, found: JsonIn): number {
  const reader = new Reader(text, from, to, layer, found);
  while (reader.at < to && reader.step()) {
    // Each step reads one token.
  }
  const end = Math.max(reader.at, from + 1);
  if (reader.hasStrings) {
    found.layers[layer]?.regions.push({ start: from, end });
  }
  return end;
}

class Reader {
  readonly #text: string;
  readonly #to: number;
  readonly #layer: number;
  readonly #found: JsonIn;
  readonly #quote: string;
  at: number;
  hasStrings = false;
  #node: Node | undefined;
  #key: string | undefined;
  #depth = 0;

  constructor(text: string, from: number, to: number, layer: number, found: JsonIn) {
    this.#text = text;
    this.at = from;
    this.#to = to;
    this.#layer = layer;
    this.#found = found;
    this.#quote = `${'\\'.repeat(backslashes(layer))}"`;
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
      case ',':
        this.at++;
        return true;
      default:
        break;
    }
    const next = this.#skip(this.at);
    if (next > this.at) {
      this.at = next;
      return true;
    }
    return this.#text.startsWith(this.#quote, this.at) ? this.#string() : this.#literal();
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
    const start = this.at + this.#quote.length;
    const [end, isWhole] = this.#stringEnd(start);
    if (!isWhole && end < this.#to) {
      return false; // what a line break goes through is no JSON from there on
    }
    this.at = end;
    const to = isWhole ? end - this.#quote.length : end; // a message may be cut off
    const raw = this.#text.slice(start, to);
    const said = unescaped(raw, this.#layer);
    const isName = !this.#takesValue;
    const token: Token = { start, end: to, isName, quote: '' };
    this.hasStrings = true;
    this.#found.layers[this.#layer]?.tokens.push(token);
    if (!isName) {
      this.#place(said, token);
      if (this.#layer + 1 < MOST_LAYERS && raw.includes('\\"')) {
        readBetween(this.#text, start, to, this.#layer + 1, this.#found);
      }
      return true;
    }
    this.#key = said;
    this.at = this.#skip(end) + 1;
    return this.#text.charAt(this.at - 1) === ':';
  }

  /** Where a string ends, behind the quote that closes it; whether there is one before the line ends. */
  #stringEnd(from: number): readonly [end: number, isWhole: boolean] {
    const text = this.#text;
    const own = backslashes(this.#layer);
    const pair = 2 * (own + 1);
    let escapes = 0;
    for (let at = from; at < this.#to; at++) {
      const code = text.charCodeAt(at);
      if (code === 34 && escapes % pair === own) {
        return [at + 1, true];
      }
      if (code === 10) {
        return [at, false];
      }
      escapes = code === 92 ? escapes + 1 : 0;
    }
    return [this.#to, false];
  }

  /** Over blanks, and line breaks as the JSON around spells them. */
  #skip(from: number): number {
    const text = this.#text;
    const escapes = (backslashes(this.#layer) + 1) / 2;
    for (let at = from; ; ) {
      if (at < this.#to && ' \n\r\t'.includes(text.charAt(at))) {
        at++;
      } else if (escapes >= 1 && isEscapedBreak(text, at, escapes)) {
        at += escapes + 1;
      } else {
        return at;
      }
    }
  }

  #literal(): boolean {
    LITERAL.lastIndex = this.at;
    const literal = LITERAL.exec(this.#text)?.[0];
    if (literal === undefined || !this.#takesValue) {
      return false;
    }
    const token: Token = {
      start: this.at,
      end: this.at + literal.length,
      isName: false,
      quote: this.#quote,
    };
    this.at = token.end;
    this.#found.layers[this.#layer]?.tokens.push(token);
    if (/\d/.test(literal)) {
      this.#place(Number(literal), token);
    } else {
      this.#add(literal === 'null' ? null : literal === 'true');
    }
    return true;
  }

  #place(leaf: unknown, token: Token): void {
    const node = this.#node;
    const entry = this.#add(leaf);
    if (node && entry) {
      this.#found.places.push({ node, entry, token });
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

function isEscapedBreak(text: string, at: number, escapes: number): boolean {
  for (let i = 0; i < escapes; i++) {
    if (text.charCodeAt(at + i) !== 92) {
      return false;
    }
  }
  return 'nrt'.includes(text.charAt(at + escapes) || ' ');
}

const ESCAPES = '"\\/bfnrt';
const FOUR_DIGITS = /[\da-f]{4}/iy;

/** What a string says, once all layers of escapes are taken off. */
function unescaped(raw: string, layer: number): string {
  let said = raw;
  for (let i = 0; i <= layer; i++) {
    // Whether it is JSON is looked up first: an exception costs more than all else that is done with a text.
    said = said.includes('\\') && isEscaped(said) ? (JSON.parse(`"${said}"`) as string) : said;
  }
  return said;
}

/** Whether every escape is one of JSON, and no character stands unescaped that must not. */
function isEscaped(raw: string): boolean {
  let from = 0;
  for (let at = raw.indexOf('\\'); at >= 0; at = raw.indexOf('\\', from)) {
    const char = raw.charAt(at + 1);
    FOUR_DIGITS.lastIndex = at + 2;
    if (char === '' || !(ESCAPES.includes(char) || (char === 'u' && FOUR_DIGITS.test(raw)))) {
      return false;
    }
    if (raw.slice(from, at).includes('"')) {
      return false;
    }
    from = at + 2;
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are looked for
  return !raw.includes('"', from) && !/[\x00-\x1f]/.test(raw);
}
