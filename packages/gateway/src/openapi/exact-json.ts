/**
 * JSON whose numbers stay what they are. One that a double cannot hold, such as an id of 64 bits, is kept by its digits,
 * as a symbol: nobody takes that for a text, an object or another number, and who writes it unaware leaves it out.
 */
import { decode, parseExact, stringifyExact } from '@mayday/relay';

/** A number by its digits. */
export function digitsOf(text: string): symbol {
  return Symbol(text);
}

/** The value of this JSON; `undefined` when it is none. */
export function readExact(text: string): unknown {
  const value = decode(Buffer.from(text));
  return value === undefined ? undefined : (parseExact(text, digitsOf) ?? value);
}

/** The value as JSON. */
export function writeExact(value: unknown): string {
  if (!holdsDigits(value)) return JSON.stringify(value) ?? '';
  return stringifyExact(value, (member) =>
    typeof member === 'symbol' ? String(member.description) : undefined,
  );
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
