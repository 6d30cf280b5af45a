/** What Closient's document shows its clients and its REST interface doing. */
import type { Fault, JsonObject } from '../../fault.ts';
import { redactFault } from '../../redact-fault.ts';
import { problemFor } from './write.ts';

/** The problem document that REST returns as `application/problem+json`: the same as in the tool's error, redacted too. */
export function closientProblem(fault: Fault, now: number): JsonObject {
  return problemFor(redactFault(fault), now);
}

const DEFAULT_WAIT_MS = 5000;

/** How long the document's sample client waits before it tries again; `undefined` when it does not. */
export function closientWait(fault: Fault): number | undefined {
  return fault.retryable ? (fault.retry.afterMs ?? DEFAULT_WAIT_MS) : undefined;
}
