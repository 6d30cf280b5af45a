/** What Joi finds, in the form that Zod gives it. */
import type { Complaint } from './complaint.ts';
import { isRecord, look } from './look.ts';
import { JSON_TYPES } from './proof.ts';

/** The complaints of a `ValidationError` of Joi's; `undefined` when it is none. */
export function joiComplaints(reason: unknown): readonly Complaint[] | undefined {
  const details = look(reason, 'details');
  if (look(reason, 'isJoi') !== true || !Array.isArray(details) || details.length === 0) return undefined;
  const original = look(reason, '_original');
  const whole = isRecord(original) ? { value: original } : undefined;
  const found = details.map((detail) => complaintOf(detail, whole));
  return found.every((complaint) => complaint !== undefined) ? found : undefined;
}

function complaintOf(detail: unknown, whole: Complaint['whole']): Complaint | undefined {
  const [message, at, code, context] = ['message', 'path', 'type', 'context'].map((name) =>
    look(detail, name),
  );
  if (typeof message !== 'string' || typeof code !== 'string' || !Array.isArray(at)) return undefined;
  const path = at.map((step) => (typeof step === 'number' ? step : String(step)));
  const stranger = path[path.length - 1];
  if (code === 'object.unknown' && stranger !== undefined)
    return { path: path.slice(0, -1), message, code: 'unrecognized_keys', keys: [String(stranger)], whole };
  if (code === 'any.required') return { path, message: 'required', code: 'required', whole };
  const value = look(context, 'value');
  const found = value === undefined ? undefined : { value };
  const [, type = ''] = /^(\w+)\.base$/.exec(code) ?? [];
  if (JSON_TYPES.has(type)) return { path, message, code: 'invalid_type', expected: type, whole, found };
  return { path, message, code, whole, found };
}
