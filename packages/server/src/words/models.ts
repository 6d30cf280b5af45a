/**
 * What the models of Mongoose and Sequelize find in a record, in the form that Zod gives it. A record has more than what the
 * caller sent: only what is wrong with an argument is the caller's to correct.
 */
import type { Complaint } from './complaint.ts';
import { isRecord, look } from './look.ts';

/** The complaints of a model; `undefined` when it is none of theirs. */
export function modelComplaints(reason: unknown): readonly Complaint[] | undefined {
  const errors = look(reason, 'errors');
  const name = look(reason, 'name');
  if (name === 'SequelizeValidationError' && Array.isArray(errors) && errors.length > 0)
    return errors.slice(0, MOST).map((item) => complaintOf(String(look(item, 'path')), item));
  const isMongoose = name === 'ValidationError' && typeof look(reason, '_message') === 'string';
  if (!isMongoose || !isRecord(errors) || Array.isArray(errors)) return undefined;
  const entries = Object.entries(errors).slice(0, MOST);
  return entries.length === 0 ? undefined : entries.map(([path, error]) => complaintOf(path, error));
}

const MOST = 20;

function complaintOf(at: string, error: unknown): Complaint {
  const path = at.split('.').map((step) => (/^\d{1,6}$/.test(step) ? Number(step) : step));
  const [value, said] = [look(error, 'value'), look(error, 'message')];
  // What follows names the model.
  const message =
    typeof said === 'string' ? said.replace(/ at path "[^"\n]{1,200}"[^\n]{0,500}$/, '') : 'not accepted';
  if (value === undefined) return { path, message: 'required', code: 'required', ofModel: true };
  return { path, message, code: 'custom', found: { value }, ofModel: true };
}
