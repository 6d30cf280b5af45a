/** Is a validator's complaint true of a value? Only what can be tried again is proven. */
import type { Complaint } from './complaint.ts';
import { fitsFormat } from './formats.ts';
import { isRecord, look } from './look.ts';

/** Where something is. */
export type Path = readonly (string | number)[];

/** What stands at a path; `undefined` where nothing does. */
export function at(path: Path, value: unknown): unknown {
  let current = value;
  for (const key of path) {
    if (!isRecord(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** Is each of these true of what the caller sent? */
export function areTrueOf(complaints: readonly Complaint[], args: unknown): boolean {
  return complaints.length > 0 && complaints.every((complaint) => isTrueOf(complaint, args));
}

/** As Zod tells it: a type, a pattern, a limit, a list of values. */
export function isTrueOf({ path, ...complaint }: Complaint, args: unknown): boolean {
  const value = at(path, args);
  if (value === undefined) return false;
  const { expected, pattern, values, inclusive } = complaint;
  switch (complaint.code) {
    case 'invalid_type':
      if (expected === 'date') return isNoDate(value);
      if (isOfOther(complaint, value)) return false;
      return typeof expected === 'string' && isOfType(value, expected) === false;
    case 'invalid_date':
      return isNoDate(value);
    case 'invalid_union':
      return isNoneOf(complaint.branches, value);
    case 'invalid_format':
    case 'invalid_string':
      return (
        typeof value === 'string' && (!fitsFormat(value, complaint.format) || !fitsPattern(value, pattern))
      );
    case 'not_multiple_of':
      return (
        typeof value === 'number' && typeof complaint.divisor === 'number' && value % complaint.divisor !== 0
      );
    case 'too_small':
      return isBeyond(complaint.minimum, sizeOf(value), inclusive);
    case 'too_big':
      return isBeyond(sizeOf(value), complaint.maximum, inclusive);
    case 'invalid_value':
    case 'invalid_enum_value':
      return values !== undefined && !values.includes(value);
    case 'invalid_literal':
      return expected !== value;
    default:
      return false;
  }
}

/** Is a complaint of each form that would do true of a value? */
function isNoneOf(branches: Complaint['branches'] = [], value: unknown): boolean {
  const isTrue = (one: Complaint): boolean => isTrueOf({ ...one, path: ['value', ...one.path] }, { value });
  return branches.length > 0 && branches.every((branch) => branch.some(isTrue));
}

/** Can nobody make a date of it? */
function isNoDate(value: unknown): boolean {
  return typeof value === 'string' && Number.isNaN(Date.parse(value));
}

/** What a complaint over a type says that it got. */
export function gotIn({ received, message }: Pick<Complaint, 'received' | 'message'>): unknown {
  return received ?? /\breceived (\w+)$/.exec(message)?.[1];
}

/** Did it get a value of another type that JSON has? */
function isOfOther(complaint: Pick<Complaint, 'received' | 'message'>, value: unknown): boolean {
  const got = gotIn(complaint);
  return typeof got === 'string' && JSON_TYPES.has(got) && got !== typeOf(value);
}

/** Is it said of a type that the value has? Then it is said of another value. */
export function isFalseOf({ path, code, expected }: Complaint, args: unknown): boolean {
  const value = at(path, args);
  return (
    code === 'invalid_type' &&
    typeof expected === 'string' &&
    value !== undefined &&
    isOfType(value, expected) === true
  );
}

function sizeOf(value: unknown): unknown {
  return typeof value === 'string' ? value.length : typeof value === 'number' ? value : look(value, 'length');
}

function isBeyond(larger: unknown, limit: unknown, inclusive: unknown): boolean {
  if (typeof larger !== 'number' || typeof limit !== 'number') return false;
  return larger > limit || (inclusive === false && larger === limit);
}

/** Types that JSON has. */
export const JSON_TYPES: ReadonlySet<string> = new Set([
  'string',
  'number',
  'boolean',
  'object',
  'array',
  'null',
]);

/** Has a value the type that a validator names? `undefined` where JSON has no such type. */
function isOfType(value: unknown, type: string): boolean | undefined {
  if (type === 'integer' || type === 'int') return Number.isInteger(value);
  return JSON_TYPES.has(type) ? type === typeOf(value) : undefined;
}

/** What JSON calls its type. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const LONGEST_VALUE = 200;

/** A pattern as it is printed: `/^a$/u`. What is too long for it is not tried. */
function fitsPattern(value: string, printed = ''): boolean {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(printed) ?? [];
  if (source === undefined || value.length > LONGEST_VALUE) return true;
  try {
    return new RegExp(source, flags).test(value);
  } catch {
    return true; // no pattern: nothing is proven
  }
}
