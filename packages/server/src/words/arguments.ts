/**
 * A validator's complaint inside a handler: about the caller's arguments, or about something that the server
 * got elsewhere? Only the first may tell the model to correct its arguments.
 */
import type { Issue } from '@mayday/core';
import { namesSecret } from '@mayday/core/redact';
import { toIssues } from '../boundary/validation.ts';
import type { Complaint } from './complaint.ts';
import { complaintsOf } from './complaints.ts';
import { isOfFirstStep } from './first-step.ts';
import { isRecord } from './look.ts';
import { at, isFalseOf, isTrueOf, JSON_TYPES, type Path } from './proof.ts';
import { type JsonSchema, memberOf, namesIn, requiredIn } from './tool-schema.ts';
import { yupComplaints } from './yup.ts';

/** What is known of a call. */
export interface Sent {
  readonly arguments?: unknown;
  /** Nobody has checked the arguments before the handler did. */
  readonly unchecked?: boolean | undefined;
  /** What its tool says that it takes, if that is known. */
  readonly schema?: (() => JsonSchema | undefined) | undefined;
}

/** Is it a validator's exception? */
export function isOfValidator(reason: unknown): boolean {
  return complaintsOf(reason) !== undefined;
}

/** What a validator's exception says of the caller's arguments; nothing, when it is about anything else. */
export type OfValidator = { readonly own: readonly Issue[] | undefined };

/** Whose a validator's exception is; `undefined` when it is none, or is to be read like any other. */
export function judgeValidator(reason: unknown, sent: Sent): OfValidator | undefined {
  const complaints = complaintsOf(reason);
  if (complaints === undefined) return undefined;
  const { arguments: args, unchecked = false } = sent;
  const schema = sent.schema?.();
  const about = { unchecked, isFirst: isOfFirstStep(reason) };
  const verdictsOn = (value: unknown, of: JsonSchema | undefined): readonly Verdict[] =>
    complaints.map((complaint) => judge(complaint, value, of));
  if (decides(verdictsOn(args, schema), about)) return { own: issuesOf(complaints, args, schema) };
  const member = membersOf(args, schema).find(([, value, of]) => {
    const verdicts = verdictsOn(value, of);
    // Many things lack a member: of one among the arguments, something has to be more than possible.
    return verdicts.some(isLikely) && decides(verdicts, about);
  });
  // Those of Yup are sentences, and are read as such where they are not proven.
  if (member === undefined) return yupComplaints(reason) === undefined ? { own: undefined } : undefined;
  const moved = complaints.map((complaint) => ({ ...complaint, path: [member[0], ...complaint.path] }));
  return { own: issuesOf(moved, args, schema) };
}

type Member = readonly [name: string, value: unknown, schema: JsonSchema | undefined];
const MOST_MEMBERS = 100;

/** Arguments that hold members themselves. */
function membersOf(args: unknown, schema: JsonSchema | undefined): readonly Member[] {
  if (!isRecord(args)) return [];
  const members = Object.entries(args).filter(([, value]) => isRecord(value) && !Array.isArray(value));
  return members.slice(0, MOST_MEMBERS).map(([name, value]) => [name, value, memberOf(schema, name)]);
}

/** How well a complaint goes with the arguments: `maybe` goes with many other things as well. */
type Verdict = 'no' | 'maybe' | 'likely' | 'proven';

function isLikely(verdict: Verdict): boolean {
  return verdict === 'likely' || verdict === 'proven';
}

interface Circumstances {
  readonly unchecked: boolean;
  /** It is what the handler did first. */
  readonly isFirst: boolean;
}

function decides(verdicts: readonly Verdict[], { isFirst, unchecked }: Circumstances): boolean {
  if (verdicts.includes('no')) return false;
  if (isFirst || verdicts.every((verdict) => verdict === 'proven')) return true;
  return unchecked && verdicts.some(isLikely);
}

function judge(complaint: Complaint, args: unknown, schema: JsonSchema | undefined): Verdict {
  const { path, whole, found } = complaint;
  if (whole !== undefined && isSame(whole.value, args)) return 'proven';
  if (isMissing(complaint, args)) return judgeMissing(path, args, schema);
  if (!isRecord(args)) return 'no';
  if (complaint.keys !== undefined) return judgeStrangers(complaint.keys, path, args, schema);
  if (path.length === 0) return judgeRoot(complaint);
  const names = namesIn(schema);
  if (isTrueOf(complaint, args)) return 'proven';
  if (names !== undefined && !names.has(String(path[0]))) return 'no';
  const value = at(path, args);
  if (value === undefined)
    return complaint.code === 'custom' && isRecord(at(path.slice(0, -1), args)) ? 'likely' : 'no';
  if (found !== undefined && !isRecord(found.value))
    return String(found.value) === String(value) ? 'proven' : 'no';
  return isFalseOf(complaint, args) ? 'no' : 'likely';
}

/** A refinement of the whole says its author's words; what else there is to say of an object is said of any. */
function judgeRoot({ code }: Complaint): Verdict {
  if (code === 'custom') return 'likely';
  return code === 'invalid_type' ? 'no' : 'maybe';
}

function isMissing({ code, received, message, path, expected }: Complaint, args: unknown): boolean {
  if (code === 'required' || received === 'undefined' || /received undefined$/.test(message)) return true;
  return args === undefined && path.length === 0 && code === 'invalid_type' && expected === 'object';
}

/** What is missing in the arguments may be missing in a backend's answer just as well. */
function judgeMissing(path: Path, args: unknown, schema: JsonSchema | undefined): Verdict {
  if (path.length === 0) {
    if (args !== undefined) return 'no';
    return requiredIn(schema).length > 0 ? 'proven' : 'maybe';
  }
  const parent = at(path.slice(0, -1), args ?? {});
  const key = String(path[path.length - 1]);
  if (!isRecord(parent) || parent[key] !== undefined) return 'no';
  const names = namesIn(schema);
  const [first] = path;
  if (names !== undefined && !names.has(String(first))) return 'no';
  if (path.length === 1 && requiredIn(schema).includes(key)) return 'proven';
  return names === undefined ? 'maybe' : 'likely';
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
    const text = JSON.stringify(value);
    return text.length <= LONGEST_WHOLE && text === JSON.stringify(args);
  } catch {
    return false; // what cannot be written was not sent
  }
}

/** The complaints, told to the caller. */
function issuesOf(
  complaints: readonly Complaint[],
  args: unknown,
  schema: JsonSchema | undefined,
): readonly Issue[] {
  const isNothingSent = args === undefined && complaints.every(({ path }) => path.length === 0);
  const required = isNothingSent ? requiredIn(schema) : [];
  if (required.length > 0)
    return required.map((name) => ({ path: [name], message: 'required', code: 'required' }));
  return complaints.flatMap((complaint) => {
    const told = toIssues(complaint, isMissing(complaint, args));
    return isOverCredential(told) && tellsExpected(complaint) ? told.map(withoutExpected) : told;
  });
}

function isOverCredential(issues: readonly Issue[]): boolean {
  return issues.some(({ path }) => path.some((step) => typeof step === 'string' && namesSecret(step)));
}

/** Whatever does not only ask for a type or a length may say the very value. */
function tellsExpected({ code, expected, origin, type }: Complaint): boolean {
  if (code === 'unrecognized_keys') return false;
  if (code === 'invalid_type') return typeof expected !== 'string' || !JSON_TYPES.has(expected);
  const isLength = code === 'too_small' || code === 'too_big';
  return !isLength || (origin ?? type) !== 'string';
}

function withoutExpected(issue: Issue): Issue {
  return { ...issue, message: issue.code === 'required' ? 'required' : 'not accepted' };
}
