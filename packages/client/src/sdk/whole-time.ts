/** How long a call was waited for. */
import type { Fault } from '@mayday/core';
import type { Settled } from '@mayday/policy';
import { toToolResult } from './tool-result.ts';

/** Servers that stop at the deadline they are told stop before it: the answer has a way to go. */
const NEARLY = 0.9;

/** What our guards and gateways say at the deadline of their caller. */
const CUT_OFF = /^No answer within [\d.]+ m?s$/;

/**
 * The end of a call whose last attempt had only what was left of its time: its server tells how long that was, and whoever
 * called has waited for all of them.
 */
export function ofWholeCall<T>(settled: Settled<T>, deadlineMs: number): Settled<T> {
  const { outcome, attempts, elapsedMs } = settled;
  if (outcome.ok || attempts < 2 || elapsedMs < deadlineMs * NEARLY) return settled;
  const { kind, message, details } = outcome.fault;
  if (kind !== 'timeout' || !CUT_OFF.test(message)) return settled;
  const fault: Fault = {
    ...outcome.fault,
    message: `No answer within ${deadlineMs} ms: the deadline of the call has passed`,
    details: { ...details, timeout_ms: deadlineMs },
  };
  const value = outcome.value === undefined ? undefined : (toToolResult(fault) as T);
  return { ...settled, outcome: { ...outcome, fault, value } };
}
