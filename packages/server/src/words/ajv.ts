/** What Ajv finds, as an exception of its own or as the one sentence it makes of it, in the form that Zod gives it. */
import type { Complaint } from './complaint.ts';
import { look } from './look.ts';

/** The complaints of an `Ajv.ValidationError`, or of its errors as they are; `undefined` when it is none. */
export function ajvComplaints(reason: unknown): readonly Complaint[] | undefined {
  const errors = Array.isArray(reason) ? reason : look(reason, 'errors');
  if (!Array.isArray(errors) || errors.length === 0) return undefined;
  const issues = errors.map(issueOf);
  return issues.every((issue) => issue !== undefined) ? issues : undefined;
}

function issueOf(error: unknown): Complaint | undefined {
  const [at, keyword, message] = [
    look(error, 'instancePath'),
    look(error, 'keyword'),
    look(error, 'message'),
  ];
  if (typeof at !== 'string' || typeof keyword !== 'string' || typeof message !== 'string') return undefined;
  const params = look(error, 'params');
  const missing = look(params, 'missingProperty');
  const path =
    keyword === 'required' && typeof missing === 'string' ? [...stepsIn(at), missing] : stepsIn(at);
  const stranger = look(params, 'additionalProperty') ?? look(params, 'unevaluatedProperty');
  if (typeof stranger === 'string') return { path, message, code: 'unrecognized_keys', keys: [stranger] };
  return { path, message: keyword === 'required' ? 'required' : message, ...demandOf(keyword, params) };
}

type Demand = Omit<Complaint, 'path' | 'message'>;

function demandOf(keyword: string, params: unknown): Demand {
  const limit = look(params, 'limit');
  const type = /Length$/.test(keyword) ? 'string' : 'number';
  if (/^(?:min|exclusiveMin)/.test(keyword))
    return { code: 'too_small', type, minimum: limit, inclusive: !keyword.startsWith('exclusive') };
  if (/^(?:max|exclusiveMax)/.test(keyword))
    return { code: 'too_big', type, maximum: limit, inclusive: !keyword.startsWith('exclusive') };
  if (keyword === 'type') return { code: 'invalid_type', expected: look(params, 'type') };
  if (keyword === 'pattern')
    return { code: 'invalid_format', pattern: `/${String(look(params, 'pattern'))}/u` };
  if (keyword === 'format') return { code: 'invalid_format', format: look(params, 'format') };
  if (keyword === 'multipleOf') return { code: 'not_multiple_of', divisor: look(params, 'multipleOf') };
  const allowed = look(params, 'allowedValues');
  if (keyword === 'enum' && Array.isArray(allowed)) return { code: 'invalid_value', values: allowed };
  if (keyword === 'const') return { code: 'invalid_value', values: [look(params, 'allowedValue')] };
  return { code: keyword };
}

/** `/items/0/price`; a name may hold both of the signs. */
export function stepsIn(pointer: string): readonly (string | number)[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) =>
    /^\d{1,6}$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~'),
  );
}

const SENTENCE =
  /^data((?:\/[^\s/,]{1,100}){1,10}) (must (?:be (>=|<=|>|<) (-?\d{1,20}(?:\.\d{1,20})?)|be (string|number|boolean|object|array|null)|NOT have (fewer|more) than (\d{1,9}) (?:characters|items)|match pattern "(.{1,300})"))$/;

/** The issues in what `errorsText` makes of them; `undefined` when it says anything else. */
export function issuesInText(text: string): readonly Complaint[] | undefined {
  if (!text.startsWith('data/') || text.length > LONGEST) return undefined;
  const issues = text.split(/, (?=data\/)/).map(issueIn);
  return issues.every((issue) => issue !== undefined) ? issues : undefined;
}

const LONGEST = 4000;

/** Does such a sentence name a field that is nowhere in what was sent? Then it is about something else. */
export function namesUnsent(text: string, sent: unknown): boolean {
  if (!text.startsWith('data/') || text.length > LONGEST) return false;
  const keys = JSON.stringify(sent ?? {});
  const fields = [...text.matchAll(/(?:^|, )data((?:\/[^\s/,]{1,100}){1,10}) must /g)].flatMap(
    ([, at = '']) => stepsIn(at),
  );
  return fields.some((field) => typeof field === 'string' && !keys.includes(`${JSON.stringify(field)}:`));
}

function issueIn(sentence: string): Complaint | undefined {
  const [, at = '', message, sign, bound, type, count, size, pattern] = SENTENCE.exec(sentence) ?? [];
  if (message === undefined) return undefined;
  const said = { path: stepsIn(at), message };
  const limit = Number(bound ?? size);
  if (type !== undefined) return { ...said, code: 'invalid_type', expected: type };
  if (pattern !== undefined) return { ...said, code: 'invalid_format', pattern: `/${pattern}/u` };
  const inclusive = sign?.length !== 1;
  return sign?.startsWith('>') === true || count === 'fewer'
    ? { ...said, code: 'too_small', minimum: limit, inclusive }
    : { ...said, code: 'too_big', maximum: limit, inclusive };
}
