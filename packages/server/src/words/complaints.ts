/** What validators complain of, in one form: Zod's (3 and 4), Valibot's and others of Standard Schema, Ajv's, Yup's, Joi's. */
import { pathOf, type StandardIssue } from '../boundary/validation.ts';
import { ajvComplaints } from './ajv.ts';
import type { Complaint } from './complaint.ts';
import { joiComplaints } from './joi.ts';
import { isRecord, look } from './look.ts';
import { yupComplaints } from './yup.ts';

/** The complaints of a validator's exception; `undefined` when it is none. */
export function complaintsOf(reason: unknown): readonly Complaint[] | undefined {
  const found = ajvComplaints(reason) ?? yupComplaints(reason) ?? joiComplaints(reason);
  if (found !== undefined) return found;
  const issues = look(reason, 'issues');
  if (!Array.isArray(issues) || issues.length === 0) return undefined;
  if (!issues.every((issue) => typeof look(issue, 'message') === 'string')) return undefined;
  return (issues as readonly StandardIssue[]).map(fromStandard);
}

function fromStandard(issue: StandardIssue): Complaint {
  const { message, code, expected, keys } = issue;
  const values = look(issue, 'values') ?? look(issue, 'options');
  const input = look(issue, 'input');
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
    values: Array.isArray(values) ? values : undefined,
    keys: Array.isArray(keys) ? keys.map(String) : undefined,
    whole: isRecord(whole) ? { value: whole } : undefined,
    found: input === undefined ? undefined : { value: input },
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
