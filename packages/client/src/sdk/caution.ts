/** What a caller is told about a call that may have done its work. */
import { language } from '@mayday/core';
import { isRepeatable, type PlannedCall } from '@mayday/core/plan';
import { calmed, warned } from '@mayday/core/render';
import type { Settled } from '@mayday/policy';

/**
 * The end of a tool call, with advice that says what a repetition can do. An idempotency key does not help:
 * whoever calls again makes another one.
 */
export function cautiously<T>(settled: Settled<T>, call: PlannedCall): Settled<T> {
  const { outcome } = settled;
  if (outcome.ok) return settled;
  const harmless = isRepeatable({ ...call, idempotencyKey: undefined });
  const fault = harmless ? calmed(outcome.fault) : warned(outcome.fault, language);
  return { ...settled, outcome: { ...outcome, fault } };
}
