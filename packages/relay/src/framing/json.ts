/** JSON as values, for the few messages that are opened. Nothing here throws, whatever comes in. */
import { MAX_DEPTH, skipSpace, skipValue, TOO_DEEP } from './scan.ts';

/** A value, or why there is none. */
export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: 'not_json' | 'too_deep' };

/** An object of foreign origin: nothing is known about its members. */
export type Members = { readonly [key: string]: unknown };

const NOT_JSON: Parsed = { ok: false, why: 'not_json' };
const DEEP: Parsed = { ok: false, why: 'too_deep' };

/** The bytes as JSON. Bytes that are no UTF-8 read as U+FFFD; deeper nesting than `maxDepth` is refused. */
export function parse(bytes: Buffer, maxDepth: number = MAX_DEPTH): Parsed {
  // Depth takes bytes: most messages are too short to be too deep.
  if (bytes.length > maxDepth && skipValue(bytes, skipSpace(bytes, 0), maxDepth) === TOO_DEEP) return DEEP;
  try {
    return { ok: true, value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return NOT_JSON; // the caller decides what broken bytes mean
  }
}

/** The value that these bytes hold; `undefined` when they hold none. */
export function decode(bytes: Buffer): unknown {
  const parsed = parse(bytes);
  return parsed.ok ? parsed.value : undefined;
}

/** A value as JSON. What JSON cannot say becomes `null`, and what lies deeper than `MAX_DEPTH` too. */
export function encode(value: unknown): Buffer {
  try {
    return Buffer.from(JSON.stringify(value) ?? 'null', 'utf8');
  } catch {
    return Buffer.from(sayable(value), 'utf8'); // a cycle, a bigint, a getter that throws, too deep
  }
}

/** Is this an object with members, and no array? */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sayable(value: unknown): string {
  try {
    return JSON.stringify(copy(value, MAX_DEPTH, new Set())) ?? 'null';
  } catch {
    return 'null'; // a proxy whose traps throw
  }
}

function copy(value: unknown, depth: number, above: Set<object>): unknown {
  if (typeof value !== 'object' || value === null) return isSayable(value) ? value : null;
  if (depth === 0 || above.has(value)) return null;
  above.add(value);
  const members = Array.isArray(value)
    ? value.map((item) => copy(item, depth - 1, above))
    : Object.fromEntries(Object.keys(value).map((key) => [key, copy(member(value, key), depth - 1, above)]));
  above.delete(value);
  return members;
}

function member(value: object, key: string): unknown {
  try {
    return (value as Members)[key];
  } catch {
    return null; // a getter that throws
  }
}

function isSayable(value: unknown): boolean {
  return value === undefined || ['string', 'number', 'boolean'].includes(typeof value);
}
