/** JSON-RPC answers made on this side, for requests that got none they could use. */
import { type Fault, type Json, toDocument, write } from '@mayday/core';
import { bounded } from '@mayday/policy';

/** Marks an error that was made on this side, because no answer came, or none that says anything. */
const STAND_IN = 'dev.mayday/stand-in';

/** Marks an error whose document was written on this side, from what the transport itself has proven. */
const PROVEN = 'dev.mayday/proven';

/** Where such an error has the response that it was made of, for whoever throws what the SDK would have thrown. */
const RESPONSE = 'dev.mayday/response';

/** Where an answer says by which name its refusal is found: see refusals.ts. Names are made here, and nobody guesses one. */
const REFUSAL = 'dev.mayday/refusal';

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

/** A failing response, as the SDKs keep it. */
export interface SeenResponse {
  readonly status: number;
  readonly statusText: string;
  readonly text: string;
}

/** The response behind an error that was made on this side; `undefined` where there is none. */
export function responseIn(error: unknown): SeenResponse | undefined {
  const response = isObject(error) && isObject(error['data']) ? error['data'][RESPONSE] : undefined;
  if (!isObject(response) || response['seal'] !== seal()) return undefined;
  const { status, statusText, text } = response as unknown as SeenResponse;
  return { status, statusText, text };
}

/** The name of the refusal that an error was made of; `undefined` where it was made of none. */
export function refusalIn(error: unknown): string | undefined {
  return isObject(error) ? nameIn(error['data']) : undefined;
}

/** The same of a result. */
export function refusalInResult(result: unknown): string | undefined {
  return isObject(result) ? nameIn(result['_meta']) : undefined;
}

function nameIn(holder: unknown): string | undefined {
  const name = isObject(holder) ? holder[REFUSAL] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** The answer with the name of the refusal that it is; as it came where it has no room for one. */
export function withRefusal(answer: unknown, name: string): unknown {
  if (!isObject(answer)) return answer;
  const { error, result } = answer;
  const [key, place, said] = isObject(error)
    ? (['error', 'data', error] as const)
    : (['result', '_meta', result] as const);
  const held = isObject(said) ? said[place] : null;
  if (!isObject(said) || !(held === undefined || isObject(held))) return answer;
  return { ...answer, [key]: { ...said, [place]: { ...held, [REFUSAL]: name } } };
}

/** The data of an error, or what stands beside a result, without what concerns only us. */
export function withoutMarks(data: unknown): unknown {
  if (!isObject(data)) return data;
  const members = Object.entries(data);
  const kept = members.filter(([name]) => !MARKS.includes(name));
  return kept.length === 0 && members.length > 0 ? undefined : Object.fromEntries(kept);
}

const MARKS: readonly string[] = [STAND_IN, PROVEN, RESPONSE, REFUSAL];

/** More of a page is not kept. */
const MAX_TEXT = 10_000;

/** What a server said with its failure, and what its status proves without its word. */
export interface Said {
  readonly error?: { readonly code: number; readonly data?: unknown } | undefined;
  /** What it declares is also what the transport proves. */
  readonly isProven: boolean;
  readonly response?: SeenResponse | undefined;
  /** The name of the refusal that it is. */
  readonly refusal?: string | undefined;
}

/** A request's id. */
export type RequestId = string | number;

/** The JSON-RPC request in an HTTP request. */
export interface SentRequest {
  readonly id: RequestId;
  readonly method: string;
  /** The tool that it calls. */
  readonly tool?: string | undefined;
}

/** A JSON-RPC error response that carries the whole fault in `data`. */
export function errorReply(
  id: RequestId,
  fault: Fault,
  { error: said, isProven: proven, response, refusal }: Said = { isProven: true },
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
    ...(response === undefined ? {} : { [RESPONSE]: kept(response) }),
    ...(refusal === undefined ? {} : { [REFUSAL]: refusal }),
  };
  return { jsonrpc: '2.0', id, error: { code, message: told.message, data } };
}

function kept({ status, statusText, text }: SeenResponse): { [key: string]: Json } {
  return { seal: seal(), status, statusText, text: text.slice(0, MAX_TEXT) };
}

/** The error of a JSON-RPC message; `undefined` for a page, or nothing. */
export function errorMessageIn(text: string): { readonly [key: string]: unknown } | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const error = isObject(parsed) ? parsed['error'] : undefined;
    return isObject(error) && Number.isInteger(error['code']) ? error : undefined;
  } catch {
    return undefined;
  }
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
  const { id, method, params } = parsed;
  const name = method === 'tools/call' && isObject(params) ? params['name'] : undefined;
  const tool = typeof name === 'string' ? name : undefined;
  return (typeof id === 'string' || typeof id === 'number') && typeof method === 'string'
    ? { id, method, tool }
    : undefined;
}
