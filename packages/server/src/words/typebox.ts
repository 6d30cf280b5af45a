/** What TypeBox finds, in the form that Zod gives it. */
import { stepsIn } from './ajv.ts';
import type { Complaint } from './complaint.ts';
import { isRecord, look } from './look.ts';
import { JSON_TYPES } from './proof.ts';

/** The complaint of `Assert`, `Parse` or `Decode`; `undefined` when it is none. It tells only the first. */
export function typeboxComplaints(reason: unknown): readonly Complaint[] | undefined {
  const found = look(reason, 'error');
  const [at, message, schema, value] = ['path', 'message', 'schema', 'value'].map((name) =>
    look(found, name),
  );
  if (typeof at !== 'string' || typeof message !== 'string' || !isRecord(schema)) return undefined;
  if (typeof look(found, 'type') !== 'number') return undefined;
  const path = stepsIn(at);
  const given = look(reason, 'value');
  const whole = isRecord(given) ? { value: given } : undefined;
  const last = path[path.length - 1];
  if (message === 'Unexpected property' && last !== undefined)
    return [{ path: path.slice(0, -1), message, code: 'unrecognized_keys', keys: [String(last)], whole }];
  if (value === undefined) return [{ path, message: 'required', code: 'required', whole }];
  const expected = look(schema, 'type');
  const isType = message === `Expected ${String(expected)}` && JSON_TYPES.has(String(expected));
  return [
    {
      path,
      message,
      code: isType ? 'invalid_type' : 'custom',
      expected: isType ? expected : undefined,
      whole,
      found: { value },
    },
  ];
}
