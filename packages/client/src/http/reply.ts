/** JSON-RPC answers made on this side, for requests that got none they could use. */
import { type Fault, type Json, toDocument, write } from '@mayday/core';
import { bounded } from '@mayday/policy';

/** Marks an error that was made on this side, because no answer came, or none that says anything. */
const STAND_IN = 'dev.mayday/stand-in';

/** Is it an error that stands in for an answer? */
export function isStandIn(error: unknown): boolean {
  return isObject(error) && isObject(error['data']) && error['data'][STAND_IN] === true;
}

/** A request's id. */
export type RequestId = string | number;

/** The JSON-RPC request in an HTTP request. */
export interface SentRequest {
  readonly id: RequestId;
  readonly method: string;
}

/** A JSON-RPC error response that carries the whole fault in `data`. */
export function errorReply(
  id: RequestId,
  fault: Fault,
  said?: { readonly code: number; readonly data?: unknown } | undefined,
): Json {
  const told = bounded(fault);
  const { wire } = write(told, 'mayday', { id, method: 'other', placement: 'protocol', redact: false });
  const written = 'error' in wire ? wire.error?.code : undefined;
  const code = said?.code ?? written ?? -32603;
  const data = {
    ...(isObject(said?.data) ? (said.data as { [key: string]: Json }) : {}),
    ...toDocument(fault),
    ...(said === undefined ? { [STAND_IN]: true } : {}),
  };
  return { jsonrpc: '2.0', id, error: { code, message: told.message, data } };
}

/** A plain object. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The request in the body of a POST; `undefined` for notifications, batches and everything else. */
export function requestIn(
  init: { readonly method?: unknown; readonly body?: unknown } | undefined,
): SentRequest | undefined {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(init.body);
  } catch {
    return undefined; // not ours to judge: it is sent as it is
  }
  if (!isObject(parsed)) return undefined;
  const { id, method } = parsed;
  return (typeof id === 'string' || typeof id === 'number') && typeof method === 'string'
    ? { id, method }
    : undefined;
}
