/**
 * Walks JSON as bytes, without a value for any of it. What is walked to its end is what `JSON.parse` accepts, no more
 * and no less, so that nobody behind the relay reads a message otherwise than the relay did.
 */

/** Nested deeper than this, a message is refused: whoever writes it anew would do so recursively. */
export const MAX_DEPTH = 1000;

/** In place of a position: these bytes are no JSON. */
export const NOT_JSON = -1;
/** In place of a position: these bytes are nested too deep. */
export const TOO_DEEP = -2;

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const OPEN_ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const MINUS = 0x2d;
const ZERO = 0x30;

/** Longer strings are walked in words, shorter ones byte by byte: to begin with words costs more than they do. */
const SHORT_STRING = 64;

/** What is open while a value is walked. One walk is over before the next begins. */
let open: Uint8Array = new Uint8Array(MAX_DEPTH);

/** The position after the white space that begins here, if any does. */
export function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at++;
  return at;
}

/** The position after the value that begins here; `NOT_JSON` or `TOO_DEEP`. Iterative: nesting costs no stack. */
export function skipValue(bytes: Buffer, from: number, maxDepth: number = MAX_DEPTH): number {
  if (open.length < maxDepth) open = new Uint8Array(maxDepth);
  let depth = 0;
  let at = from;
  while (true) {
    const byte = bytes[at];
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (depth >= maxDepth) return TOO_DEEP;
      const first = skipSpace(bytes, at + 1);
      if (bytes[first] !== byte + 2) {
        open[depth++] = byte;
        at = byte === OPEN_OBJECT ? skipKey(bytes, first) : first;
        if (at < 0) return NOT_JSON;
        continue;
      }
      at = first + 1; // empty
    } else at = byte === QUOTE ? skipString(bytes, at) : skipScalar(bytes, at);
    if (at < 0) return NOT_JSON;
    // After a value: what is open goes on or ends.
    while (true) {
      if (depth === 0) return at;
      at = skipSpace(bytes, at);
      const next = bytes[at];
      const inside = open[depth - 1] ?? 0;
      if (next === COMMA) break;
      if (next !== inside + 2) return NOT_JSON; // `{` + 2 is `}`, `[` + 2 is `]`
      depth--;
      at++;
    }
    at = skipSpace(bytes, at + 1);
    if (open[depth - 1] === OPEN_OBJECT) at = skipKey(bytes, at);
    if (at < 0) return NOT_JSON;
  }
}

/** The position after a value that has been walked before; `NOT_JSON` when it does not end here. */
export function skipKnown(bytes: Buffer, from: number): number {
  const first = bytes[from];
  if (first === QUOTE) return skipString(bytes, from);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return skipScalar(bytes, from);
  let depth = 0;
  for (let at = from; at < bytes.length; ) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = skipString(bytes, at);
      if (at < 0) return NOT_JSON;
      continue;
    }
    at++;
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) return at;
  }
  return NOT_JSON;
}

/** The position of the value whose key begins here. */
function skipKey(bytes: Buffer, from: number): number {
  if (bytes[from] !== QUOTE) return NOT_JSON;
  const end = skipString(bytes, from);
  if (end < 0) return NOT_JSON;
  const colon = skipSpace(bytes, end);
  return bytes[colon] === COLON ? skipSpace(bytes, colon + 1) : NOT_JSON;
}

/** The position after the string that begins here. */
export function skipString(bytes: Buffer, from: number): number {
  const near = Math.min(bytes.length, from + SHORT_STRING);
  let at = from + 1;
  while (at < near) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) return at + 1;
    if (byte < 0x20) return NOT_JSON;
    if (byte !== BACKSLASH) at++;
    else {
      at = skipEscape(bytes, at);
      if (at < 0) return NOT_JSON;
    }
  }
  return skipLongString(bytes, at);
}

/** The same, four bytes at a time. `at` stands inside the string, not inside an escape. */
function skipLongString(bytes: Buffer, from: number): number {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const last = bytes.length - 4;
  let at = from;
  while (at < bytes.length) {
    while (at <= last && isPlain(words.getInt32(at))) at += 4;
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) return at + 1;
    if (byte < 0x20) return NOT_JSON;
    if (byte !== BACKSLASH) at++;
    else {
      at = skipEscape(bytes, at);
      if (at < 0) return NOT_JSON;
    }
  }
  return NOT_JSON;
}

/** Is none of these four bytes a quote, a backslash or a control character? May say no to bytes that are plain. */
function isPlain(word: number): boolean {
  const quote = word ^ 0x22222222;
  const slash = word ^ 0x5c5c5c5c;
  const found =
    ((word - 0x20202020) & ~word) | ((quote - 0x01010101) & ~quote) | ((slash - 0x01010101) & ~slash);
  return (found & 0x80808080) === 0;
}

function skipEscape(bytes: Buffer, from: number): number {
  switch (bytes[from + 1]) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return from + 2;
    case 0x75: // u
      for (let i = 2; i < 6; i++) if (!isHex(bytes[from + i])) return NOT_JSON;
      return from + 6;
    default:
      return NOT_JSON;
  }
}

function skipScalar(bytes: Buffer, from: number): number {
  switch (bytes[from]) {
    case 0x74:
      return skipWord(bytes, from, 'true');
    case 0x66:
      return skipWord(bytes, from, 'false');
    case 0x6e:
      return skipWord(bytes, from, 'null');
    default:
      return skipNumber(bytes, from);
  }
}

function skipWord(bytes: Buffer, from: number, word: string): number {
  for (let i = 1; i < word.length; i++) if (bytes[from + i] !== word.charCodeAt(i)) return NOT_JSON;
  return from + word.length;
}

function skipNumber(bytes: Buffer, from: number): number {
  const whole = bytes[from] === MINUS ? from + 1 : from;
  let at = bytes[whole] === ZERO ? whole + 1 : skipDigits(bytes, whole);
  if (at < 0) return NOT_JSON;
  if (bytes[at] === 0x2e) {
    at = skipDigits(bytes, at + 1);
    if (at < 0) return NOT_JSON;
  }
  const mark = bytes[at];
  if (mark !== 0x65 && mark !== 0x45) return at;
  const sign = bytes[at + 1];
  return skipDigits(bytes, sign === MINUS || sign === 0x2b ? at + 2 : at + 1);
}

/** At least one. */
function skipDigits(bytes: Buffer, from: number): number {
  let at = from;
  while (isDigit(bytes[at])) at++;
  return at === from ? NOT_JSON : at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= 0x39;
}

function isHex(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}
