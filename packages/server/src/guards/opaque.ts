/** Refusals that must not differ by a byte, whatever their reason. */
import type { FaultError } from '@mayday/core';
import type { Call } from '../call.ts';

const opaque = new WeakSet<object>();

/** Marks a refusal that tells nothing but its sentence. */
export function markOpaque(thrown: FaultError): FaultError {
  opaque.add(thrown);
  return thrown;
}

/** Must an answer with this fault show nothing of the request that it answers? */
export function isOpaque(thrown: FaultError): boolean {
  return opaque.has(thrown);
}

const hidden = new WeakSet<Call>();

/** Marks a call of a tool that is hidden from its caller: whoever counts takes it for one of a tool that is not there. */
export function markHidden(call: Call): void {
  hidden.add(call);
}

/** Is the tool of this call hidden from its caller? */
export function isHidden(call: Call): boolean {
  return hidden.has(call);
}
