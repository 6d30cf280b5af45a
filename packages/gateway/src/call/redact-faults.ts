/** Nothing secret gets past this point, neither to the caller nor to the operator. */
import { randomUUID } from 'node:crypto';
import { redactFault } from '@mayday/core/redact';
import type { WirePolicy } from '@mayday/relay';

/** A message is a sentence or a few, not a page. */
const MAX_MESSAGE = 4000;

/** Redacts every fault, and gives it the id by which caller and operator can speak about it. */
export function redactFaults(): WirePolicy {
  return (next) => async (call) => {
    const outcome = await next(call);
    if (outcome.ok) return outcome;
    const { message } = outcome.fault;
    // Whoever wants all of it finds it in the answer itself, beside our words.
    const told = message.length <= MAX_MESSAGE ? message : `${message.slice(0, MAX_MESSAGE)}…`;
    const fault = redactFault({ ...outcome.fault, message: told });
    return { ...outcome, fault: { ...fault, correlationId: fault.correlationId ?? randomUUID() } };
  };
}
