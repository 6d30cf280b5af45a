/** What Yup finds, in the form that Zod gives it. */
import type { Complaint } from './complaint.ts';
import { look } from './look.ts';

/** The complaints of a `ValidationError` of Yup's; `undefined` when it is none. */
export function yupComplaints(reason: unknown): readonly Complaint[] | undefined {
  const [errors, inner] = [look(reason, 'errors'), look(reason, 'inner')];
  if (look(reason, 'name') !== 'ValidationError' || !Array.isArray(errors) || !Array.isArray(inner))
    return undefined;
  const whole = { value: look(reason, 'value') };
  const found = (inner.length === 0 ? [reason] : inner).map((error) => complaintOf(error, whole));
  return found.every((complaint) => complaint !== undefined) ? found : undefined;
}

function complaintOf(error: unknown, whole: Complaint['whole']): Complaint | undefined {
  const [message, at, type, params] = ['message', 'path', 'type', 'params'].map((name) => look(error, name));
  if (typeof message !== 'string') return undefined;
  const path = typeof at === 'string' ? stepsOf(at) : [];
  const unknown = look(params, 'unknown');
  if (type === 'noUnknown' && typeof unknown === 'string')
    return { path, message, code: 'unrecognized_keys', keys: unknown.split(', '), whole };
  const original = look(params, 'originalValue');
  const found = original === undefined ? undefined : { value: original };
  if (type === 'required' || type === 'optionality')
    return { path, message: 'required', code: 'required', whole, found };
  if (type === 'typeError')
    return { path, message, code: 'invalid_type', expected: look(params, 'type'), whole, found };
  return { path, message, code: typeof type === 'string' ? type : 'custom', whole, found };
}

/** `items[0].name` and `["a b"].c`, as Yup writes a path. */
function stepsOf(path: string): readonly (string | number)[] {
  const steps = path.slice(0, LONGEST).match(/[^.[\]"]+|"[^"]*"/g) ?? [];
  return steps.map((step) => (/^\d{1,6}$/.test(step) ? Number(step) : step.replaceAll('"', '')));
}

const LONGEST = 1000;
