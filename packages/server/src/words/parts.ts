/**
 * What an exception was made of: several in one, or what a validator or a plain sentence behind it says. Its own words
 * often say only that something was wrong (`Validation failed`), and those behind them what.
 */
import { type Fault, FaultError, KINDS, makeFault } from '@mayday/core';
import { isOfValidator } from './arguments.ts';
import { isPlain } from './causes.ts';
import { clip } from './clip.ts';
import { describe } from './describe.ts';
import type { FromException } from './exception.ts';
import { look } from './look.ts';

const MOST_PARTS = 10;
const DEEPEST = 4;

/** How it was judged by itself, with what may be told of its parts. */
export function withParts(
  told: FromException,
  reason: unknown,
  tell: (part: unknown) => FromException,
  { maxTextLength, safely }: { readonly maxTextLength: number; readonly safely: (text: string) => string },
): FromException {
  const parts = [...severalIn(reason), ...causesTold(reason)];
  if (parts.length === 0) return told;
  const inner = parts.map(tell).filter(({ masked }) => !masked);
  const { fault } = told.thrown;
  // Where one of several is the operator's, nobody knows which of them made it fail.
  const isWhole = inner.length === parts.length && fault.kind === 'internal';
  if (inner.length === 0 || (told.masked && !isWhole)) return told;
  const faults = inner.map(({ thrown }) => thrown.fault);
  const issues = [...fault.issues, ...faults.flatMap((one) => one.issues)];
  const message = joined(told.masked ? '' : fault.message, faults);
  const isInvalid = faults.some(({ kind }) => kind === 'invalid_arguments');
  const [first = fault] = faults;
  const base = told.masked ? first : fault;
  const kind = isInvalid ? 'invalid_arguments' : base.kind;
  const made = makeFault({
    ...(kind === base.kind ? base : { kind }),
    ...(message === '' ? {} : { message: clip(message, maxTextLength, safely) }),
    issues: issues.slice(0, MOST_ISSUES),
  });
  return { ...told, thrown: new FaultError(made, { cause: reason }), masked: false };
}

const MOST_ISSUES = 20;

/** The words of the parts behind those of the whole. A validator's have none of their own beside what is said of each field. */
function joined(own: string, faults: readonly Fault[]): string {
  const words = faults
    .filter(({ kind, message }) => message !== KINDS[kind].title)
    .map(({ message }) => message);
  const untold = [...new Set(words)].filter((one) => !own.includes(endOf(one))).join('; ');
  if (own === '' || untold === '') return own + untold;
  return `${own.replace(/[.:;]\s*$/, '')}: ${untold}`;
}

/** What a wrapper says comes first, and what happened last. */
function endOf(words: string): string {
  return words.split(': ').at(-1) as string;
}

/** Several in one; of several that are several themselves nobody could tell it in a sentence. */
export function severalIn(reason: unknown): readonly unknown[] {
  const several = isSeveral(reason) ? look(reason, 'errors') : undefined;
  if (!Array.isArray(several) || several.length > MOST_PARTS) return [];
  return several.some(isSeveral) ? [] : several;
}

function isSeveral(reason: unknown): boolean {
  return describe(reason).name === 'AggregateError';
}

/** Causes that are nothing but a sentence, or a validator's. */
function causesTold(reason: unknown): readonly unknown[] {
  const found: unknown[] = [];
  let next = look(reason, 'cause');
  for (let depth = 0; depth < DEEPEST && next !== undefined; depth += 1) {
    const isValidators = isOfValidator(next);
    if (!isValidators && !isPlain(next)) break;
    found.push(next);
    next = isValidators ? undefined : look(next, 'cause');
  }
  return found;
}
