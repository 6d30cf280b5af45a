/** How well a validator's complaint goes with what the caller sent, and what its tool says that it takes. */
import { plainly } from './argument-of.ts';
import type { Complaint } from './complaint.ts';
import type { Moment } from './first-step.ts';
import { isRecord } from './look.ts';
import { at, gotIn, isFalseOf, isTrueOf, JSON_TYPES, type Path, typeOf } from './proof.ts';
import { isPlainSentence } from './rules.ts';
import { type JsonSchema, memberOf, namesIn, requiredIn, typesAt } from './tool-schema.ts';

/** How well a complaint goes with the arguments: `maybe` goes with many other things as well. */
export type Verdict = 'no' | 'maybe' | 'likely' | 'proven';

/** Is it more than possible? */
export function isLikely(verdict: Verdict): boolean {
  return verdict === 'likely' || verdict === 'proven';
}

interface Circumstances {
  readonly unchecked: boolean;
  readonly moment: Moment;
}

/** Are these complaints of the arguments, taken together? */
export function decides(verdicts: readonly Verdict[], { moment, unchecked }: Circumstances): boolean {
  if (verdicts.includes('no')) return false;
  if (moment === 'first' || verdicts.every((verdict) => verdict === 'proven')) return true;
  return unchecked && verdicts.some(isLikely);
}

/** How well one complaint goes with the arguments. */
export function judge(
  complaint: Complaint,
  args: unknown,
  schema: JsonSchema | undefined,
  moment: Moment,
): Verdict {
  const { path, whole, found } = complaint;
  if (complaint.ofModel === true && isMissing(complaint, args)) return judgeMissingIn(path, args, schema);
  const isNone = at(path, args) === undefined && !isNamed(path, schema);
  if (whole !== undefined && isSame(whole.value, args)) return isNone ? 'no' : 'proven';
  if (isMissing(complaint, args)) return judgeMissing(complaint, args, schema);
  if (isAbsent(complaint, args)) return judgeAbsent(complaint, schema);
  if (!isRecord(args)) return 'no';
  if (complaint.keys !== undefined) return judgeStrangers(complaint.keys, path, args, schema);
  if (path.length === 0) return judgeRoot(complaint, schema, moment);
  const value = at(path, args);
  const isOther = found !== undefined && !isRecord(found.value) && String(found.value) !== String(value);
  if (isAgainst(complaint, args, schema)) return 'no';
  if (isTrueOf(complaint, args)) return isOther ? 'no' : 'proven';
  if (!isNamed(path, schema)) return 'no';
  if (value === undefined)
    return complaint.code === 'custom' && isRecord(at(path.slice(0, -1), args)) ? ofRule(moment) : 'no';
  if (found !== undefined && !isRecord(found.value)) return isOther ? 'no' : 'proven';
  if (isFalseOf(complaint, args)) return 'no';
  if (complaint.code !== 'custom') return 'likely';
  return saysOnlyOf(complaint.message, args) ? 'proven' : ofRule(moment);
}

/** Does it ask for a type that the tool itself does not take there? Whoever did as it says would be refused. */
export function isAgainst(complaint: Complaint, args: unknown, schema: JsonSchema | undefined): boolean {
  const { path, code, expected } = complaint;
  if (code !== 'invalid_type' || typeof expected !== 'string' || !JSON_TYPES.has(expected)) return false;
  if (gotIn(complaint) !== typeOf(at(path, args))) return false;
  const types = typesAt(path, schema);
  return (
    types !== undefined && !types.includes(expected) && !(expected === 'number' && types.includes('integer'))
  );
}

/** A plain sentence about several arguments by their names, at one of them: how they go together is no backend's answer. */
function saysOnlyOf(message: string, args: object): boolean {
  if (!isPlainSentence(message) || /\d/.test(message)) return false;
  const words = new Set(message.split(/[^\w-]+/).map(plainly));
  return Object.keys(args).filter((name) => words.has(plainly(name))).length > 1;
}

/** A rule says its author's words, of whatever it was put to: once a backend may have answered, of that as well. */
function ofRule(moment: Moment): Verdict {
  return moment === 'later' ? 'maybe' : 'likely';
}

/** A rule of the whole says its author's words; what else there is to say of an object is said of any. */
function judgeRoot({ code, found }: Complaint, schema: JsonSchema | undefined, moment: Moment): Verdict {
  if (namesIn(schema)?.size === 0) return 'no';
  if (found !== undefined && !isRecord(found.value)) return 'no';
  if (code === 'custom') return ofRule(moment);
  return code === 'invalid_type' ? 'no' : 'maybe';
}

/** Does the schema know it, as far as it says what it knows? */
function isNamed([first]: Path, schema: JsonSchema | undefined): boolean {
  return namesIn(schema)?.has(String(first)) !== false;
}

/** Does a complaint say itself that there was nothing? */
function isMissing({ code, received, message, path, expected, found }: Complaint, args: unknown): boolean {
  if (found !== undefined) return false;
  if (code === 'required' || received === 'undefined' || /received undefined$/.test(message)) return true;
  return args === undefined && path.length === 0 && code === 'invalid_type' && expected === 'object';
}

/** What a validator makes out of nothing, where it takes anything. */
const OUT_OF_NOTHING = /^(?:undefined|nan|date|invalid date)$/i;

/** Is it said of what the caller left out, in whichever words? */
export function isAbsent(complaint: Complaint, args: unknown): boolean {
  if (isMissing(complaint, args)) return true;
  const { path, code, received, message, found, keys } = complaint;
  if (path.length === 0 || keys !== undefined || found !== undefined || code === 'custom') return false;
  const told = typeof received === 'string' ? received : /\breceived (\w+)$/.exec(message)?.[1];
  if (told !== undefined && !OUT_OF_NOTHING.test(told)) return false;
  return isRecord(at(path.slice(0, -1), args ?? {})) && at(path, args ?? {}) === undefined;
}

/** What is missing in the arguments may be missing in a backend's answer just as well. */
function judgeMissing({ path, whole }: Complaint, args: unknown, schema: JsonSchema | undefined): Verdict {
  if (path.length === 0) {
    if (args !== undefined) return 'no';
    return requiredIn(schema).length > 0 ? 'proven' : 'maybe';
  }
  const gone = absentIn(path, args);
  if (gone === undefined || !isNamed(path, schema)) return 'no';
  const demand = demandOn(gone, schema);
  if (demand === 'required') return 'proven';
  if (gone.length < path.length) return 'no';
  if (demand === 'optional') return 'maybe';
  if (namesIn(schema) !== undefined) return 'likely';
  return whole !== undefined && isEmpty(whole.value) && isEmpty(args ?? {}) ? 'proven' : 'maybe';
}

/** What a record lacks, the caller can send where its tool takes it. */
function judgeMissingIn(path: Path, args: unknown, schema: JsonSchema | undefined): Verdict {
  const takes = Object.keys(Object(schema?.['properties']));
  return at(path, args) === undefined && takes.includes(String(path[0])) ? 'proven' : 'no';
}

/** What of a path was not sent. A validator may have put something empty where a whole object was left out. */
function absentIn(path: Path, args: unknown): Path | undefined {
  const gone = path.findIndex((_, index) => at(path.slice(0, index + 1), args ?? {}) === undefined);
  return gone >= 0 && isRecord(at(path.slice(0, gone), args ?? {})) ? path.slice(0, gone + 1) : undefined;
}

/** Complaints that nothing at all can cause, as a wrong value can. */
const OF_VALUES: ReadonlySet<string | undefined> = new Set([
  'invalid_type',
  'invalid_value',
  'invalid_literal',
  'invalid_union',
  'invalid_union_discriminator',
  'invalid_date',
]);

/** A complaint that does not say whether there was anything, of what the caller left out. */
function judgeAbsent({ path, code }: Complaint, schema: JsonSchema | undefined): Verdict {
  if (!isNamed(path, schema)) return 'no';
  const demand = demandOn(path, schema);
  if (demand === 'required') return 'proven';
  return demand === 'unknown' && OF_VALUES.has(code) ? 'maybe' : 'no';
}

/** Must it be there? A list of what must be there says of the others that they need not. */
function demandOn(path: Path, schema: JsonSchema | undefined): 'required' | 'optional' | 'unknown' {
  let holder = schema;
  for (const step of path.slice(0, -1)) holder = memberOf(holder, String(step));
  const required = requiredIn(holder);
  if (required.includes(String(path[path.length - 1]))) return 'required';
  return required.length > 0 ? 'optional' : 'unknown';
}

function judgeStrangers(
  keys: readonly string[],
  path: Path,
  args: unknown,
  schema: JsonSchema | undefined,
): Verdict {
  const parent = at(path, args);
  if (!isRecord(parent) || !keys.every((key) => Object.hasOwn(parent, key))) return 'no';
  const names = path.length === 0 ? namesIn(schema) : undefined;
  if (names === undefined) return 'likely';
  return keys.some((key) => names.has(key)) ? 'maybe' : 'proven';
}

const LONGEST_WHOLE = 100_000;

/** Is it what the caller sent? What is empty is like anything that is empty. */
function isSame(value: unknown, args: unknown): boolean {
  if (!isRecord(value) || !isRecord(args) || Object.keys(value).length === 0) return false;
  try {
    const text = JSON.stringify(value, comparable);
    return text.length <= LONGEST_WHOLE && text === JSON.stringify(args, comparable);
  } catch {
    return false; // what cannot be written was not sent
  }
}

/** A validator may have put the members in its own order, and made numbers of texts. */
function comparable(_name: string, value: unknown): unknown {
  if (!isRecord(value)) return value === undefined ? undefined : String(value);
  if (Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Does it hold nothing but objects that are empty? A validator may have put such ones into what it was given. */
function isEmpty(value: unknown, deepest = 5): boolean {
  if (!isRecord(value) || deepest === 0) return false;
  return Object.values(value).every((member) => member === undefined || isEmpty(member, deepest - 1));
}
