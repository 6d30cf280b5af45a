/**
 * A validator's complaint inside a handler: about the caller's arguments, or about something that the server
 * got elsewhere? Only the first may tell the model to correct its arguments.
 */
import type { Issue } from '@mayday/core';
import { toIssues } from '../boundary/validation.ts';
import { isRecord, look } from './look.ts';

type Path = readonly (string | number)[];

/** The issues of a validator's exception; `undefined` when it is none. */
export function issuesOf(reason: unknown): readonly Issue[] | undefined {
  const issues = look(reason, 'issues');
  if (!Array.isArray(issues) || issues.length === 0) return undefined;
  if (!issues.every((issue) => typeof look(issue, 'message') === 'string')) return undefined;
  return issues.flatMap((issue) => toIssues(issue as Parameters<typeof toIssues>[0]));
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
