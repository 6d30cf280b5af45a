/** What TypeBox finds, in the form that Zod gives it. */
import { stepsIn } from './ajv.ts';
import type { Complaint } from './complaint.ts';
import { isRecord, look } from './look.ts';
import { JSON_TYPES } from './proof.ts';

/**
 * The complaint of `Assert`, `Parse` or `Decode`, which tells only the first, or those of `Errors`, thrown as a list;
 * `undefined` when it is neither.
 */
export function typeboxComplaints(reason: unknown): readonly Complaint[] | undefined {
  if (Array.isArray(reason)) return listed(reason);
  const given = look(reason, 'value');
  const complaint = complaintOf(look(reason, 'error'), isRecord(given) ? { value: given } : undefined);
  return complaint && [complaint];
}

/** What is missing is told a second time, as something of the wrong type. */
function listed(found: readonly unknown[]): readonly Complaint[] | undefined {
  const complaints = found.map((one) => complaintOf(one, undefined));
  if (complaints.length === 0 || !complaints.every((one) => one !== undefined)) return undefined;
  const missing = new Set<string>();
  return complaints.filter(({ code, path }) => {
    const at = path.join('/');
    if (code !== 'required' || missing.has(at)) return code !== 'required';
    missing.add(at);
    return true;
  });
}

function complaintOf(found: unknown, whole: Complaint['whole']): Complaint | undefined {
  const [at, message, schema, value] = ['path', 'message', 'schema', 'value'].map((name) =>
    look(found, name),
  );
  if (typeof at !== 'string' || typeof message !== 'string' || !isRecord(schema)) return undefined;
  if (typeof look(found, 'type') !== 'number') return undefined;
  const path = stepsIn(at);
  const last = path[path.length - 1];
  if (message === 'Unexpected property' && last !== undefined)
    return { path: path.slice(0, -1), message, code: 'unrecognized_keys', keys: [String(last)], whole };
  if (value === undefined) return { path, message: 'required', code: 'required', whole };
  const expected = look(schema, 'type');
  const isType = message === `Expected ${String(expected)}` && JSON_TYPES.has(String(expected));
  return {
    path,
    message,
    code: isType ? 'invalid_type' : 'custom',
    expected: isType ? expected : undefined,
    whole,
    found: { value },
  };
}
