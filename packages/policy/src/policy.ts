/** Policies, and how they are put together. */
import { makeFault } from '@mayday/core';
import { type Call, executedSoFar } from './call.ts';
import type { Outcome } from './outcome.ts';

/** Takes a call to its outcome. It does not throw: whatever goes wrong is an outcome. */
export type Handler<T, C extends Call = Call> = (call: C) => Promise<Outcome<T>>;

/** Stands around a handler: may refuse the call, change it, repeat it, or look at what becomes of it. */
export type Policy<T, C extends Call = Call> = (next: Handler<T, C>) => Handler<T, C>;

/** Looks at what became of a call, and says what becomes of it. */
export type After<T, C extends Call = Call> = (outcome: Outcome<T>, call: C) => Awaitable<Outcome<T>>;

const AFTER: unique symbol = Symbol('after');

/** A policy that only looks at outcomes. Several in a row wait for the call together, so that each costs little. */
export function after<T, C extends Call>(look: After<T, C>): Policy<T, C> {
  const policy: Policy<T, C> = (next) => waiting(next, [look]);
  return Object.assign(policy, { [AFTER]: look });
}

function waiting<T, C extends Call>(next: Handler<T, C>, looks: readonly After<T, C>[]): Handler<T, C> {
  return async (call) => {
    let outcome = await next(call);
    for (const look of looks) {
      const seen = look(outcome, call);
      outcome = seen instanceof Promise ? await seen : seen;
    }
    return outcome;
  };
}

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
  let next = innermost;
  /** Those in a row, the innermost first. */
  let looks: After<T, C>[] = [];
  for (const policy of policies.toReversed()) {
    const look = (policy as { [AFTER]?: After<T, C> })[AFTER];
    if (look !== undefined) looks.push(look);
    else {
      next = policy(looks.length === 0 ? next : waiting(next, looks));
      looks = [];
    }
  }
  return safely(looks.length === 0 ? next : waiting(next, looks));
}

/** A policy or a store with a defect must not leave a call without an outcome. */
function safely<T, C extends Call>(handle: Handler<T, C>): Handler<T, C> {
  return async (call) => {
    try {
      return await handle(call);
    } catch (thrown) {
      const message = 'The call could not be handled';
      const executed = executedSoFar(call.progress);
      return {
        ok: false,
        fault: makeFault({ kind: 'internal', origin: 'local', executed, message }),
        thrown,
      };
    }
  };
}
