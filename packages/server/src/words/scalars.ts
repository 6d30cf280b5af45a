/** A validator that was given one value by itself does not say its name: which argument was it? */
import type { Complaint } from './complaint.ts';
import { isNamedAfter, isOfTime } from './formats.ts';
import { isRecord } from './look.ts';
import { gotIn, isTrueOf, typeOf } from './proof.ts';
import type { JsonSchema } from './tool-schema.ts';
import { isAgainst } from './verdict.ts';

/** The one argument that these complaints are over; `undefined` where it may be another, or none. */
export function argumentGiven(
  complaints: readonly Complaint[],
  sent: unknown,
  schema: JsonSchema | undefined,
): string | undefined {
  if (!isRecord(sent) || complaints.some(({ path }) => path.length > 0)) return undefined;
  // What the tool takes as it is was not refused for its type.
  const isAgainstIt = (name: string): boolean =>
    complaints.some((complaint) => isAgainst({ ...complaint, path: [name] }, sent, schema));
  const args = Object.fromEntries(Object.entries(sent).filter(([name]) => !isAgainstIt(name)));
  return (
    nameOfFound(complaints, args) ??
    theOne(complaints, args, (complaint, name) => isNamedAfter(name, complaint.format)) ??
    theOne(complaints, args, isOverNumber) ??
    theOne(complaints, args, isOverText) ??
    theOne(complaints, args, isOverType) ??
    theOne(complaints, args, isOverTime)
  );
}

type Args = { readonly [name: string]: unknown };

/** Where it tells what it was given. */
function nameOfFound(complaints: readonly Complaint[], args: Args): string | undefined {
  const value = complaints[0]?.found?.value;
  if (value === '' || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
  if (!complaints.every(({ found }) => found?.value === value)) return undefined;
  const names = Object.keys(args).filter((name) => args[name] === value);
  return names.length === 1 ? names[0] : undefined;
}

/** The one that may be meant by each of them, and of which each is true. */
function theOne(
  complaints: readonly Complaint[],
  args: Args,
  mayMean: (complaint: Complaint, name: string, value: unknown, args: Args) => boolean,
): string | undefined {
  const names = Object.keys(args).filter((name) =>
    complaints.every(
      (complaint) =>
        (complaint.found === undefined || complaint.found.value === args[name]) &&
        mayMean(complaint, name, args[name], args) &&
        isTrueOf({ ...complaint, path: [name] }, args),
    ),
  );
  return names.length === 1 ? names[0] : undefined;
}

/** A number that counts or measures something; of an identifier nobody asks how large it is. */
function isOverNumber({ code, type, origin, expected }: Complaint, name: string, value: unknown): boolean {
  if (typeof value !== 'number' || IDENTIFIER.test(name)) return false;
  if (code === 'too_small' || code === 'too_big') return NUMBERS.has(origin ?? type);
  if (code === 'invalid_type') return INTEGERS.has(expected);
  return code === 'not_multiple_of';
}

const IDENTIFIER = /(?:^|[_-])(?:id|ID)s?$|[a-z\d]I[dD]s?$/;
const NUMBERS: ReadonlySet<unknown> = new Set(['number', 'int']);
const INTEGERS: ReadonlySet<unknown> = new Set(['integer', 'int']);

/** How a text is written, how long it is or a list, and which of several words it is to be. */
function isOverText(complaint: Complaint, name: string, value: unknown): boolean {
  const { code, origin, type, format } = complaint;
  if (code === 'too_small' || code === 'too_big') {
    const what = origin ?? type;
    if (Array.isArray(value)) return what === 'array';
    return typeof value === 'string' && what === 'string' && !IDENTIFIER.test(name);
  }
  if (code === 'invalid_value') return !IDENTIFIER.test(name) && isLike(value, complaint.values);
  // A form that has a name goes with arguments that are named after it.
  const isForm = code === 'invalid_format' || code === 'invalid_string';
  return isForm && (typeof format !== 'string' || format === 'regex');
}

const WORD = /^[a-z]+$|^[A-Z]+$|^[A-Z][a-z]+$|^[a-z]+(?:[_-][a-z]+)+$|^[A-Z]+(?:_[A-Z]+)+$/;

/** A word, where words are asked for, that may well be meant as one of them. */
function isLike(value: unknown, values: readonly unknown[] = []): boolean {
  if (typeof value !== 'string' || !WORD.test(value) || values.length < 2) return false;
  const lengths = values.map((one) => (typeof one === 'string' && WORD.test(one) ? one.length : 0));
  return Math.min(...lengths) > 1 && value.length <= 2 * Math.max(...lengths);
}

/** A value of a type that is not taken, where the complaint says which it got. */
function isOverType(complaint: Complaint, name: string, value: unknown): boolean {
  if (IDENTIFIER.test(name)) return false;
  const inner = complaint.code === 'invalid_union' ? (complaint.branches?.flat() ?? []) : [complaint];
  return (
    inner.length > 0 && inner.every((one) => one.code === 'invalid_type' && gotIn(one) === typeOf(value))
  );
}

/** What no date can be made of, under a name of a time, or alone. */
function isOverTime({ code, expected }: Complaint, name: string, _value: unknown, args: Args): boolean {
  const isTime = code === 'invalid_date' || (code === 'invalid_type' && expected === 'date');
  return isTime && (isOfTime(name) || Object.keys(args).length === 1);
}
