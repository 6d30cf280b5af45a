/** Global Trade Item Numbers: lengths, check digits, and the one form they are compared in. */
import { fault } from '@mayday/core';

/** What is known about a number that may be a GTIN. */
export type Checked =
  | { readonly valid: true; readonly normalized: string }
  | { readonly valid: false; readonly reason: string };

/** What is no GTIN may be anything, at any length. */
const LONGEST_SHOWN = 64;

const LENGTHS: readonly number[] = [8, 12, 13, 14];

/** The check digit of a number without one: weights 3 and 1 from the right, up to the next ten (GS1). */
export function checkDigit(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits.at(-1 - i)) * (i % 2 === 0 ? 3 : 1);
  return (10 - (sum % 10)) % 10;
}

/** GTIN-8, -12, -13 and -14 alike, padded with zeros to 14 digits. */
export function checkGtin(given: unknown): Checked {
  if (typeof given !== 'string') return { valid: false, reason: 'must be a string of digits' };
  const digits = given.trim();
  if (!/^\d+$/.test(digits) || !LENGTHS.includes(digits.length))
    return { valid: false, reason: 'must be 8, 12, 13, or 14 digits' };
  const expected = checkDigit(digits.slice(0, -1));
  if (expected !== Number(digits.at(-1)))
    return { valid: false, reason: `has a wrong check digit, expected ${expected}` };
  return { valid: true, normalized: digits.padStart(14, '0') };
}

/** The GTIN in 14 digits; a field-level fault if it is none. */
export function requireGtin(given: unknown): string {
  const checked = checkGtin(given);
  if (checked.valid) return checked.normalized;
  throw fault.invalidArguments(`The GTIN ${String(given).slice(0, LONGEST_SHOWN)} ${checked.reason}`, {
    issues: [{ path: ['gtin'], message: checked.reason, code: 'invalid_gtin' }],
    executed: 'no',
  });
}

/** Numbers that a shop or a country gives out for itself: they mean nothing anywhere else. */
export function isRestricted(gtin14: string): boolean {
  return /^\d(?:02|04|2\d)/.test(gtin14);
}
