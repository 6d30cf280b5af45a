/** What does not fit of some arguments. Large integers may come as text: many callers cannot say them otherwise. */
import type { Issue } from '@mayday/core';
import { digitsOf, rounded } from './exact-json.ts';
import type { Validator } from './validate.ts';

/** Each round takes some fifty texts for numbers, and costs what the arguments cost. */
const MAX_ROUNDS = 20;

/** The issues of arguments. Where a number is wanted, and a text has all the digits of a large one, that becomes it. */
export function fit(args: unknown, validate: Validator, size: number): readonly Issue[] {
  let issues = validate(rounded(args), size);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const mended = issues.filter((issue) => takeNumber(args, issue));
    if (mended.length === 0) break;
    issues = validate(rounded(args), size);
  }
  return issues;
}

/** What a text has to be, to be taken for a number. */
export const LARGE_INTEGER: RegExp = /^-?[1-9]\d{15,}$/;
const WANTS_NUMBER = /\bmust be [a-z,]*(?:integer|number)\b/i;

function takeNumber(args: unknown, { path, message }: Issue): boolean {
  const key = path.at(-1);
  const parent = path.slice(0, -1).reduce(memberOf, args);
  const said = key === undefined ? undefined : memberOf(parent, key);
  if (typeof said !== 'string' || !LARGE_INTEGER.test(said) || !WANTS_NUMBER.test(message)) return false;
  (parent as { [key: string | number]: unknown })[key ?? ''] = digitsOf(said);
  return true;
}

function memberOf(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null
    ? (value as { readonly [key: string | number]: unknown })[key]
    : undefined;
}
