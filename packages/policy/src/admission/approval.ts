/** Calls that a person must consent to: each consent is for one call, with exactly these arguments, once. */
import { type Fault, makeFault } from '@mayday/core';
import { digestIn } from '../answers.ts';
import type { Call } from '../call.ts';
import { isFunction, isObject, milliseconds, needed, type OptionNames, onlyKnown } from '../check.ts';
import { type Clock, systemClock } from '../clock.ts';
import { isPromise } from '../events.ts';
import { canonicalJson, fingerprintOf } from '../fingerprint.ts';
import { type Outcome, type Refusal, refuse } from '../outcome.ts';
import type { Awaitable, Policy } from '../policy.ts';
import { sha256 } from '../sha256.ts';
import type { Approval, ApprovalStore } from './approval-store.ts';

/** Which calls need a person's consent. */
export interface ApprovalOptions<C extends Call = Call> {
  /** The targets, or a function that says. */
  readonly targets: readonly string[] | ((call: C) => boolean);
  readonly store: ApprovalStore;
  /** How long a request waits for a person, and a consent for its call. Default 1 h. */
  readonly ttlMs?: number | undefined;
  /** The digest of what the call asks for. By default of upstream, method, target and canonical arguments. */
  readonly fingerprint?: ((call: C) => string) | undefined;
  /** What refusals call it, as part of a sentence: `the tool pay`. Its target, if absent. */
  readonly name?: ((call: C) => string) | undefined;
  readonly clock?: Pick<Clock, 'now'> | undefined;
}

const OPTIONS: OptionNames<ApprovalOptions> = {
  targets: true,
  store: true,
  ttlMs: true,
  fingerprint: true,
  name: true,
  clock: true,
};

/** A call that may go on: consent that it has taken, if it needed any. */
export interface ApprovalPass {
  /** The request that was consented to; absent where none was needed. */
  readonly id?: string | undefined;
  /** Tells the store whether the call was made, or may have been. To be called once, whatever became of it. */
  settle(wasMade: boolean): Awaitable<void>;
}

/** Asks for consent: a pass, or a refusal. Answers at once where the store does. */
export type AskApproval<C extends Call = Call> = (call: C) => Awaitable<ApprovalPass | Refusal>;

/** Holds back calls that a person must consent to, with `approval_required` and the request's id. */
export function approval<T, C extends Call>(options: ApprovalOptions<C>): Policy<T, C> {
  onlyKnown<ApprovalOptions<C>>('`approval`', options, OPTIONS);
  const ask = approvalDesk(options);
  return (next) => async (call) => {
    const answer = await ask(call);
    if ('fault' in answer) return refuse(answer);
    let outcome: Outcome<T> | undefined;
    try {
      outcome = await next(call);
      return outcome;
    } finally {
      await answer.settle(outcome === undefined || outcome.ok || outcome.fault.executed !== 'no');
    }
  };
}

/** The same for whoever drives calls without the composition. */
export function approvalDesk<C extends Call>(options: ApprovalOptions<C>): AskApproval<C> {
  const isTargets = (given: unknown): boolean => Array.isArray(given) || isFunction(given);
  needed('`targets`', options.targets, 'a list or a function', isTargets);
  needed('`store`', options.store, 'an object', isObject);
  const { targets, store, fingerprint = fingerprintOf, name, clock = systemClock } = options;
  const ttlMs = milliseconds('ttlMs', options.ttlMs, 3_600_000);
  const isNeeded = typeof targets === 'function' ? targets : (call: C) => targets.includes(call.target ?? '');
  const decide = (found: Approval, called: string): ApprovalPass | Refusal =>
    found.state === 'claimed' ? taken(store, found.id) : { fault: refusalOf(found, called), by: 'approval' };
  const failed = (cause: unknown): Refusal => {
    const told = {
      kind: 'unavailable',
      origin: 'local',
      executed: 'no',
      message: 'Approvals cannot be asked for now',
    } as const;
    return { fault: makeFault(told), by: 'approval', reason: String(cause) };
  };
  return (call) => {
    if (!isNeeded(call)) return FREE;
    const { caller, upstream, target = call.method ?? 'tools/call' } = call;
    const called = name?.(call) ?? target;
    try {
      const bound = sha256(canonicalJson([caller ?? null, digestIn(fingerprint(call))]));
      const asked = { fingerprint: bound, caller, upstream, target, arguments: call.arguments };
      const found = store.claim({ ...asked, now: clock.now(), ttlMs });
      return isPromise(found)
        ? Promise.resolve(found)
            .then((one) => decide(one, called))
            .catch(failed)
        : decide(found, called);
    } catch (cause) {
      return failed(cause);
    }
  };
}

const FREE: ApprovalPass = { settle: () => undefined };

function taken(store: ApprovalStore, id: string): ApprovalPass {
  return {
    id,
    async settle(wasMade) {
      try {
        await (wasMade ? store.confirm(id) : store.release(id));
      } catch {
        // A consent whose use could not be noted stays taken: it is good for nothing more.
      }
    },
  };
}

function refusalOf(found: Exclude<Approval, { state: 'claimed' }>, called: string): Fault {
  const executed = 'no';
  const begins = called.startsWith('the ') ? `T${called.slice(1)}` : called;
  if (found.state === 'full') {
    const message = `${begins} requires approval, and too many requests are waiting already`;
    return makeFault({ kind: 'overloaded', executed, message });
  }
  const { id, state } = found;
  const details = { approval_id: id };
  if (state === 'rejected') {
    const message = `The call to ${called} was not approved (request ${id})`;
    return makeFault({ kind: 'forbidden', executed, message, details });
  }
  if (state === 'taken') {
    const message = `The approval of ${called} (request ${id}) is being used by another call`;
    return makeFault({ kind: 'conflict', executed, message, details });
  }
  const message = `${begins} requires approval (request ${id})`;
  return makeFault({ kind: 'approval_required', executed, message, details });
}
