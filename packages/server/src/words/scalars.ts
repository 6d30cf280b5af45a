/** A validator that was given one value by itself does not say its name: which argument was it? */
import type { Complaint } from './complaint.ts';
import { isNamedAfter } from './formats.ts';
import { isRecord } from './look.ts';
import { isTrueOf } from './proof.ts';

/** The one argument that these complaints are over; `undefined` where it may be another, or none. */
export function argumentGiven(complaints: readonly Complaint[], args: unknown): string | undefined {
  if (!isRecord(args) || complaints.some(({ path }) => path.length > 0)) return undefined;
  return (
    nameOfFound(complaints, args) ??
    theOne(complaints, args, (complaint, name) => isNamedAfter(name, complaint.format)) ??
    theOne(complaints, args, isOverNumber)
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
  mayMean: (complaint: Complaint, name: string, value: unknown) => boolean,
): string | undefined {
  const names = Object.keys(args).filter((name) =>
    complaints.every(
      (complaint) =>
        (complaint.found === undefined || complaint.found.value === args[name]) &&
        mayMean(complaint, name, args[name]) &&
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
