/** Nothing secret gets past this point, neither to the caller nor to the operator. */
import { randomUUID } from 'node:crypto';
import { redactFault } from '@mayday/core/redact';
import type { WirePolicy } from '@mayday/relay';

/** Redacts every fault, and gives it the id by which caller and operator can speak about it. */
export function redactFaults(): WirePolicy {
  return (next) => async (call) => {
    const outcome = await next(call);
    if (outcome.ok) return outcome;
    const fault = redactFault(outcome.fault);
    return { ...outcome, fault: { ...fault, correlationId: fault.correlationId ?? randomUUID() } };
  };
}
