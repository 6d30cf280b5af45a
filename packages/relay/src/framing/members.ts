/**
 * Members of objects in bytes that `peek` has looked at: where they stand, and the same message with
 * other bytes in their place. Whatever is not exchanged stays to the letter: numbers beyond 2^53, `-0`, order.
 */
import {
  BACKSLASH,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipKnown,
  skipSpace,
  skipString,
} from './scan.ts';

/** Where something stands: from the first byte to the one after its last. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the value of a member stands in the object that begins at `object`, or of a member of that member, and so on.
 * The last one where there are several, as `JSON.parse` would have it; `undefined` where there is none.
 */
export function locate(bytes: Buffer, object: number, ...path: readonly string[]): Range | undefined {
  let found: Range | undefined;
  let start = object;
  for (const key of path) {
    found = lastValueOf(bytes, start, key);
    if (found === undefined) return undefined;
    start = found.start;
  }
  return found;
}

function lastValueOf(bytes: Buffer, object: number, key: string): Range | undefined {
  let found: Range | undefined;
  eachMember(bytes, object, (keyStart, keyEnd, start, end) => {
    if (isKey(bytes, keyStart, keyEnd, key)) found = { start, end };
  });
  return found;
}

/** Where all values of a member stand: a parser that is not ours may take another one than the last. */
export function valuesOf(bytes: Buffer, object: number, key: string): readonly Range[] {
  const found: Range[] = [];
  eachMember(bytes, object, (keyStart, keyEnd, start, end) => {
    if (isKey(bytes, keyStart, keyEnd, key)) found.push({ start, end });
  });
  return found;
}

/**
 * Comes past the members of the object that begins at `object`: where each key and each value stands. Where the bytes
 * stop being JSON, it stops: `peek` walks nothing behind what it refuses.
 */
export function eachMember(
  bytes: Buffer,
  object: number,
  visit: (keyStart: number, keyEnd: number, start: number, end: number) => void,
): void {
  if (object < 0 || bytes[object] !== OPEN_OBJECT) return;
  let at = skipSpace(bytes, object + 1);
  while (bytes[at] === QUOTE) {
    const keyEnd = skipString(bytes, at);
    const colon = keyEnd < 0 ? keyEnd : skipSpace(bytes, keyEnd);
    if (bytes[colon] !== COLON) return;
    const start = skipSpace(bytes, colon + 1);
    const end = skipKnown(bytes, start);
    if (end < 0) return;
    visit(at, keyEnd, start, end);
    const next = skipSpace(bytes, end);
    if (bytes[next] === CLOSE_OBJECT) return;
    at = skipSpace(bytes, next + 1);
  }
}

/** Where the elements of the array that begins at `array` stand; none where there is no array. */
export function elementsOf(bytes: Buffer, array: number): readonly Range[] {
  const found: Range[] = [];
  if (array < 0 || bytes[array] !== OPEN_ARRAY) return found;
  let at = array;
  do {
    const start = skipSpace(bytes, at + 1);
    const end = skipKnown(bytes, start);
    if (end < 0) return found;
    found.push({ start, end });
    at = skipSpace(bytes, end);
  } while (bytes[at] === COMMA);
  return found;
}

/** The same bytes with others in place of some ranges. The ranges are in order and do not overlap. */
export function splice(bytes: Buffer, ranges: readonly Range[], instead: Buffer): Buffer {
  let length = bytes.length;
  for (const { start, end } of ranges) length += instead.length - (end - start);
  const whole = Buffer.allocUnsafe(length);
  let from = 0;
  let at = 0;
  for (const { start, end } of ranges) {
    at += bytes.copy(whole, at, from, start);
    at += instead.copy(whole, at);
    from = end;
  }
  bytes.copy(whole, at, from);
  return whole;
}

/** The string that stands here, decoded; `undefined` when something else does. */
export function textAt(bytes: Buffer, range: Range | undefined): string | undefined {
  if (range === undefined || bytes[range.start] !== QUOTE) return undefined;
  return stringAt(bytes, range.start, range.end);
}

/** A string that is known to stand here, decoded. */
export function stringAt(bytes: Buffer, start: number, end: number): string {
  const raw = bytes.toString('latin1', start + 1, end - 1);
  if (!/[\\\x80-\xff]/.test(raw)) return raw;
  if (!raw.includes('\\')) return bytes.toString('utf8', start + 1, end - 1);
  return String(JSON.parse(bytes.toString('utf8', start, end)));
}

/** Is this the key, written plainly or with escapes? */
export function isKey(bytes: Buffer, start: number, end: number, key: string): boolean {
  const length = end - start - 2;
  if (length < key.length) return false;
  if (length > key.length) {
    // Whatever is escaped is longer than what it stands for.
    return length <= key.length * 6 && hasEscape(bytes, start, end) && stringAt(bytes, start, end) === key;
  }
  for (let i = 0; i < key.length; i++) if (bytes[start + 1 + i] !== key.charCodeAt(i)) return false;
  return true;
}

function hasEscape(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return true;
  return false;
}

/**
 * The key as a parser that ignores case would compare it: Go's, for one, which also takes the long s and the sign of
 * the Kelvin for letters.
 */
export function foldedKey(bytes: Buffer, start: number, end: number): string {
  return stringAt(bytes, start, end).toUpperCase().toLowerCase();
}
