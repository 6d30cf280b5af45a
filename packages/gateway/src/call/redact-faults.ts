/** Nothing secret gets past this point, neither to the caller nor to the operator. */
import { randomUUID } from 'node:crypto';
import type { Fault } from '@mayday/core';
import { redactFault } from '@mayday/core/redact';
import type { WirePolicy } from '@mayday/relay';

/** A message is a sentence or a few, not a page. */
const MAX_MESSAGE = 4000;

/** Redacts every fault, and gives it the id by which caller and operator can speak about it. */
export function redactFaults(): WirePolicy {
  // A failure that a server repeats is the same fault each time.
  const known = new WeakMap<Fault, Fault>();
  return (next) => async (call) => {
    const outcome = await next(call);
    if (outcome.ok) return outcome;
    let fault = known.get(outcome.fault);
    if (fault === undefined) {
      fault = redactFault(shortened(outcome.fault));
      known.set(outcome.fault, fault);
    }
    return { ...outcome, fault: { ...fault, correlationId: fault.correlationId ?? randomUUID() } };
  };
}

/** Whoever wants all of a message finds it in the answer itself, beside our words. */
function shortened(fault: Fault): Fault {
  const { message } = fault;
  return message.length <= MAX_MESSAGE ? fault : { ...fault, message: `${message.slice(0, MAX_MESSAGE)}…` };
}
