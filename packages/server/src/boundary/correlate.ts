import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Fault } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import { answered } from '../report/hooks.ts';
import type { RequestState } from './request-state.ts';

/** What can stand in a log, a header and a sentence. */
const USABLE = /^[\w.:/=+@-]{1,128}$/;

/** The identifier that the wire and the log share: the fault's, the operator's, or a random one. */
export function correlationIdFor(fault: Fault, make: () => unknown): string {
  return usable(fault.correlationId) ?? usable(made(make)) ?? randomUUID();
}

function made(make: () => unknown): unknown {
  try {
    return answered('correlationId', make);
  } catch {
    return undefined; // a function that fails must not cost the caller the answer
  }
}

function usable(id: unknown): string | undefined {
  if (typeof id !== 'string' || !USABLE.test(id)) return undefined;
  return redact(id).findings.length === 0 ? id : undefined;
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
