/** What Superstruct, ArkType and class-validator find, in the form that Zod gives it. All three show what they looked at. */
import type { Complaint } from './complaint.ts';
import { isRecord, look } from './look.ts';

type Steps = readonly (string | number)[];

/** The complaints of one of the three; `undefined` when it is none of theirs. */
export function structComplaints(reason: unknown): readonly Complaint[] | undefined {
  return ofSuperstruct(reason) ?? ofArkType(reason) ?? ofClasses(reason);
}

/** It tells only the first. */
function ofSuperstruct(reason: unknown): readonly Complaint[] | undefined {
  const [path, branch, said, value] = ['path', 'branch', 'message', 'value'].map((name) =>
    look(reason, name),
  );
  if (look(reason, 'name') !== 'StructError' || !Array.isArray(path) || typeof said !== 'string')
    return undefined;
  const whole = wholeOf(Array.isArray(branch) ? branch[0] : undefined);
  const message = said.replace(/^At path: \S{1,500} -- /, '');
  return [complaintOf({ path: path.map(stepOf), message, whole }, value)];
}

function ofArkType(reason: unknown): readonly Complaint[] | undefined {
  const errors = Array.isArray(reason) ? reason : look(reason, 'arkErrors');
  if (!Array.isArray(errors) || errors.length === 0) return undefined;
  if (!errors.every((one) => look(one, ' arkKind') === 'error')) return undefined;
  return errors.slice(0, MOST).map((one) => {
    const path = look(one, 'path');
    const said = look(one, 'problem') ?? look(one, 'message');
    const message = typeof said === 'string' ? said : 'not accepted';
    const whole = wholeOf(look(look(one, 'ctx'), 'root'));
    return complaintOf(
      { path: Array.isArray(path) ? [...path].map(stepOf) : [], message, whole },
      look(one, 'data'),
    );
  });
}

function ofClasses(reason: unknown): readonly Complaint[] | undefined {
  const errors: readonly unknown[] = Array.isArray(reason) ? reason : [reason];
  if (errors.length === 0 || !errors.every(isOfClass)) return undefined;
  return errors.slice(0, MOST).flatMap((one) => inClass(one, [], wholeOf(look(one, 'target')), DEEPEST));
}

function isOfClass(error: unknown): boolean {
  const hasWords = isRecord(look(error, 'constraints')) || Array.isArray(look(error, 'children'));
  return hasWords && typeof look(error, 'property') === 'string';
}

function inClass(
  error: unknown,
  path: Steps,
  whole: Complaint['whole'],
  depth: number,
): readonly Complaint[] {
  const name = look(error, 'property');
  if (typeof name !== 'string' || depth === 0) return [];
  const at = [...path, stepOf(/^\d{1,6}$/.test(name) ? Number(name) : name)];
  const words = Object.values(Object(look(error, 'constraints'))).filter((one) => typeof one === 'string');
  const own =
    words.length === 0
      ? []
      : [complaintOf({ path: at, message: words.join(', '), whole }, look(error, 'value'))];
  const children = look(error, 'children');
  const inner = Array.isArray(children) ? children.slice(0, MOST) : [];
  return [...own, ...inner.flatMap((child) => inClass(child, at, whole, depth - 1))];
}

const DEEPEST = 10;
const MOST = 20;

function complaintOf(said: Pick<Complaint, 'path' | 'message' | 'whole'>, value: unknown): Complaint {
  if (value === undefined) return { ...said, message: 'required', code: 'required' };
  return { ...said, code: 'custom', found: { value } };
}

function wholeOf(value: unknown): Complaint['whole'] {
  return isRecord(value) ? { value } : undefined;
}

function stepOf(step: unknown): string | number {
  return typeof step === 'number' ? step : String(step);
}
