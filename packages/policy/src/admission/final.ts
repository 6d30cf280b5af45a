/** What a failure is to whoever asks again under its key. */
import { type Fault, makeFault } from '@mayday/core';
import { CAUTION } from '@mayday/core/render';
import type { Outcome } from '../outcome.ts';

/** Under its key a failure stays what it is; only a new call, after a look at the state of things, can help. */
export function finalUnderKey(kept: Fault): Fault {
  if (kept.executed === 'no') return kept;
  // Of what was certainly executed nobody says that it only may have been.
  const advice = kept.executed === 'yes' ? undefined : CAUTION;
  if (!kept.retryable) return makeFault({ ...kept, advice: kept.advice ?? advice });
  return makeFault({ ...kept, advice, retryable: false, reaction: undefined, retry: { when: 'never' } });
}

/**
 * An answer that was given before. A failure does not pass by asking again: nothing is executed under its key, unless that was
 * left free (`isFree`).
 */
export function again<T>(outcome: Outcome<T>, isFree = false): Outcome<T> {
  if (outcome.ok) return { ok: true, value: outcome.value, replayed: true };
  const { fault, value, answered } = outcome;
  return { ok: false, fault: isFree ? fault : finalUnderKey(fault), value, answered, replayed: true };
}

/** Does the outcome leave its key free: was nothing executed, or may the failure pass where a second call does no harm? */
export function leavesKeyFree(outcome: Outcome<unknown>, isHarmless: boolean): boolean {
  if (outcome.ok) return false;
  return outcome.fault.executed === 'no' || (isHarmless && outcome.fault.retryable);
}

/** Nobody heard how the first call ended. */
export function unknownEnd(): Fault {
  const message = 'The first call with this idempotency key never reported back; it may have been executed';
  return makeFault({
    kind: 'disconnected',
    executed: 'maybe',
    retryable: false,
    subject: { type: 'key' },
    message,
  });
}

/** It ended, and its answer is gone. */
export function notKept(): Fault {
  const message = 'The call with this idempotency key has been made; its answer was not kept';
  return makeFault({ kind: 'conflict', executed: 'yes', subject: { type: 'key' }, message });
}

/** Could the key not be looked up? Then nothing is known of an earlier call under it. */
export function isKeyUnknown(outcome: Outcome<unknown>): boolean {
  if (outcome.ok || outcome.refused?.by !== 'idempotency') return false;
  return outcome.fault.kind === 'unavailable' || outcome.fault.kind === 'overloaded';
}
