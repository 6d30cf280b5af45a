import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Fault } from '@mayday/core';
import type { Settings } from '../options.ts';
import type { RequestState } from './request-state.ts';

/** The fault with the identifier that the wire and the log share. */
export function correlate(fault: Fault, state: RequestState, settings: Settings): Fault {
  if (fault.correlationId !== undefined) return fault;
  return { ...fault, correlationId: settings.correlationId?.(state) ?? randomUUID() };
}

const salt = randomBytes(32);

/**
 * An identifier that depends on nothing but the request id. Answers that must not differ by a byte cannot
 * carry a random one; the log has the same, with the reason that the wire does not tell.
 */
export function opaqueId(state: RequestState): string {
  const hash = createHash('sha256')
    .update(salt)
    .update(`${typeof state.id}:${state.id}`)
    .digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${hash.slice(12, 16)}-${hash.slice(16, 20)}-${hash.slice(20, 32)}`;
}
