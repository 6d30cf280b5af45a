/**
 * Numbers that a double cannot hold, such as ids of 64 bits, in JSON that is opened and written again. The values have the
 * nearest doubles; beside each object that has such a number it is remembered how that was written.
 */
import { randomUUID } from 'node:crypto';
import { decode, encode } from './json.ts';

/** By object or array: how its members were written, by their names. */
const written = new WeakMap<object, Map<string, string>>();
/** Most servers never say such a number: then nobody has to look for any. */
let isAnyWritten = false;

/** What `decode` gives; `encodeExact` writes its numbers as they came. */
export function decodeExact(bytes: Buffer): unknown {
  const value = decode(bytes);
  if (typeof value !== 'object' || value === null) return value;
  const exact = parseExact(bytes.toString('utf8'), (digits, holder, key) => {
    remember(holder, key, digits);
    return Number(digits);
  });
  return exact ?? value;
}

/** What `encode` gives, with the numbers that `decodeExact` has found as they were written, wherever they are by now. */
export function encodeExact(value: unknown): Buffer {
  if (!isAnyWritten || !holdsWritten(value)) return encode(value);
  try {
    const text = stringifyExact(value, (member, holder, key) => {
      const digits = written.get(holder)?.get(key);
      return digits !== undefined && Object.is(member, Number(digits)) ? digits : undefined;
    });
    return Buffer.from(text);
  } catch {
    return encode(value); // what JSON cannot say
  }
}

/** A copy of some members knows what the original knew of them. */
export function withNumbersOf<T extends object>(copy: T, original: object): T {
  for (const [key, digits] of written.get(original) ?? []) remember(copy, key, digits);
  return copy;
}

function remember(holder: object, key: string, digits: string): void {
  const known = written.get(holder) ?? new Map<string, string>();
  written.set(holder, known.set(key, digits));
  isAnyWritten = true;
}

function holdsWritten(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (written.has(value)) return true;
  for (const key in value) if (holdsWritten((value as { readonly [key: string]: unknown })[key])) return true;
  return false;
}

/**
 * The value of JSON, with what `of` makes of each number that a double does not hold, by its digits; `undefined` when it holds
 * all.
 */
export function parseExact(
  text: string,
  of: (digits: string, holder: object, key: string) => unknown,
): unknown {
  const mark = newMark();
  const marked = withMarks(text, mark);
  if (marked === undefined) return undefined;
  return JSON.parse(marked, function (this: object, key: string, member: unknown) {
    const isMarked = typeof member === 'string' && member.startsWith(mark);
    return isMarked ? of(member.slice(mark.length), this, key) : member;
  });
}

/** The value as JSON, with the digits that `of` has for a member; as it is, where it has none. */
export function stringifyExact(
  value: unknown,
  of: (member: unknown, holder: object, key: string) => string | undefined,
): string {
  const mark = newMark();
  const text = JSON.stringify(value, function (this: object, key: string, member: unknown) {
    const digits = of(member, this, key);
    return digits === undefined ? member : mark + digits;
  });
  return text.replace(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}

/** What nobody can have written who did not know it. */
function newMark(): string {
  return randomUUID().slice(0, 13);
}

/** Fewer digits than these, without an exponent, a double always holds. */
const MAY_BE_INEXACT = /[\d.]{16}|\d[eE][+-]?\d/;

/** The same JSON, with texts that begin with the mark in place of numbers that a double does not hold; `undefined` when it holds all. */
function withMarks(text: string, mark: string): string | undefined {
  if (!MAY_BE_INEXACT.test(text)) return undefined;
  const pieces: string[] = [];
  let taken = 0;
  const next = /"|-?\d[\d.eE+-]*/g;
  for (let found = next.exec(text); found !== null; found = next.exec(text)) {
    const [token] = found;
    if (token === '"') next.lastIndex = endOfText(text, found.index);
    else if (!isHeld(token)) {
      pieces.push(text.slice(taken, found.index), `"${mark}${token}"`);
      taken = next.lastIndex;
    }
  }
  return taken === 0 ? undefined : [...pieces, text.slice(taken)].join('');
}

/** The position after the text that begins here. */
function endOfText(json: string, from: number): number {
  const next = /["\\]/g;
  next.lastIndex = from + 1;
  for (let found = next.exec(json); found !== null; found = next.exec(json)) {
    if (found[0] === '"') return next.lastIndex;
    next.lastIndex++; // whatever is escaped
  }
  return json.length;
}

/** Does a double, written again, say the same number? */
function isHeld(number: string): boolean {
  const read = Number(number);
  return Number.isFinite(read) && plain(number) === plain(String(read));
}

/** Digits and exponent, the same for all ways to write a number. */
function plain(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  if (start === end) return '0';
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
