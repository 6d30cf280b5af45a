/**
 * What validators complain of, in one form: Zod's (3 and 4), Valibot's and others of Standard Schema, Ajv's, Yup's, Joi's,
 * and those of libraries that have a form of their own.
 */
import { pathOf, type StandardIssue } from '../boundary/validation.ts';
import { ajvComplaints } from './ajv.ts';
import type { Complaint } from './complaint.ts';
import { effectComplaints } from './effect.ts';
import { joiComplaints } from './joi.ts';
import { isRecord, look } from './look.ts';
import { modelComplaints } from './models.ts';
import { runtypesComplaints } from './runtypes.ts';
import { structComplaints } from './structs.ts';
import { typeboxComplaints } from './typebox.ts';
import { yupComplaints } from './yup.ts';

const READERS: readonly ((reason: unknown) => readonly Complaint[] | undefined)[] = [
  ajvComplaints,
  yupComplaints,
  joiComplaints,
  typeboxComplaints,
  effectComplaints,
  runtypesComplaints,
  structComplaints,
  modelComplaints,
];

/** The complaints of a validator's exception; `undefined` when it is none. */
export function complaintsOf(reason: unknown): readonly Complaint[] | undefined {
  for (const read of READERS) {
    const found = read(reason);
    if (found !== undefined) return found;
  }
  const isBare = Array.isArray(reason) && reason.every(isIssue);
  const issues = isBare ? reason : look(reason, 'issues');
  if (!Array.isArray(issues) || issues.length === 0) return undefined;
  if (!issues.every((issue) => typeof look(issue, 'message') === 'string')) return undefined;
  return (issues as readonly StandardIssue[]).map(fromStandard);
}

/** One of those that somebody has thrown as they are. */
function isIssue(issue: unknown): boolean {
  const isKnown = typeof look(issue, 'code') === 'string' || typeof look(issue, 'kind') === 'string';
  return isKnown && Array.isArray(look(issue, 'path'));
}

/** Complaints of Zod 3 that say what it got; those of types say only of which type that was. */
const GOT: ReadonlySet<unknown> = new Set(['invalid_enum_value', 'invalid_literal']);

function fromStandard(issue: StandardIssue): Complaint {
  const { message, code, expected, keys } = issue;
  const values = look(issue, 'values') ?? look(issue, 'options');
  const input = look(issue, GOT.has(code) ? 'received' : 'input');
  const steps = Array.isArray(issue.path) ? issue.path : [];
  const first: unknown = steps.length === 0 ? issue : steps[0];
  const whole = look(first, 'input');
  return {
    path: pathOf({ ...issue, path: steps }),
    message,
    code: typeof code === 'string' ? code : undefined,
    type: textOf(look(issue, 'type')),
    origin: look(issue, 'origin'),
    expected,
    received: look(issue, 'received'),
    minimum: look(issue, 'minimum'),
    maximum: look(issue, 'maximum'),
    inclusive: look(issue, 'inclusive') !== false,
    pattern: textOf(look(issue, 'pattern')),
    format: formatOf(issue),
    divisor: look(issue, 'divisor') ?? look(issue, 'multipleOf'),
    values: Array.isArray(values) ? values : undefined,
    keys: Array.isArray(keys) ? keys.map(String) : undefined,
    branches: code === 'invalid_union' ? branchesOf(issue, steps.length) : undefined,
    whole: isRecord(whole) ? { value: whole } : undefined,
    found: input === undefined ? undefined : { value: input },
  };
}

/** Zod 3 makes an exception of each branch, with whole paths; Zod 4 a list, with what is left of them. */
function branchesOf(issue: StandardIssue, depth: number): Complaint['branches'] {
  const whole = look(issue, 'unionErrors');
  const lists = Array.isArray(whole) ? whole.map((one) => look(one, 'issues')) : look(issue, 'errors');
  if (!Array.isArray(lists)) return undefined;
  return lists.slice(0, MOST_BRANCHES).map((issues) => {
    const complaints = Array.isArray(issues) ? issues.filter(isIssue).map(fromStandard) : [];
    return Array.isArray(whole)
      ? complaints.map((one) => ({ ...one, path: one.path.slice(depth) }))
      : complaints;
  });
}

const MOST_BRANCHES = 20;

/** Zod 3 has all of it in one member, Zod 4 in one for each. */
function formatOf(issue: StandardIssue): unknown {
  const format = look(issue, 'validation') ?? look(issue, 'format');
  if (format === 'starts_with') return { startsWith: look(issue, 'prefix') };
  if (format === 'ends_with') return { endsWith: look(issue, 'suffix') };
  return format === 'includes' ? { includes: look(issue, 'includes') } : format;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
