/** Nothing secret gets past this point, neither to the caller nor to the operator. */
import { randomUUID } from 'node:crypto';
import type { Fault } from '@mayday/core';
import { redactFault } from '@mayday/core/redact';
import { after, type Failed } from '@mayday/policy';
import type { Wire, WirePolicy } from '@mayday/relay';

/** A message is a sentence or a few, not a page. */
const MAX_MESSAGE = 4000;

/** What is known of a fault that was given its number here. */
export interface Numbered {
  /** The same fault without the number, where it was met before. */
  readonly unnumbered?: Fault | undefined;
}

/** Redacts every fault, and gives it the id by which caller and operator can speak about it. */
export function redactFaults(): WirePolicy {
  // A failure that a server repeats is the same fault each time.
  const known = new WeakMap<Fault, Fault>();
  return after((outcome) => {
    if (outcome.ok) return outcome;
    const repeated = known.get(outcome.fault);
    const fault = repeated ?? redactFault(shortened(outcome.fault));
    if (repeated === undefined) known.set(outcome.fault, fault);
    const numbered = { ...fault, correlationId: fault.correlationId ?? randomUUID() };
    const unnumbered = fault.correlationId === undefined ? repeated : undefined;
    return { ...outcome, fault: numbered, unnumbered } satisfies Failed<Wire> & Numbered;
  });
}

/** Whoever wants all of a message finds it in the answer itself, beside our words. */
function shortened(fault: Fault): Fault {
  const { message } = fault;
  return message.length <= MAX_MESSAGE ? fault : { ...fault, message: `${message.slice(0, MAX_MESSAGE)}…` };
}
