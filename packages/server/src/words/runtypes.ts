/** What Runtypes finds, in the form that Zod gives it. */
import type { Complaint } from './complaint.ts';
import { isRecord, look } from './look.ts';
import { JSON_TYPES } from './proof.ts';

/** The complaints of its `ValidationError`; `undefined` when it is none. */
export function runtypesComplaints(reason: unknown): readonly Complaint[] | undefined {
  const failure = look(reason, 'failure');
  if (look(failure, 'success') !== false || typeof look(failure, 'code') !== 'string') return undefined;
  const received = look(failure, 'received');
  const found = within(failure, [], isRecord(received) ? { value: received } : undefined, DEEPEST);
  return found.length === 0 ? undefined : found;
}

const DEEPEST = 20;
const MOST = 20;

function within(
  failure: unknown,
  path: readonly (string | number)[],
  whole: Complaint['whole'],
  depth: number,
): readonly Complaint[] {
  const details = look(failure, 'details');
  if (isRecord(details) && depth > 0)
    return Object.entries(details)
      .slice(0, MOST)
      .flatMap(([name, inner]) =>
        within(inner, [...path, /^\d{1,6}$/.test(name) ? Number(name) : name], whole, depth - 1),
      );
  const [code, said, value] = ['code', 'message', 'received'].map((name) => look(failure, name));
  const message = typeof said === 'string' ? said : 'not accepted';
  const last = path[path.length - 1];
  if (code === 'PROPERTY_MISSING') return [{ path, message: 'required', code: 'required', whole }];
  if (code === 'PROPERTY_PRESENT' && last !== undefined)
    return [{ path: path.slice(0, -1), message, code: 'unrecognized_keys', keys: [String(last)], whole }];
  const found = value === undefined ? undefined : { value };
  const [, expected = ''] = /^Expected (\w+), but was /.exec(message) ?? [];
  if (JSON_TYPES.has(expected)) return [{ path, message, code: 'invalid_type', expected, whole, found }];
  return [{ path, message, code: 'custom', whole, found }];
}
