/** Refusals that must not differ by a byte, whatever their reason. */
import { FaultError, type Kind, makeFault } from '@mayday/core';

const opaque = new WeakSet<object>();

/** A refusal that tells nothing but its sentence; the reason is for the log. */
export function opaqueFault(kind: Kind, message: string, reason: string): FaultError {
  const thrown = new FaultError(makeFault({ kind, message }), { cause: new Error(reason) });
  opaque.add(thrown);
  return thrown;
}

/** Must an answer with this fault show nothing of the request that it answers? */
export function isOpaque(thrown: FaultError): boolean {
  return opaque.has(thrown);
}
