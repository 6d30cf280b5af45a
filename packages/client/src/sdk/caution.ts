/** What a caller is told about a call that may have done its work. */
import { isRepeatable, type PlannedCall } from '@mayday/core/plan';
import { cautioned } from '@mayday/core/render';
import type { Settled } from '@mayday/policy';

/**
 * The end of a tool call, with advice that says what a repetition can do. An idempotency key does not help:
 * whoever calls again makes another one.
 */
export function cautiously<T>(settled: Settled<T>, call: PlannedCall): Settled<T> {
  const { outcome } = settled;
  if (outcome.ok || isRepeatable({ ...call, idempotencyKey: undefined })) return settled;
  return { ...settled, outcome: { ...outcome, fault: cautioned(outcome.fault) } };
}
