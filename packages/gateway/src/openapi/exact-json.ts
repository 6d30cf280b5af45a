/**
 * JSON whose numbers stay what they are. One that a double cannot hold, such as an id of 64 bits, is kept by its digits,
 * as a symbol: nobody takes that for a text, an object or another number, and who writes it unaware leaves it out.
 */
import { randomUUID } from 'node:crypto';
import { decode } from '@mayday/relay';

/** A number by its digits. */
export function digitsOf(text: string): symbol {
  return Symbol(text);
}

/** The value of this JSON; `undefined` when it is none. */
export function readExact(text: string): unknown {
  const value = decode(Buffer.from(text));
  if (value === undefined || !MAY_BE_INEXACT.test(text)) return value;
  const mark = newMark();
  const marked = withMarks(text, mark);
  if (marked === undefined) return value;
  return JSON.parse(marked, (_key, member: unknown) =>
    typeof member === 'string' && member.startsWith(mark) ? digitsOf(member.slice(mark.length)) : member,
  );
}

/** The value as JSON. */
export function writeExact(value: unknown): string {
  if (!holdsDigits(value)) return JSON.stringify(value) ?? '';
  const mark = newMark();
  const written = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'symbol' ? `${mark}${member.description}` : member,
  );
  return written.replace(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}

/** The same value with the nearest doubles, for who can only count with those. */
export function rounded(value: unknown): unknown {
  return holdsDigits(value) ? nearest(value) : value;
}

function nearest(value: unknown): unknown {
  if (typeof value === 'symbol')
    return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(value.description)));
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(nearest);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, nearest(member)]));
}

function holdsDigits(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'symbol';
  for (const key in value) if (holdsDigits((value as { readonly [key: string]: unknown })[key])) return true;
  return false;
}

/** What nobody can have written who did not know it. */
function newMark(): string {
  return randomUUID().slice(0, 13);
}

/** Fewer digits than these, without an exponent, a double always holds. */
const MAY_BE_INEXACT = /[\d.]{16}|\d[eE][+-]?\d/;

/** The same JSON, with texts that begin with the mark in place of numbers; `undefined` when all are fine as they are. */
function withMarks(text: string, mark: string): string | undefined {
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
