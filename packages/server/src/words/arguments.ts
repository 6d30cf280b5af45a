/**
 * A validator's complaint inside a handler: about the caller's arguments, or about something that the server
 * got elsewhere? Only the first may tell the model to correct its arguments.
 */
import type { Issue } from '@mayday/core';
import { namesSecret } from '@mayday/core/redact';
import { toIssues } from '../boundary/validation.ts';
import type { Complaint } from './complaint.ts';
import { complaintsOf } from './complaints.ts';
import { momentOf } from './first-step.ts';
import { isRecord } from './look.ts';
import { JSON_TYPES } from './proof.ts';
import { argumentGiven } from './scalars.ts';
import { type JsonSchema, memberOf, requiredIn } from './tool-schema.ts';
import { decides, isAbsent, isLikely, judge, type Verdict } from './verdict.ts';

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

/** Whose a validator's exception is; `undefined` when it is none. */
export function judgeValidator(reason: unknown, sent: Sent): OfValidator | undefined {
  const complaints = complaintsOf(reason);
  if (complaints === undefined) return undefined;
  const { arguments: args, unchecked = false } = sent;
  const schema = sent.schema?.();
  const about = { unchecked, moment: momentOf(reason) };
  const verdictsOn = (value: unknown, of: JsonSchema | undefined): readonly Verdict[] =>
    complaints.map((complaint) => judge(complaint, value, of, about.moment));
  if (decides(verdictsOn(args, schema), about)) return { own: issuesOf(complaints, args, schema) };
  const member = membersOf(args, schema).find(([, value, of]) => {
    const verdicts = verdictsOn(value, of).map((verdict, index) => inMember(verdict, complaints[index]));
    // Many things lack a member: of one among the arguments, something has to be more than possible.
    return verdicts.some(isLikely) && decides(verdicts, about);
  });
  const name = member?.[0] ?? argumentGiven(complaints, args, schema);
  // Its words are not asked: they would be read as the caller's, and quote what the backend answered.
  if (name === undefined) return { own: provenOf(complaints, verdictsOn(args, schema), { args, schema }) };
  const moved = complaints.map((complaint) => ({ ...complaint, path: [name, ...complaint.path] }));
  return { own: issuesOf(moved, args, schema) };
}

/**
 * What is proven, where the rest may be true. What is certainly said of something else makes all of it doubtful; but of a
 * model's record, each field has come from somewhere else.
 */
function provenOf(
  complaints: readonly Complaint[],
  verdicts: readonly Verdict[],
  { args, schema }: { readonly args: unknown; readonly schema: JsonSchema | undefined },
): readonly Issue[] | undefined {
  if (verdicts.some((verdict, at) => verdict === 'no' && complaints[at]?.ofModel !== true)) return undefined;
  const proven = complaints.filter((_, at) => verdicts[at] === 'proven');
  return proven.length === 0 ? undefined : issuesOf(proven, args, schema);
}

type Member = readonly [name: string, value: unknown, schema: JsonSchema | undefined];
const MOST_MEMBERS = 100;

/** Arguments that hold members themselves, also as JSON in a text. */
function membersOf(args: unknown, schema: JsonSchema | undefined): readonly Member[] {
  if (!isRecord(args)) return [];
  const members = Object.entries(args).map(([name, value]) => [name, parsed(value)] as const);
  return members
    .filter(([, value]) => isRecord(value) && !Array.isArray(value))
    .slice(0, MOST_MEMBERS)
    .map(([name, value]) => [name, value, memberOf(schema, name)]);
}

const LONGEST_JSON = 100_000;

function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > LONGEST_JSON || !/^\s*\{/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value; // no JSON: a text like any other
  }
}

/** Names that nobody knows, and all of which one argument has, are that argument's. */
function inMember(verdict: Verdict, complaint: Complaint | undefined): Verdict {
  return verdict === 'likely' && complaint?.keys !== undefined ? 'proven' : verdict;
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
    const told = toIssues(complaint, isAbsent(complaint, args));
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
