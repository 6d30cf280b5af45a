/**
 * Handlers that are called inside another one's call. They are a step of it: they hold no place and keep no answer, what
 * they throw is the other's to catch, and that they did nothing says nothing of what was done around them.
 */

import { ofThisAlone } from '../of-this-alone.ts';
import { isThenable } from '../report/hooks.ts';
import type { AnyFunction } from '../shapes.ts';
import { isRecord } from '../words/look.ts';
import { readUnread } from '../words/unread.ts';
import type { Failure } from './failure.ts';

/** What a step came to, and the words that the SDK makes of it where it is called by way of the SDK. */
export interface FailedStep {
  readonly failure: Failure;
  readonly words: string;
}

/** Runs a handler that answers no request, as far as anybody knows. */
export function asItIs(handler: AnyFunction, args: readonly unknown[]): unknown {
  const told = (reason: unknown): never => {
    throw ofThisAlone(reason);
  };
  try {
    const result = handler(...args);
    return isThenable(result) ? result.then(undefined, told) : result;
  } catch (reason) {
    return told(reason);
  }
}

/** Runs a handler as a step of a call that is under way; `note` is told what it fails with. */
export async function asStep(
  run: () => unknown,
  note: (reason: unknown, words: string) => void,
  clock: Parameters<typeof readUnread>[1],
): Promise<unknown> {
  try {
    return await run();
  } catch (reason) {
    await readUnread(reason, clock);
    const told = ofThisAlone(reason);
    note(told, told instanceof Error ? told.message : String(told));
    throw told;
  }
}

/** Is it the result that the SDK makes of what a step has thrown? Nobody wrote those words for a caller. */
export function isOfStep(step: FailedStep | undefined, result: unknown): boolean {
  if (step === undefined || !isRecord(result) || result['isError'] !== true) return false;
  const { content } = result;
  const first: unknown = Array.isArray(content) && content.length === 1 ? content[0] : undefined;
  return isRecord(first) && first['text'] === step.words;
}
