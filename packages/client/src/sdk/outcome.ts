/** What became of a tool call, for callers that branch on it. */
import type { Fault } from '@mayday/core';
import type { Settled } from '@mayday/policy';
import { textFor } from './text.ts';

export type { Settled };

/** What became of a tool call. */
export type CallOutcome<Result> =
  | { readonly ok: true; readonly result: Result; readonly attempts: number; readonly elapsedMs: number }
  | {
      readonly ok: false;
      readonly fault: Fault;
      /** For the model: what happened and what to do next. */
      readonly text: string;
      /** Why no further attempt was made. */
      readonly reason: string;
      readonly attempts: number;
      readonly elapsedMs: number;
    };

/** The outcome of a settled call. */
export function toCallOutcome<Result>(settled: Settled<Result>): CallOutcome<Result> {
  const { outcome, attempts, elapsedMs } = settled;
  if (outcome.ok) return { ok: true, result: outcome.value, attempts, elapsedMs };
  const { fault, reason = '' } = outcome;
  return { ok: false, fault, text: textFor(fault), reason, attempts, elapsedMs };
}
