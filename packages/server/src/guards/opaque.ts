/** Refusals that must not differ by a byte, whatever their reason. */
import type { FaultError } from '@mayday/core';

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
