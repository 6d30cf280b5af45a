/**
 * The plan: fault + call + history → try again or not, when, and why.
 *
 * Pure: it has no clock, no randomness and no memory of its own. It answers for one call; what many calls
 * may do together (budgets, circuit breakers) is decided by whoever asks.
 */
import type { Fault } from '../fault.ts';
import { isKind, type Kind } from '../kinds.ts';
import { type PlannedCall, safetyOf } from './call.ts';
import { type PlanOptions, planLimits } from './options.ts';
import { waitAfter } from './wait.ts';

/** What has happened to the call so far. */
export interface PlanHistory {
  /** Attempts made, the failed one included. */
  readonly attempt: number;
  /** What is left of the call's deadline. */
  readonly remainingMs?: number | undefined;
  /** The count that a caller above sent with the call: it retries, so nobody below it does. */
  readonly attemptAbove?: number | undefined;
}

/** Which rule decided. */
export type PlanRule =
  | 'retry'
  | 'not_retryable'
  | 'retry_if'
  | 'would_repeat'
  | 'attempts_used'
  | 'retried_above'
  | 'wait_too_long'
  | 'deadline';

/** What to do after a failed attempt. */
export interface Plan {
  readonly retry: boolean;
  /** Whole milliseconds to wait first; 0 when there is no further attempt. */
  readonly afterMs: number;
  /** Why, as a sentence. */
  readonly reason: string;
  readonly rule: PlanRule;
  /** A further attempt could do no harm, whether or not there is one. */
  readonly safe: boolean;
}

/**
 * Decides what follows a failed attempt. A further one is made only when the fault, or `retryIf`, allows it, it can
 * do no harm, attempts and time are left, and no caller above retries already.
 *
 * @example
 * plan(fault, { readOnly: true }, { attempt: 1 });
 * // { retry: true, afterMs: 50, reason: 'Attempt 2 of 3 follows in 50 ms: unavailable, and …', … }
 */
export function plan(fault: Fault, call: PlannedCall, history: PlanHistory, options?: PlanOptions): Plan {
  const limits = planLimits(options);
  const { attempt } = history;
  if (!Number.isSafeInteger(attempt) || attempt < 1) {
    throw new TypeError(`Expected \`attempt\` to be a positive integer, got ${String(attempt)}`);
  }
  const { safe, because } = safetyOf(call, fault.executed);
  const stop = (rule: PlanRule, reason: string): Plan => ({ retry: false, afterMs: 0, reason, rule, safe });

  const judged = limits.retryIf?.(fault, call);
  if (judged === false)
    return stop('retry_if', `Not tried again: retryIf says that ${worded(fault.kind)} does not pass`);
  if (judged !== true && !fault.retryable) return stop('not_retryable', whyNotRetryable(fault.kind));
  const kind = worded(fault.kind);
  if (!safe)
    return stop('would_repeat', `Not tried again: after ${kind}, ${because}, and it could happen twice`);
  if (history.attemptAbove !== undefined) {
    return stop(
      'retried_above',
      'Not tried again here: the caller above counts the attempts and retries itself',
    );
  }
  const allowed = attemptsAllowed(fault, limits.attempts);
  if (attempt >= allowed) {
    const outage = fault.reaction === 'dependency' ? '; treat it as an outage' : '';
    const used = attempt === 1 ? 'The one attempt is used' : `All ${attempt} attempts are used`;
    const why = attempt < limits.attempts ? 'Not tried again: the server asks for no more attempts' : used;
    return stop('attempts_used', `${why}${outage}`);
  }
  const afterMs = waitAfter(fault, attempt, limits);
  if (afterMs > limits.maxWaitMs) {
    const asked = fault.retry.afterMs ?? 0;
    const wait =
      asked > limits.maxWaitMs ? `the server asks to wait ${asked} ms` : `the wait would be ${afterMs} ms`;
    return stop(
      'wait_too_long',
      `Not tried again: ${wait}, longer than the ${limits.maxWaitMs} ms that are waited for`,
    );
  }
  const { remainingMs } = history;
  if (remainingMs !== undefined && !(afterMs < remainingMs)) {
    const left = Math.max(0, Math.floor(remainingMs) || 0);
    return stop('deadline', `Not tried again: the wait of ${afterMs} ms does not fit in the ${left} ms left`);
  }
  const reason = `Attempt ${attempt + 1} of ${allowed} follows in ${afterMs} ms: ${kind}, and ${because}`;
  return { retry: true, afterMs, reason, rule: 'retry', safe };
}

/** Most failures do not pass, and there are few kinds of them: each has its sentence once. */
const NOT_RETRYABLE: Map<Kind, string> = new Map();

function whyNotRetryable(kind: Kind): string {
  const known = NOT_RETRYABLE.get(kind);
  if (known !== undefined) return known;
  const reason = `Not tried again: ${worded(kind)} does not pass by repeating the same call`;
  if (isKind(kind)) NOT_RETRYABLE.set(kind, reason);
  return reason;
}

function worded(kind: Kind): string {
  return kind.replaceAll('_', ' ');
}

/** A server's soft cap counts further attempts; ours counts all of them. The smaller one holds. */
function attemptsAllowed(fault: Fault, own: number): number {
  const further = fault.retry.maxAttempts;
  if (further === undefined || !Number.isFinite(further) || further < 0) return own;
  return Math.min(own, 1 + Math.floor(further));
}
