/**
 * What a database says about a key. Columns come back as they are stored: a flag as 1, a time as text, a list as text. What
 * is understood counts, and what is not is an error: it must never be taken for a key that is good.
 */
import { isObject, shown } from '../check.ts';
import { scopesIn } from './scopes-in.ts';

/** What is known about a key, as databases give it. */
export interface KeyRow {
  /** Who it belongs to, for limits, approvals and logs. A whole number is taken as text. */
  readonly principal: string | number | bigint;
  /** A list, a list as JSON, or texts with blanks or commas between them, as OAuth has them. */
  readonly scopes?: readonly string[] | string | null | undefined;
  /** Revoked by everything but `false`, `0`, `''`, `'false'`, `'0'`, `'f'` and nothing. */
  readonly revoked?: boolean | number | bigint | string | null | undefined;
  /** Unix time in milliseconds, a `Date`, or a time as ISO 8601 or SQL writes it: in UTC where it names no zone. */
  readonly expiresAt?: number | bigint | string | Date | null | undefined;
}

/** What a record comes to. */
export interface KnownKey {
  readonly principal: string;
  readonly scopes: readonly string[];
  readonly isRevoked: boolean;
  /** Unix time in milliseconds; never, if infinite. */
  readonly expiresAt: number;
}

/** What an answer of `lookup` comes to; `undefined` for one that says that there is none. Throws for what is neither. */
export function knownKey(answer: unknown): KnownKey | undefined {
  if (isNone(answer)) return undefined;
  if (!isObject(answer) || Array.isArray(answer))
    throw new TypeError(
      `Expected \`lookup\` to give what is known about a key, or nothing, got ${shown(answer)}`,
    );
  const { principal, scopes, revoked, expiresAt } = answer as { readonly [name in keyof KeyRow]?: unknown };
  // A row of other columns is a mistake in a query, and no key all the same.
  const isEmpty = 'principal' in (answer as object) || Object.keys(answer as object).length === 0;
  if (isNothing(principal) && isEmpty) return undefined;
  return {
    principal: nameIn(principal),
    scopes: scopesIn(scopes),
    isRevoked: !NOT_REVOKED.has(revoked),
    expiresAt: timeIn(expiresAt),
  };
}

/** The usual spellings of "there is no such key": nothing, no row, no rows. */
function isNone(answer: unknown): boolean {
  return isNothing(answer) || answer === 0 || (Array.isArray(answer) && answer.length === 0);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === '';
}

const NOT_REVOKED: ReadonlySet<unknown> = new Set([undefined, null, false, 0, 0n, '', 'false', '0', 'f']);

function nameIn(principal: unknown): string {
  if (typeof principal === 'string' && principal.trim() !== '') return principal;
  if (typeof principal === 'bigint' || Number.isSafeInteger(principal)) return String(principal);
  throw new TypeError(`Expected \`principal\` of a key to be a text, got ${shown(principal)}`);
}

function timeIn(expiresAt: unknown): number {
  if (expiresAt === undefined || expiresAt === null) return Number.POSITIVE_INFINITY;
  const time = unixTime(expiresAt);
  if (!Number.isNaN(time)) return time;
  const wanted = 'milliseconds, a Date, or a time as ISO 8601 or SQL writes it';
  throw new TypeError(`Expected \`expiresAt\` of a key to be ${wanted}, got ${shown(expiresAt)}`);
}

/** `NaN` for what is no time. */
function unixTime(given: unknown): number {
  if (typeof given === 'number') return given;
  if (typeof given === 'bigint') return Number(given);
  if (given instanceof Date) return given.getTime();
  return typeof given === 'string' ? writtenTime(given.trim()) : Number.NaN;
}

/** Drivers give large numbers as text, so that no digit is lost. */
const DIGITS = /^\d{1,16}$/;
const DATE_AND_TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i;

function writtenTime(text: string): number {
  if (DIGITS.test(text)) return Number(text);
  const [, date, time = '00:00', zone = 'Z'] = DATE_AND_TIME.exec(text) ?? [];
  if (date === undefined) return Number.NaN;
  const day = Date.parse(`${date}T00:00Z`);
  // 31 February would be taken for a day in March.
  if (Number.isNaN(day) || !new Date(day).toISOString().startsWith(date)) return Number.NaN;
  return Date.parse(`${date}T${time}${offsetOf(zone)}`);
}

/** `+02`, `+0200` and `+02:00` are one zone, and only the last is a form that everybody reads. */
function offsetOf(zone: string): string {
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return hours === undefined ? 'Z' : `${hours}:${minutes}`;
}
