/**
 * One pass over a text: words become ids of the lexicon, numbers that may be statuses are noted.
 *
 * The buffers are shared by all scans, so a scan must be used before the next one starts. That saves
 * every allocation on the way to a reading.
 */
import { END, find, type Lexicon, mix, NUMBER, OTHER, SEED, STOP } from './lexicon.ts';
import { isFailureStatus } from './status.ts';

/** Phrases are looked for in the first 16 KB and the last 2 KB. */
const HEAD = 16_384;
const TAIL = 2_048;
const ROOM = HEAD + TAIL + 16;

/** What a scan found. */
export interface Scan {
  /** Number of words. */
  count: number;
  readonly ids: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Positions in `ids` of numbers that are failing HTTP statuses. */
  readonly numbers: number[];
  /** A JSON-RPC code that the text quotes: `MCP error -32602: …`. */
  code: number | undefined;
  /** Chinese, Japanese or Korean was seen. */
  unspaced: boolean;
  /** The name of an environment variable was seen. */
  env: boolean;
  /** An HTML tag was seen. */
  markup: boolean;
}

const scan: Scan = {
  count: 0,
  ids: new Int32Array(ROOM),
  from: new Int32Array(ROOM),
  to: new Int32Array(ROOM),
  numbers: [],
  code: undefined,
  unspaced: false,
  env: false,
  markup: false,
};

const SEPARATOR = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const JOINER = 4;
const UNSPACED = 5;

const ASCII = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, char) => {
  if (char >= 97 && char <= 122) return LOWER;
  if (char >= 65 && char <= 90) return UPPER;
  if (char >= 48 && char <= 57) return DIGIT;
  return char === 95 ? JOINER : SEPARATOR;
});

function classOf(char: number): number {
  if (char < 128) return ASCII[char] as number;
  if (char >= 0x3040 && char < 0xd7b0) return UNSPACED;
  if ((char >= 0xc0 && char <= 0xde) || (char >= 0x400 && char <= 0x42f) || isUpperExtended(char))
    return UPPER;
  return char < 0xc0 || (char >= 0x2000 && char < 0x3040) || char > 0xfe00 ? SEPARATOR : LOWER;
}

/** Capitals of Polish, Turkish and Czech stand before their small letters, in pairs. */
function isUpperExtended(char: number): boolean {
  if (char < 0x100 || char > 0x17e) return false;
  const isOdd = (char & 1) === 1;
  return (char >= 0x139 && char <= 0x148) || char >= 0x179 ? isOdd : !isOdd && char !== 0x138;
}

function lower(char: number): number {
  if (char < 128) return char | 32;
  // The capital of the Turkish i has a dot.
  if (char >= 0x100 && char <= 0x17e) return char === 0x130 ? 105 : char + 1;
  return char >= 0x400 && char <= 0x40f ? char + 80 : char + 32;
}

/** The part of a long text that is looked at. */
export function clip(text: string): string {
  if (text.length <= HEAD + TAIL) return text;
  return `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
}

/** Scans a clipped text. What stands in short quotes is somebody's value, and hidden unless asked for. */
export function scanText(text: string, quoted: boolean, words: Lexicon): Scan {
  scan.count = 0;
  if (scan.numbers.length > 0) scan.numbers.length = 0;
  scan.code = undefined;
  scan.unspaced = false;
  scan.env = false;
  scan.markup = false;
  const length = text.length;
  let at = 0;
  while (at < length) {
    const char = text.charCodeAt(at);
    if (char === 32) {
      at++;
      continue;
    }
    const kind = classOf(char);
    if (kind === LOWER || kind === UPPER) at = word(text, at, words);
    else if (kind === DIGIT) at = digits(text, at);
    else if (kind === UNSPACED) {
      scan.unspaced = true;
      at++;
    } else at = separator(text, at, char, quoted);
  }
  return scan;
}

function push(id: number, from: number, to: number): void {
  const at = scan.count++;
  scan.ids[at] = id;
  scan.from[at] = from;
  scan.to[at] = to;
}

function pushWord(words: Lexicon, hash: number, from: number, to: number, length: number): void {
  let id = find(words, hash);
  if (id === STOP) return;
  if (id > 0 && ((words.lengths[id] as number) & (1 << Math.min(length, 31))) === 0) id = OTHER;
  if (id > 0 && scan.count > 0) {
    const before = scan.ids[scan.count - 1] as number;
    const both = words.pairs[id]?.get(before);
    if (both !== undefined) {
      scan.ids[scan.count - 1] = both;
      scan.to[scan.count - 1] = to;
      return;
    }
  }
  push(id, from, to);
}

/** Reads a plain word, which most are; anything else the slow way. */
function word(text: string, start: number, words: Lexicon): number {
  let hash = mix(SEED, text.charCodeAt(start) | 32);
  let at = start + 1;
  let next = text.charCodeAt(at);
  while (next >= 97 && next <= 122) {
    hash = mix(hash, next);
    next = text.charCodeAt(++at);
  }
  const plain = !(next >= 128) && next !== 39 && !(ASCII[next] as number) && text.charCodeAt(start) < 128;
  if (!plain) return compound(text, start, words);
  pushWord(words, hash, start, at, at - start);
  return at;
}

/** Reads a word, and the words inside it: `RESOURCE_NOT_FOUND`, `ResourceNotFound`, `HTTPError`. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one pass over the letters; a call for each would cost more than the rest
function compound(text: string, start: number, words: Lexicon): number {
  const length = text.length;
  const verb = verbAt(text, start);
  if (verb > 0) {
    push(OTHER, start, start + verb);
    return start + verb;
  }
  const first = scan.count;
  let whole = SEED;
  let part = SEED;
  let before = SEED;
  let partFrom = start;
  let letters = 0;
  let wholeLetters = 0;
  let parts = 0;
  let last = SEPARATOR;
  let upperRun = 0;
  let upperOnly = true;
  let joined = false;
  let at = start;
  for (; at < length; at++) {
    const char = text.charCodeAt(at);
    const kind = classOf(char);
    if (kind === SEPARATOR || kind === UNSPACED) {
      // An apostrophe between letters belongs to the word: `doesn't`.
      if ((char === 39 || char === 0x2019) && last === LOWER && classOf(text.charCodeAt(at + 1)) === LOWER)
        continue;
      break;
    }
    if (
      parts === 0 &&
      (kind === JOINER || (kind === UPPER && last === LOWER) || (kind === LOWER && upperRun > 1))
    ) {
      whole = part;
      wholeLetters = letters;
    }
    if (kind === JOINER) {
      if (letters > 0) {
        pushWord(words, part, partFrom, at, letters);
        parts++;
      }
      part = SEED;
      letters = 0;
      partFrom = at + 1;
      joined = true;
      upperRun = 0;
      last = kind;
      continue;
    }
    if (kind === UPPER && last === LOWER) {
      pushWord(words, part, partFrom, at, letters);
      parts++;
      part = SEED;
      letters = 0;
      partFrom = at;
      upperRun = 0;
    } else if (kind === LOWER && upperRun > 1) {
      pushWord(words, before, partFrom, at - 1, letters - 1);
      parts++;
      part = mix(SEED, lower(text.charCodeAt(at - 1)));
      letters = 1;
      partFrom = at - 1;
    }
    const low = kind === UPPER ? lower(char) : char;
    before = part;
    part = mix(part, low);
    letters++;
    if (parts > 0) {
      whole = mix(whole, low);
      wholeLetters++;
    }
    upperRun = kind === UPPER ? upperRun + 1 : 0;
    last = kind;
    if (kind !== LOWER) continue;
    upperOnly = false;
    if (parts > 0) continue;
    // Most of any text: small letters in a row.
    for (let next = text.charCodeAt(at + 1); next >= 97 && next <= 122; next = text.charCodeAt(at + 1)) {
      part = mix(part, next);
      letters++;
      at++;
    }
  }
  if (letters > 0) pushWord(words, part, partFrom, at, letters);
  if (last === DIGIT) suffix(text, at);
  if (parts > 0) {
    if (upperOnly && joined) scan.env = true;
    const id = find(words, whole);
    if (id > 0 && ((words.lengths[id] as number) & (1 << Math.min(wholeLetters, 31))) !== 0) {
      scan.count = first;
      push(id, start, at);
    }
  }
  return at;
}

const VERB = /(?:GET|PUT|POST|PATCH|DELETE|HEAD|OPTIONS)(?= (?:https?:\/\/|\/))/y;

/** How long a verb of HTTP is, where it stands before an address: it is no word of a sentence. */
function verbAt(text: string, at: number): number {
  if (!(ASCII[text.charCodeAt(at)] === UPPER && ASCII[text.charCodeAt(at + 1)] === UPPER)) return 0;
  VERB.lastIndex = at;
  return VERB.exec(text)?.[0].length ?? 0;
}

/** A status at the end of a name: `HTTP_503`, `http429`. */
function suffix(text: string, end: number): void {
  const from = end - 3;
  if (!isFailureStatus(Number(text.slice(from, end)))) return;
  if (!NAMES_STATUS.test(text.slice(Math.max(0, from - 8), from))) return;
  scan.numbers.push(scan.count);
  push(NUMBER, from, end);
}

const NAMES_STATUS = /(?:http|status|err(?:or)?|code)_?$/i;

function digits(text: string, start: number): number {
  let value = 0;
  let at = start;
  for (; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char < 48 || char > 57) break;
    value = value < 1e8 ? value * 10 + char - 48 : value;
  }
  const kind = classOf(text.charCodeAt(at) || 32);
  if (kind === LOWER || kind === UPPER || kind === JOINER) return identifier(text, start, at);
  if (at - start === 3 && isFailureStatus(value)) {
    const before = text.charCodeAt(start - 1);
    // Not a version, a port, a price, an issue number, or a part of a longer number.
    if (
      before !== 46 &&
      before !== 36 &&
      before !== 35 &&
      before !== 44 &&
      before !== 47 &&
      (before !== 45 || isHttp(text, start - 1))
    )
      scan.numbers.push(scan.count);
  } else if (value >= 32_000 && value <= 32_768 && text.charCodeAt(start - 1) === 45) scan.code ??= -value;
  push(NUMBER, start, at);
  return at;
}

function isHttp(text: string, end: number): boolean {
  return /http$/i.test(text.slice(Math.max(0, end - 4), end));
}

/** A word that starts with a digit (`42P01`, `30s`) is an identifier, or a number with its unit. */
function identifier(text: string, start: number, from: number): number {
  let at = from;
  while (at < text.length) {
    const kind = classOf(text.charCodeAt(at));
    if (kind === SEPARATOR || kind === UNSPACED) break;
    at++;
  }
  push(OTHER, start, at);
  return at;
}

function separator(text: string, at: number, char: number, quoted: boolean): number {
  switch (char) {
    case 10:
    case 33:
    case 59:
    case 0x3002:
      push(END, at, at);
      return at + 1;
    case 46:
    case 63:
      if (!(text.charCodeAt(at + 1) > 32)) push(END, at, at);
      return at + 1;
    case 60:
      return skipTag(text, at);
    case 47:
      return skipPath(text, at);
    case 58:
      return text.startsWith('//', at + 1) ? skipWord(text, at) : at + 1;
    case 34:
    case 39:
    case 96:
    case 0x201c:
      return quoted ? at + 1 : skipQuote(text, at, char === 0x201c ? 0x201d : char);
    default:
      return at + 1;
  }
}

/** Jumps over an HTML tag. */
function skipTag(text: string, at: number): number {
  const next = text.charCodeAt(at + 1) | 32;
  // `<Response [503]>` is what Python shows of an answer.
  if (!((next >= 97 && next <= 122) || next === 47 || next === 33) || text.startsWith('Response [', at + 1))
    return at + 1;
  const limit = Math.min(text.length, at + 300);
  for (let end = at + 1; end < limit; end++) {
    if (text.charCodeAt(end) === 62) {
      push(END, at, at);
      scan.markup = true;
      return end + 1;
    }
  }
  return at + 1;
}

/** Jumps over a file path; its words are names, not statements. */
function skipPath(text: string, at: number): number {
  const before = at === 0 ? 32 : text.charCodeAt(at - 1);
  if (before > 32 && before !== 34 && before !== 39 && before !== 40 && before !== 96) return at + 1;
  return skipWord(text, at);
}

function skipWord(text: string, from: number): number {
  let at = from + 1;
  for (; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char <= 32 || char === 34 || char === 39 || char === 96 || char === 41 || char === 44 || char === 62)
      break;
    if (char === 58 && at > from + 3 && text.charCodeAt(at + 1) === 32) break;
  }
  push(OTHER, from, at);
  return at;
}

function skipQuote(text: string, at: number, close: number): number {
  const limit = Math.min(text.length, at + 82);
  for (let end = at + 1; end < limit; end++) {
    const char = text.charCodeAt(end);
    if (char === 10) break;
    if (char !== close) continue;
    const after = classOf(text.charCodeAt(end + 1) || 32);
    if (after !== SEPARATOR) continue;
    push(OTHER, at + 1, end);
    return end + 1;
  }
  return at + 1;
}
