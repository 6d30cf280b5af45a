/** Policies, and how they are put together. */

import { makeFault } from '@mayday/core';
import { CALLED, type Call, executedSoFar, type Progress, worse } from './call.ts';
import { isFunction, needed } from './check.ts';
import type { Outcome } from './outcome.ts';
import { inOneGo, type Passing, stepOf } from './passing.ts';

/** Takes a call to its outcome. It does not throw: whatever goes wrong is an outcome. */
export type Handler<T, C extends Call = Call> = (call: C) => Promise<Outcome<T>>;

/** Stands around a handler: may refuse the call, change it, repeat it, or look at what becomes of it. */
export type Policy<T, C extends Call = Call> = (next: Handler<T, C>) => Handler<T, C>;

/** What answers at once or later: a store in memory, or one that is somewhere else. */
export type Awaitable<T> = T | Promise<T>;

/**
 * One handler out of a list of policies, the first one outermost, and what they stand around.
 *
 * @example
 * const handle = compose([deadline({ ms: 5000, clock }), retry({ clock, random }), circuit(circuits)], send);
 */
export function compose<T, C extends Call>(
  policies: readonly Policy<T, C>[],
  innermost: Handler<T, C>,
): Handler<T, C> {
  for (const [at, policy] of policies.entries())
    needed(`policy ${at + 1} of \`compose\``, policy, 'a function', isFunction);
  let next = innermost;
  /** Those in a row, the outermost first. */
  let row: Passing<T, C>[] = [];
  for (const policy of policies.toReversed()) {
    const step = stepOf(policy);
    if (step !== undefined) row = [step, ...row];
    else {
      next = policy(noting(row.length === 0 ? next : inOneGo(row, next)));
      row = [];
    }
  }
  return inOneGo<T, C>(row, next, brokenDown);
}

/** The same handler; whoever calls it may forget to wait for it. */
function noting<T, C extends Call>(next: Handler<T, C>): Handler<T, C> {
  return (call) => {
    const progress: Progress | undefined = call?.progress;
    const before = progress?.[CALLED];
    const outcome = next(call);
    // Unless somebody further in has called already.
    if (typeof progress === 'object' && progress[CALLED] === before) progress[CALLED] = outcome;
    return outcome;
  };
}

/** A policy or a store with a defect must not leave a call without an outcome. */
async function brokenDown<T, C extends Call>({ progress }: C, thrown: unknown): Promise<Outcome<T>> {
  const message = 'The call could not be handled';
  const soFar = executedSoFar(progress);
  const executed = (await isUnderWay(progress)) ? worse('maybe', soFar) : soFar;
  return { ok: false, fault: makeFault({ kind: 'internal', origin: 'local', executed, message }), thrown };
}

/** Does the call go on behind a policy that has not waited for it? It may be made yet. */
async function isUnderWay(progress: Progress): Promise<boolean> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  const called = progress[CALLED];
  if (!(called instanceof Promise)) return false;
  called.then(over, over);
  await Promise.resolve(); // by now one that has ended has said so
  return !isOver;
}
