/**
 * A validator's complaint inside a handler: about the caller's arguments, or about something that the server
 * got elsewhere? Only the first may tell the model to correct its arguments.
 */
import type { Issue } from '@mayday/core';
import { namesSecret } from '@mayday/core/redact';
import { toIssues } from '../boundary/validation.ts';
import { ajvIssues } from './ajv.ts';
import { isRecord, look } from './look.ts';

type Path = readonly (string | number)[];

/** The issues of a validator's exception; `undefined` when it is none. */
export function issuesOf(reason: unknown): readonly Issue[] | undefined {
  const found = ajvIssues(reason);
  if (found !== undefined)
    return found.map((issue) => {
      const { path, message, code } = issue;
      const told = { path, message, code };
      return isOverCredential([told]) && tellsExpected(issue) ? withoutExpected(told) : told;
    });
  const issues = look(reason, 'issues');
  if (!Array.isArray(issues) || issues.length === 0) return undefined;
  if (!issues.every((issue) => typeof look(issue, 'message') === 'string')) return undefined;
  return issues.flatMap((issue) => {
    const told = toIssues(issue as Parameters<typeof toIssues>[0]);
    return isOverCredential(told) && tellsExpected(issue) ? told.map(withoutExpected) : told;
  });
}

function isOverCredential(issues: readonly Issue[]): boolean {
  return issues.some(({ path }) => path.some((step) => typeof step === 'string' && namesSecret(step)));
}

/** Whatever does not only ask for a type or a length may say the very value. */
function tellsExpected(issue: unknown): boolean {
  const [code, expected] = [look(issue, 'code'), look(issue, 'expected')];
  if (code === 'unrecognized_keys') return false;
  if (code === 'invalid_type') return typeof expected !== 'string' || !JSON_TYPES.has(expected);
  const isLength = code === 'too_small' || code === 'too_big';
  return !isLength || (look(issue, 'origin') ?? look(issue, 'type')) !== 'string';
}

function withoutExpected(issue: Issue): Issue {
  return { ...issue, message: issue.code === 'required' ? 'required' : 'not accepted' };
}

/**
 * Does every issue fit what the caller sent? What is missing there may be missing in a backend's answer just as well:
 * it has to be among the arguments that the tool was listed with, or stand beside an issue with something sent.
 */
export function fitArguments(
  issues: readonly Issue[],
  args: unknown,
  listed: ReadonlySet<string> | undefined,
): boolean {
  if (!issues.every(({ path, code }) => fits(path, code === 'required', args ?? {}))) return false;
  if (listed !== undefined) return issues.every(({ path }) => listed.has(String(path[0])));
  return issues.some(({ code }) => code !== 'required');
}

function fits(path: Path, missing: boolean, args: unknown): boolean {
  if (path.length === 0) return false;
  const parent = at(path.slice(0, -1), args);
  const key = path[path.length - 1] as string | number;
  return isRecord(parent) && missing !== Object.hasOwn(parent, key);
}

function at(path: Path, value: unknown): unknown {
  let current = value;
  for (const key of path) {
    if (!isRecord(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** Is every complaint true of what the caller sent? Then it is over that, whatever else was looked at. */
export function areProven(reason: unknown, args: unknown): boolean {
  return areTrueOf(ajvIssues(reason) ?? look(reason, 'issues'), args);
}

/** Is each of these true of what the caller sent? */
export function areTrueOf(issues: unknown, args: unknown): boolean {
  return Array.isArray(issues) && issues.length > 0 && issues.every((issue) => isTrueOf(issue, args));
}

/** As Zod tells it: a type, a pattern, a limit, a list of values. */
function isTrueOf(issue: unknown, args: unknown): boolean {
  const path = look(issue, 'path');
  const value = Array.isArray(path) ? at(path as Path, args) : undefined;
  if (value === undefined) return false;
  const [expected, pattern, values] = [
    look(issue, 'expected'),
    look(issue, 'pattern'),
    look(issue, 'values'),
  ];
  switch (look(issue, 'code')) {
    case 'invalid_type':
      return typeof expected === 'string' && JSON_TYPES.has(expected) && expected !== typeOf(value);
    case 'invalid_format':
      return typeof value === 'string' && typeof pattern === 'string' && !fitsPattern(value, pattern);
    case 'too_small':
      return isBeyond(look(issue, 'minimum'), sizeOf(value), look(issue, 'inclusive'));
    case 'too_big':
      return isBeyond(sizeOf(value), look(issue, 'maximum'), look(issue, 'inclusive'));
    case 'invalid_value':
      return Array.isArray(values) && !values.includes(value);
    default:
      return false;
  }
}

function sizeOf(value: unknown): unknown {
  return typeof value === 'string' ? value.length : typeof value === 'number' ? value : look(value, 'length');
}

function isBeyond(larger: unknown, limit: unknown, inclusive: unknown): boolean {
  if (typeof larger !== 'number' || typeof limit !== 'number') return false;
  return larger > limit || (inclusive === false && larger === limit);
}

const JSON_TYPES: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'object', 'array', 'null']);

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const LONGEST_VALUE = 200;

/** A pattern as it is printed: `/^a$/u`. What is too long for it is not tried. */
function fitsPattern(value: string, printed: string): boolean {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(printed) ?? [];
  if (source === undefined || value.length > LONGEST_VALUE) return true;
  try {
    return new RegExp(source, flags).test(value);
  } catch {
    return true; // no pattern: nothing is proven
  }
}
