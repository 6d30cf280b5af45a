/**
 * The identifiers that adapters forward in `details.originalError`. Suffixes are the only convention:
 * `ORDER_NOT_FOUND`, `INVALID_ORDER_STATE`, `INSUFFICIENT_INVENTORY`.
 */
import type { Fault, Subject } from '../../fault.ts';
import { isKind, type Kind } from '../../kinds.ts';

// biome-ignore format: a table
const KNOWN: { readonly [identifier: string]: Kind } = {
  AUTHENTICATION_FAILED: 'unauthenticated', UNAUTHORIZED: 'unauthenticated', FORBIDDEN: 'forbidden', NOT_FOUND: 'not_found',
  BAD_REQUEST: 'invalid_arguments', INVALID_REQUEST: 'invalid_arguments', INVALID_INPUT: 'invalid_arguments', VALIDATION_ERROR: 'invalid_arguments',
  CONFLICT: 'conflict', TIMEOUT: 'timeout', GATEWAY_TIMEOUT: 'timeout', RATE_LIMITED: 'rate_limited', SERVICE_UNAVAILABLE: 'unavailable',
  CONNECTION_FAILED: 'unavailable', NOT_CONNECTED: 'unavailable', NETWORK_ERROR: 'disconnected', BAD_GATEWAY: 'upstream_failed',
  OPERATION_FAILED: 'upstream_failed', API_ERROR: 'upstream_failed', INTERNAL_SERVER_ERROR: 'upstream_failed', UNKNOWN_ERROR: 'unknown',
};

/** What an identifier says: the kind, and the subject if the name holds one. */
export function readIdentifier(
  identifier: string,
): { readonly kind: Kind; readonly subject?: Subject } | undefined {
  if (Object.hasOwn(KNOWN, identifier)) return { kind: KNOWN[identifier] as Kind };
  const lower = identifier.toLowerCase();
  if (isKind(lower)) return { kind: lower };
  const notFound = /^(\w{1,60})_not_found$/.exec(lower);
  if (notFound !== null) return { kind: 'not_found', subject: { type: notFound[1] as string } };
  const state =
    /^invalid_(\w{1,60})_state$/.exec(lower) ??
    /^(\w{1,60})_already_exists$/.exec(lower) ??
    /^insufficient_(\w{1,60})$/.exec(lower);
  if (state !== null) return { kind: 'conflict', subject: { type: state[1] as string } };
  return undefined;
}

/** The identifier for a fault that has no standard code. */
export function identifierFor(fault: Fault): string {
  if (fault.name !== undefined) return fault.name;
  const subject = fault.subject?.type.toUpperCase();
  if (subject !== undefined && fault.kind === 'not_found') return `${subject}_NOT_FOUND`;
  if (subject !== undefined && fault.kind === 'conflict') return `INVALID_${subject}_STATE`;
  if (fault.kind === 'unauthenticated') return 'AUTHENTICATION_FAILED';
  return fault.kind.toUpperCase();
}
