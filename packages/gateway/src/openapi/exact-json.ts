/**
 * JSON whose numbers stay what they are. One that a double cannot hold, such as an id of 64 bits, is kept by its digits,
 * as a symbol: nobody takes that for a text, an object or another number, and who writes it unaware leaves it out.
 */
import { randomUUID } from 'node:crypto';
import { decode, withMarks } from '@mayday/relay';

/** A number by its digits. */
export function digitsOf(text: string): symbol {
  return Symbol(text);
}

/** The value of this JSON; `undefined` when it is none. */
export function readExact(text: string): unknown {
  const value = decode(Buffer.from(text));
  if (value === undefined) return value;
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
