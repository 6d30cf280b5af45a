/**
 * A `fetch` for the SDK's HTTP transports that keeps what they lose: JSON-RPC errors behind a status, the
 * `Retry-After` header, answers in not quite the right form, streams that end early, sessions that expired.
 */
import { type Fault, makeFault, read } from '@mayday/core';
import { integer } from '@mayday/policy';
import { mendMessage, unusable } from './answer.ts';
import { boundedText, discard } from './body.ts';
import { mendStream } from './event-stream.ts';
import { errorReply, isObject, requestIn, type SentRequest } from './reply.ts';

/** The part of `fetch` that the transports use. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Limits of what is read. */
export interface MendOptions {
  /** The largest answer that is read. Default 32 MiB. */
  readonly maxBytes?: number | undefined;
}

/** The body of a failing response is only read this far. */
const MAX_ERROR_BYTES = 1_048_576;

/** Requests that find out which protocol is spoken: their answers decide it, so they stay as they are. */
const NEGOTIATION: readonly string[] = ['initialize', 'server/discover'];

/** Statuses that the SDK acts on itself: version negotiation and authorization. */
const LEFT_TO_SDK: readonly number[] = [400, 401, 403];

/** Wraps a `fetch`. */
export function mendFetch(base: FetchLike = fetch, options: MendOptions = {}): FetchLike {
  const maxBytes = integer('maxBytes', options.maxBytes, 33_554_432, 1);
  return async (url, init) => {
    const request = requestIn(init);
    if (request === undefined) return base(url, init);
    if (NEGOTIATION.includes(request.method)) return base(url, withoutSession(request, init));
    const response = await base(url, init);
    if (response.ok) return mendSuccess(response, request, maxBytes);
    if (response.status < 400 || LEFT_TO_SDK.includes(response.status)) return response;
    const hadSession = new Headers(init?.headers).has('mcp-session-id');
    return mendFailure(response, request, hadSession);
  };
}

/** A new session starts without the id of the old one; SDK v1 would send it along. */
function withoutSession(request: SentRequest, init: RequestInit | undefined): RequestInit | undefined {
  const headers = new Headers(init?.headers);
  if (request.method !== 'initialize' || !headers.has('mcp-session-id')) return init;
  headers.delete('mcp-session-id');
  return { ...init, headers };
}

async function mendSuccess(response: Response, request: SentRequest, maxBytes: number): Promise<Response> {
  const { id } = request;
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/event-stream' && response.body !== null) {
    return new Response(mendStream(response.body, { id, maxBytes }), {
      status: response.status,
      headers: response.headers,
    });
  }
  if (type === 'application/json') {
    const { text, whole } = await boundedText(response, maxBytes);
    if (!whole)
      return reply(response, errorReply(id, unusable(`The answer is larger than ${maxBytes} bytes`)));
    return reply(response, mendMessage(text, id));
  }
  await discard(response.body);
  const what =
    type === '' ? `status ${response.status} and no content` : `content of type ${type.slice(0, 100)}`;
  return reply(
    response,
    errorReply(id, unusable(`The server answered with ${what} instead of a JSON-RPC message`)),
  );
}

async function mendFailure(response: Response, request: SentRequest, hadSession: boolean): Promise<Response> {
  const { id } = request;
  const { text } = await boundedText(response, MAX_ERROR_BYTES);
  const error = errorIn(text);
  // 2025-11-25: a 404 to a request with a session id means that the session is gone. An unknown method is
  // answered with 404 as well, but says so.
  if (response.status === 404 && hadSession && error?.code !== -32601) {
    return reply(response, errorReply(id, sessionExpired()));
  }
  const { status, headers } = response;
  const reading = read({ http: { status, headers, body: text } });
  const fault = reading.failure ? reading.fault : unusable(`HTTP ${status}`);
  return reply(response, errorReply(id, fault, error));
}

/** The server no longer knows the session; nothing was executed. */
export function sessionExpired(): Fault {
  return makeFault({
    kind: 'expired',
    origin: 'server',
    subject: { type: 'session' },
    message: 'The session has expired',
  });
}

function errorIn(text: string): { code: number; data?: unknown } | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined; // a page or nothing at all: the status has to speak
  }
  const error = isObject(parsed) ? parsed['error'] : undefined;
  if (!isObject(error) || !Number.isInteger(error['code'])) return undefined;
  return { code: error['code'] as number, data: error['data'] };
}

/** A 200 with one JSON-RPC message; the other headers stay, a session id may be among them. */
function reply(response: Response, message: unknown): Response {
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name);
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(message), { status: 200, headers });
}
