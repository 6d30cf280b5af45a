/** What a failure is to whoever asks again under its key. */
import { type Fault, makeFault } from '@mayday/core';
import { CAUTION } from '@mayday/core/render';
import type { Outcome } from '../outcome.ts';

/** Under its key a failure stays what it is; only a new call, after a look at the state of things, can help. */
export function finalUnderKey(kept: Fault): Fault {
  if (kept.executed === 'no') return kept;
  if (!kept.retryable) return makeFault({ ...kept, advice: kept.advice ?? CAUTION });
  return makeFault({
    ...kept,
    advice: CAUTION,
    retryable: false,
    reaction: undefined,
    retry: { when: 'never' },
  });
}

/** Could the key not be looked up? Then nothing is known of an earlier call under it. */
export function isKeyUnknown(outcome: Outcome<unknown>): boolean {
  if (outcome.ok || outcome.refused?.by !== 'idempotency') return false;
  return outcome.fault.kind === 'unavailable' || outcome.fault.kind === 'overloaded';
}
