/**
 * The parts of a fault as they have to be, whatever was given for them: JavaScript has no types, and whoever reports a
 * failure must not meet another one. What is right already stays the same object; what can be understood is put
 * right; the rest is as good as absent. Nothing here throws.
 */
import type { Issue, Json, JsonObject, Native, Retry, Subject } from './fault.ts';
import { pathFrom } from './issue-path.ts';
import { bytesIn, isRecord, member, toJsonObject } from './json.ts';
import { type RetryWhen, WHENS } from './kinds.ts';

/** The value, if it is one of these. */
export function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  return typeof value === 'string' && allowed.includes(value as T) ? (value as T) : undefined;
}

/** A text, if it is one. */
export function textFrom(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A text, or the number that was given in its place. */
export function labelFrom(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : textFrom(value);
}

/** An ISO time, from a text or a date. */
export function timeFrom(value: unknown): string | undefined {
  if (typeof value !== 'object' || !(value instanceof Date)) return textFrom(value);
  return Number.isFinite(value.getTime()) ? value.toISOString() : undefined;
}

/** A subject; a word alone is its type, a number an identifier. */
export function subjectFrom(value: unknown): Subject | undefined {
  if (typeof value === 'string') return value === '' ? undefined : { type: value };
  if (!isRecord(value)) return undefined;
  if (isSubject(value)) return value;
  const type = labelFrom(member(value, 'type'));
  if (type === undefined) return undefined;
  const id = labelFrom(member(value, 'id'));
  return subjectOf(type, id);
}

/** A thing of a type, by its identifier where it has one. */
export function subjectOf(type: string, id: string | undefined): Subject {
  return id === undefined ? { type } : { type, id };
}

function isSubject(value: object): value is Subject {
  try {
    const { type, id } = value as Partial<Subject>;
    if (typeof type !== 'string' || (id !== undefined && typeof id !== 'string')) return false;
    return hasOnly(value, id === undefined ? 1 : 2);
  } catch {
    return false; // a getter or a proxy that throws
  }
}

/** Is it plain data with so many members? If all that it may have are right, it can stay what it is. */
function hasOnly(value: object, members: number): boolean {
  return Object.keys(value).length === members && isPlainObject(value);
}

/** To ask a value for its prototype takes several times as long as all the rest. */
function isPlainObject(value: object): boolean {
  return value.constructor === Object || Object.getPrototypeOf(value) === Object.prototype;
}

const NO_ISSUES: readonly Issue[] = [];
const MAX_ISSUES = 1000;

/** Issues; a word alone is one without a path, and what says nothing is none. */
export function soundIssues(value: unknown): readonly Issue[] {
  if (value === undefined) return NO_ISSUES;
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (given.length === 0) return Array.isArray(value) ? value : NO_ISSUES;
  const issues: Issue[] = [];
  for (const item of given.slice(0, MAX_ISSUES)) {
    const issue = issueFrom(item);
    if (issue !== undefined) issues.push(issue);
  }
  const isAsGiven = value === given && issues.length === given.length;
  return isAsGiven && issues.every((issue, at) => issue === given[at]) ? (given as Issue[]) : issues;
}

/** What an issue is about, when nobody says what is wrong there. */
const NO_WORDS = 'invalid';

function issueFrom(value: unknown): Issue | undefined {
  if (typeof value === 'string') return value === '' ? undefined : { path: [], message: value };
  if (!isRecord(value)) return undefined;
  const given = member(value, 'path');
  const path = isPath(given) ? given : pathFrom(given);
  const code = labelFrom(member(value, 'code'));
  const said = labelFrom(member(value, 'message')) ?? code;
  if (said === undefined && path.length === 0) return undefined;
  const message = said ?? NO_WORDS;
  const issue: Issue = code === undefined ? { path, message } : { path, message, code };
  return isSame(value, issue) ? (value as unknown as Issue) : issue;
}

function isPath(value: unknown): value is readonly (string | number)[] {
  return (
    Array.isArray(value) &&
    value.every((part) => typeof part === 'string' || (typeof part === 'number' && Number.isFinite(part)))
  );
}

/** What is said about another try; whoever asks may put it right. */
type RetryHints = { -readonly [K in keyof Retry]?: Retry[K] };

/** What is said about another try, without what is no such thing. */
export function retryHints(value: unknown): RetryHints | undefined {
  if (!isRecord(value)) return undefined;
  try {
    return hintsIn(value);
  } catch {
    const names = ['when', 'afterMs', 'maxAttempts', 'backoff', 'jitter']; // one of the members threw
    return hintsIn(Object.fromEntries(names.map((name) => [name, member(value, name)])));
  }
}

const BACKOFFS = ['fixed', 'exponential'] as const;

function hintsIn(given: { readonly [K in keyof Retry]?: unknown }): RetryHints {
  const hints: RetryHints = {};
  const when = oneOf<RetryWhen>(given.when, WHENS);
  const afterMs = wholeMs(given.afterMs);
  const { maxAttempts, jitter } = given;
  const backoff = oneOf(given.backoff, BACKOFFS);
  if (when !== undefined) hints.when = when;
  if (afterMs !== undefined) hints.afterMs = afterMs;
  if (isAtLeastZero(maxAttempts)) hints.maxAttempts = Math.floor(maxAttempts);
  if (backoff !== undefined) hints.backoff = backoff;
  if (isAtLeastZero(jitter) && jitter < 1) hints.jitter = jitter;
  return hints;
}

function isAtLeastZero(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** Waits are whole milliseconds, rounded up so that nobody wakes early; nonsense is no wait at all. */
function wholeMs(value: unknown): number | undefined {
  return isAtLeastZero(value) ? Math.ceil(value) : undefined;
}

/** Plain data: what JSON would make of the details. */
export function detailsFrom(value: unknown): JsonObject | undefined {
  if (!isRecord(value)) return undefined;
  if (isPlain(value)) return value as JsonObject;
  try {
    const data: unknown = JSON.parse(JSON.stringify(value, asText));
    return isRecord(data) ? (data as JsonObject) : undefined;
  } catch {
    return toJsonObject(value); // a cycle, or a getter that throws: what can be had of it
  }
}

function asText(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return ArrayBuffer.isView(value) ? bytesIn(value) : value;
}

/** What a dialect said; without its name it is nobody's. */
export function nativeFrom(value: unknown, waitMs: number | undefined): Native | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const native = isNative(value) ? value : nativeIn(value);
  return native !== undefined && isAtLeastZero(waitMs) ? { ...native, waitMs } : native;
}

function isNative(value: object): value is Native {
  try {
    const { dialect, code, message, extra, raw, waitMs } = value as Partial<Native>;
    if (typeof dialect !== 'string') return false;
    let members = 1;
    if (code !== undefined && ++members && !isOfNative('code', code)) return false;
    if (message !== undefined && ++members && typeof message !== 'string') return false;
    if (extra !== undefined && ++members && !isOfNative('extra', extra)) return false;
    if (raw !== undefined && ++members && typeof raw !== 'string') return false;
    if (waitMs !== undefined && ++members && !isAtLeastZero(waitMs)) return false;
    return hasOnly(value, members);
  } catch {
    return false; // a getter or a proxy that throws
  }
}

function isOfNative(name: string, value: unknown): boolean {
  switch (name) {
    case 'dialect':
    case 'message':
    case 'raw':
      return typeof value === 'string';
    case 'code':
      return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
    case 'extra':
      return isRecord(value) && isPlain(value);
    default:
      return name === 'waitMs' && isAtLeastZero(value);
  }
}

const OF_NATIVE: readonly (keyof Native)[] = ['dialect', 'code', 'message', 'extra', 'raw', 'waitMs'];

/** All of it that is right, or can be put right. */
function nativeIn(value: object): Native | undefined {
  const native: { -readonly [K in keyof Native]?: unknown } = {};
  for (const name of OF_NATIVE) {
    const given = member(value, name);
    const right = name === 'extra' ? detailsFrom(given) : given;
    if (isOfNative(name, right)) native[name] = right;
  }
  return native.dialect === undefined ? undefined : (native as Native);
}

const DEEPEST = 32;
const MAX_NODES = 10_000;

/** Is it plain data already? */
function isPlain(value: object): boolean {
  try {
    return walk(value, DEEPEST, { left: MAX_NODES });
  } catch {
    return false; // a getter or a proxy that throws
  }
}

function walk(value: unknown, depth: number, budget: { left: number }): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth === 0 || --budget.left < 0) return false;
  if (Array.isArray(value)) {
    // By number: a hole is nothing that could be sent.
    for (let at = 0; at < value.length; at++) if (!walk(value[at], depth - 1, budget)) return false;
    return true;
  }
  if (!isPlainObject(value) && Object.getPrototypeOf(value) !== null) return false;
  const members = value as { readonly [key: string]: Json };
  for (const key of Object.keys(members)) if (!walk(members[key], depth - 1, budget)) return false;
  return true;
}

/** Has it the same members with the same values, and no others? */
export function isSame(value: object, made: object): boolean {
  try {
    const names = Object.keys(made);
    if (Object.keys(value).length !== names.length) return false;
    for (const name of names)
      if (!Object.hasOwn(value, name) || member(value, name) !== member(made, name)) return false;
    return true;
  } catch {
    return false; // a proxy that does not tell its members
  }
}
