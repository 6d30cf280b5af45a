/** JSON-RPC answers made on this side, for requests that got none they could use. */
import { type Fault, type Json, toDocument, write } from '@mayday/core';
import { bounded } from '@mayday/policy';

/** Marks an error that was made on this side, because no answer came, or none that says anything. */
const STAND_IN = 'dev.mayday/stand-in';

/** Marks an error whose document was written on this side, from what the transport itself has proven. */
const PROVEN = 'dev.mayday/proven';

/** No server knows it, so none can pretend that one of its answers was made here. All copies of this package share it. */
function seal(): string {
  const host = globalThis as { [SEAL]?: string };
  host[SEAL] ??= crypto.randomUUID();
  return host[SEAL];
}

const SEAL: unique symbol = Symbol.for('dev.mayday/seal') as never;

/** Is it an error that stands in for an answer? */
export function isStandIn(error: unknown): boolean {
  return isMarked(error, STAND_IN);
}

/** Does it say what the transport itself has proven, whatever the server declares? */
export function isProven(error: unknown): boolean {
  return isMarked(error, PROVEN);
}

function isMarked(error: unknown, mark: string): boolean {
  return isObject(error) && isObject(error['data']) && error['data'][mark] === seal();
}

/** What a server said with its failure, and what its status proves without its word. */
export interface Said {
  readonly error?: { readonly code: number; readonly data?: unknown } | undefined;
  /** What it declares is also what the transport proves. */
  readonly isProven: boolean;
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
  { error: said, isProven: proven }: Said = { isProven: true },
): Json {
  const told = bounded(fault);
  const { wire } = write(told, 'mayday', { id, method: 'other', placement: 'protocol', redact: false });
  const written = 'error' in wire ? wire.error?.code : undefined;
  const code = said?.code ?? written ?? -32603;
  const data = {
    ...(isObject(said?.data) ? (said.data as { [key: string]: Json }) : {}),
    ...toDocument(fault),
    ...(said === undefined ? { [STAND_IN]: seal() } : {}),
    ...(proven ? { [PROVEN]: seal() } : {}),
  };
  return { jsonrpc: '2.0', id, error: { code, message: told.message, data } };
}

/** A plain object. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The id of the request that a POST takes back. */
export function cancelledIn(
  init: { readonly method?: unknown; readonly body?: unknown } | undefined,
): RequestId | undefined {
  if (init?.method !== 'POST' || typeof init.body !== 'string' || !init.body.includes(CANCELLED))
    return undefined;
  const parsed = parse(init.body);
  if (!isObject(parsed) || parsed['method'] !== CANCELLED || !isObject(parsed['params'])) return undefined;
  const { requestId } = parsed['params'];
  return typeof requestId === 'string' || typeof requestId === 'number' ? requestId : undefined;
}

const CANCELLED = 'notifications/cancelled';

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // not ours to judge: it is sent as it is
  }
}

/** The request in the body of a POST; `undefined` for notifications, batches and everything else. */
export function requestIn(
  init: { readonly method?: unknown; readonly body?: unknown } | undefined,
): SentRequest | undefined {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return undefined;
  const parsed = parse(init.body);
  if (!isObject(parsed)) return undefined;
  const { id, method } = parsed;
  return (typeof id === 'string' || typeof id === 'number') && typeof method === 'string'
    ? { id, method }
    : undefined;
}
