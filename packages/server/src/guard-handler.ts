/** What an HTTP endpoint refuses before any server sees it, as faults. */
import { causeOf, type Fault, FaultError, fault, type JsonObject, type Kind } from '@mayday/core';
import { PROTOCOL_VERSION_KEY } from '@mayday/core/protocol';
import { otherRevision } from './boundary/early.ts';
import { atEndpoint, makeEndpoint } from './boundary/endpoints.ts';
import { type Failure, failureFromThrown } from './boundary/failure.ts';
import type { RefusedRequest } from './boundary/refused-requests.ts';
import { dialectFor, keepsContent, render } from './boundary/render.ts';
import { reportRefusal, unservedRequest } from './boundary/report-refusal.ts';
import type { RequestState } from './boundary/request-state.ts';
import { roundIn } from './boundary/rounds.ts';
import { readSdkError } from './boundary/sdk-failures.ts';
import { sealForCaller } from './boundary/seal.ts';
import { expectHandler } from './handler-check.ts';
import { refusedListener } from './listening.ts';
import { type BadLine, isBadLine, knownAgain, parseLine } from './messages.ts';
import { type GuardOptions, type Settings, settingsFrom } from './options.ts';
import type { ErrorObject, Message } from './shapes.ts';
import { type Insisted, insistOnGuard } from './unguarded.ts';

/** Something that answers web requests: what `createMcpHandler` makes. */
export interface FetchHandler {
  fetch(request: Request, ...rest: never[]): Promise<Response>;
}

/**
 * Guards an HTTP endpoint: parse errors, oversize bodies, wrong media types and methods leave as faults too.
 * Statuses stay, and so do the codes and `data` by which clients find out which revision a server speaks. The server
 * inside has to be guarded too: an endpoint around one that is not answers nobody, and says so.
 *
 * @example
 * const handler = guardHandler(createMcpHandler(() => guard(createServer(), options)), options);
 */
export function guardHandler<H extends FetchHandler>(handler: H, options?: GuardOptions): H {
  expectHandler(handler);
  const settings = settingsFrom(options, 'guardHandler');
  const endpoint = makeEndpoint();
  const original = handler.fetch.bind(handler) as (request: Request, ...rest: unknown[]) => Promise<Response>;
  const insisting = insistOnGuard((request, refusal) => refuseRequest(request, settings, refusal));
  const guarded = async (request: Request, ...rest: unknown[]): Promise<Response> => {
    const startedAt = settings.clock.now();
    if (wasReadBefore(request, rest)) return refuseRequest(request, settings, MISREAD());
    const packed = packedBody(request.headers.get('content-encoding'));
    if (packed !== undefined && isAsSent(request, rest)) return refuseRequest(request, settings, packed);
    if (isBatch(request)) return refuseRequest(request, settings, NO_BATCH());
    const given = withLargeBody(request, rest);
    if (given === 'no JSON') return refuseRequest(request, settings, NO_JSON());
    const refusedToListen = await refusedListener(request, given, settings);
    if (refusedToListen !== undefined)
      return answer(refusedToListen.state, settings, refusedToListen.answer, refusedToListen.failure);
    let watched: Insisted;
    try {
      watched = await insisting(request, () => atEndpoint(endpoint, () => original(request, ...given)));
    } catch (reason) {
      const state = stateFor(request, startedAt, undefined);
      const failure = failureFromThrown(reason, { settings, call: state, began: true });
      return answer(state, settings, { status: 500, headers: new Headers() }, failure);
    }
    if ('refusal' in watched) return watched.refusal;
    const { handled: response, refused, began } = watched;
    if (refused !== undefined && keepsContent(refused.dialect)) {
      await response.body?.cancel();
      return unauthorized(request, startedAt, refused, settings);
    }
    if (refused !== undefined) return challenged(response, settings);
    if (response.status < 400 || !isJson(response)) return response;
    const said = await errorIn(response);
    if (said === undefined) return response;
    const bad = response.status === 400 ? badMessageIn(request) : undefined;
    const state = stateFor(request, startedAt, bad === undefined ? knownAgain(said.id) : bad.id);
    const failure: Failure =
      bad === undefined
        ? failureFor(said.error, { status: response.status, state, settings, began })
        : { ...bad, began: false, ours: true, ofRequest: true };
    return answer(state, settings, response, failure);
  };
  return new Proxy(handler, {
    get: (target, name, receiver) => (name === 'fetch' ? guarded : Reflect.get(target, name, receiver)),
  });
}

/** Has something before the handler read the body, and not handed it over? Then nobody can read it any more. */
function wasReadBefore(request: Request, [options]: readonly unknown[]): boolean {
  const { parsedBody } = Object(options) as { readonly parsedBody?: unknown };
  return request.bodyUsed && parsedBody === undefined;
}

/** Is the body still as it was sent? What `nodeHandler` has read was looked at there. */
function isAsSent(request: Request, [options]: readonly unknown[]): boolean {
  const { parsedBody } = Object(options) as { readonly parsedBody?: unknown };
  return request.body !== null && parsedBody === undefined && !bodies.has(request);
}

/** Nobody unpacks it here; what somebody else has read is unpacked already. */
export function packedBody(coding: string | null | undefined): Refusal | undefined {
  const name = coding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return undefined;
  const subject = { type: 'header', id: 'Content-Encoding' };
  return {
    status: 415,
    thrown: fault.unsupportedMedia('A message is sent without a Content-Encoding', { subject }),
  };
}

const MISREAD = (): Refusal => ({
  status: 500,
  thrown: fault.misconfigured(
    'The request body was read before the MCP endpoint saw it, and not handed over',
    {
      executed: 'no',
      advice: 'The server has to hand it over: `handler.fetch(request, { parsedBody })`.',
    },
  ),
});

/** The bodies of requests under way, for whoever has to say what is wrong with one. */
const bodies = new WeakMap<Request, Uint8Array>();

/** Keeps the bytes of a request for as long as the request lives. */
export function rememberBody(request: Request, body: Uint8Array): void {
  bodies.set(request, body);
}

/** The SDK's own limit, which knows nothing of a document's: a larger body that was admitted before it comes to it parsed. */
const SDK_BODY_BYTES = 4 * 1024 * 1024;

function withLargeBody(request: Request, rest: readonly unknown[]): readonly unknown[] | 'no JSON' {
  const body = bodies.get(request);
  if (body === undefined || body.length <= SDK_BODY_BYTES) return rest;
  const [options, ...others] = rest;
  const parsedBody = parseJson(new TextDecoder().decode(body));
  return parsedBody === undefined
    ? 'no JSON'
    : [{ parsedBody, ...(options as object | undefined) }, ...others];
}

const NO_JSON = (): Refusal => ({
  status: 400,
  thrown: fault.parseError('The request body is not valid JSON'),
  code: -32700,
});

/** Is it a list of messages? The SDK would serve them, and MCP has none since 2025-06-18. */
function isBatch(request: Request): boolean {
  const body = bodies.get(request);
  const at = body?.findIndex((byte) => !BLANKS.has(byte)) ?? -1;
  return (
    body !== undefined && body[at] === OPEN_LIST && parseJson(new TextDecoder().decode(body)) !== undefined
  );
}

const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const OPEN_LIST = 0x5b;

/** `undefined`: it is no JSON at all. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const NO_BATCH = (): Refusal => ({
  status: 400,
  thrown: fault.invalidRequest('Batches are not served; send one message in a request'),
  code: -32600,
});

/** What is wrong with a body, as a line on stdio would be told; where its bytes are known. */
function badMessageIn(request: Request): BadLine | undefined {
  const body = bodies.get(request);
  const parsed = body === undefined ? undefined : parseLine(new TextDecoder().decode(body));
  if (parsed === undefined || !isBadLine(parsed)) return undefined;
  return parsed.code === -32700 ? { ...parsed, thrown: noJson(parsed.thrown) } : parsed;
}

/** The same of a body, which is no line; where the parser stopped stays. */
function noJson(thrown: FaultError): FaultError {
  return fault.parseError('The request body is not valid JSON', {
    cause: causeOf(thrown),
    details: thrown.fault.details,
  });
}

/** Says no to a request on behalf of whoever stands before the handler, and reports it. */
export function refuseRequest(
  request: Request,
  settings: Settings,
  { status, headers = {}, thrown, code }: Refusal,
): Response {
  const state = stateFor(request, settings.clock.now(), undefined);
  const failure: Failure = { thrown, began: false, ours: true, ofRequest: true, code };
  return answer(state, settings, { status, headers: new Headers(headers) }, failure);
}

/** A refusal that needs no handler. */
export interface Refusal {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string } | undefined;
  readonly thrown: FaultError;
  /** The code, where the specification fixes it. */
  readonly code?: number | undefined;
}

/** A server can only say it in JSON-RPC; over HTTP it is a status and a challenge. */
function unauthorized(
  request: Request,
  startedAt: number,
  { state: { id, message, doubtful }, failure }: RefusedRequest,
  settings: Settings,
): Response {
  const headers = new Headers({ 'www-authenticate': settings.challenge });
  const state = stateFor(request, startedAt, id, roundIn(message.params));
  state.doubtful = doubtful;
  const told = { ...failure, ofRequest: true };
  // The server has reported it already.
  return response(state, settings, { status: 401, headers }, told, sealForCaller(told, state, settings));
}

/** What a document has its own form for stays as the server said it; an error of the request has the status of one. */
async function challenged(said: Response, { challenge }: Settings): Promise<Response> {
  const body = await said.text();
  const headers = new Headers(said.headers);
  const text = body.startsWith('{') ? body : /^data: ?(\{.*)$/m.exec(body)?.[1];
  if (text === undefined || (JSON.parse(text) as Message).error === undefined)
    return new Response(body, { status: said.status, headers });
  headers.delete('content-length');
  headers.set('content-type', 'application/json');
  headers.set('www-authenticate', challenge);
  return new Response(text, { status: 401, headers });
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.includes('json') === true;
}

/** The JSON-RPC error of a response that carries none of our faults yet. */
async function errorIn(response: Response): Promise<{ error: ErrorObject; id: Message['id'] } | undefined> {
  try {
    const body = (await response.clone().json()) as { error?: ErrorObject; id?: Message['id'] | null } | null;
    const error = body?.error;
    if (typeof error?.code !== 'number' || typeof error.message !== 'string') return undefined;
    const data = error.data as { kind?: unknown; reaction?: unknown } | undefined;
    return data?.kind !== undefined && data.reaction !== undefined
      ? undefined
      : { error, id: body?.id ?? undefined };
  } catch {
    return undefined; // not JSON after all: not ours to change
  }
}

const KIND_OF_STATUS: { readonly [status: number]: [Kind, string] } = {
  401: ['unauthenticated', 'Unauthorized'],
  403: ['forbidden', 'Forbidden'],
  405: ['unsupported', 'Method not allowed'],
  406: ['unsupported_media', 'The client must accept application/json and text/event-stream'],
  413: ['too_large', 'The request body is too large'],
  415: ['unsupported_media', 'The request body must be application/json'],
  500: ['internal', 'Internal error'],
};

/** What is known about an answer that says no. */
interface Answered {
  readonly status: number;
  readonly state: RequestState;
  readonly settings: Settings;
  /** Had the work of a guarded server begun? Not known, if absent. */
  readonly began: boolean | undefined;
}

/** Codes of the range that has no meaning any more say nothing; the status does. */
function failureFor(error: ErrorObject, { status, state, settings, began }: Answered): Failure {
  const { code, message } = error;
  const refusal = { began: false, ours: true, ofRequest: true } as const;
  if (status === 404 && code === -32001)
    return {
      ...refusal,
      thrown: fault.expired('The session does not exist any more', {
        subject: { type: 'session' },
        advice: 'Open a new session.',
      }),
    };
  const known = KIND_OF_STATUS[status];
  if (known !== undefined) {
    const subject = status === 406 ? { type: 'header', id: 'Accept' } : undefined;
    const thrown = fault(known[0], known[1], { subject });
    return { ...refusal, began: status === 500, thrown };
  }
  if (code === -32700)
    return { ...refusal, thrown: fault.parseError('The request body is not valid JSON'), code };
  if (code === -32600) return { ...refusal, thrown: fault.invalidRequest(message), code };
  const revision = OTHER_REVISION.exec(message);
  if (revision !== null)
    return {
      ...refusal,
      thrown: otherRevision(revision[1] ?? '', (revision[2] ?? '').split(', ')),
      code: -32600,
    };
  if (code <= -32000 && code > -32020) return { ...refusal, thrown: fault.invalidRequest(message) };
  // The codes of the negotiation are the endpoint's. Anything else may have come out of a server; a guarded one has told.
  const mayHaveBegun = (): boolean => began ?? (code < -32022 || code > -32020);
  return readSdkError(error, { settings, callable: () => [], mayHaveBegun }, state);
}

/** SDKs before 2026-07-28 have no code for it. */
const OTHER_REVISION = /Unsupported protocol version: (\S{1,64}) \(supported versions: ([\d, -]{1,200})\)/;

/** What the body of a request, where it is known, carries of an earlier round of its call. */
function roundOf(request: Request): ReturnType<typeof roundIn> {
  const body = bodies.get(request);
  const parsed = body === undefined ? undefined : parseLine(new TextDecoder().decode(body));
  return parsed === undefined || isBadLine(parsed) ? {} : roundIn((parsed as Message).params);
}

/** What can be known about a request whose body nobody has understood: its headers, and of which round it is. */
function stateFor(
  request: Request,
  startedAt: number,
  id: Message['id'],
  round = roundOf(request),
): RequestState {
  // Before a server has seen it, even a tool call can only fail as a request.
  const named = request.headers.get('mcp-method') ?? `HTTP ${request.method}`;
  const method = named === 'tools/call' ? 'HTTP POST' : named;
  const version = request.headers.get('mcp-protocol-version');
  const params = version === null ? round : { ...round, _meta: { [PROTOCOL_VERSION_KEY]: version } };
  const unnamed: Message = { jsonrpc: '2.0', method, params };
  const message: Message = id === undefined ? unnamed : { ...unnamed, id };
  return unservedRequest(message, { request }, startedAt);
}

function answer(
  state: RequestState,
  settings: Settings,
  original: Pick<Response, 'status' | 'headers'>,
  failure: Failure,
): Response {
  const told = withHeaders(failure, state);
  const said = sealForCaller(told, state, settings);
  const answered = response(state, settings, original, told, said);
  reportRefusal(settings, failure.thrown, said, state);
  return answered;
}

/** What the headers of a request tell of why it was refused. */
function withHeaders(failure: Failure, state: RequestState): Failure {
  const { fault: refused } = failure.thrown;
  const found = refused.kind === 'too_large' ? sizeOf(state) : typeOf(refused, state);
  if (found === undefined) return failure;
  const details = { ...found, ...refused.details };
  return { ...failure, thrown: new FaultError({ ...refused, details }, { cause: causeOf(failure.thrown) }) };
}

function sizeOf(state: RequestState): JsonObject | undefined {
  const length = Number(state.header('content-length') ?? Number.NaN);
  return Number.isSafeInteger(length) ? { actual_bytes: length } : undefined;
}

/** The type that is not taken: that of the body, or the one that is wanted in return. */
function typeOf({ kind, subject }: Fault, state: RequestState): JsonObject | undefined {
  if (kind !== 'unsupported_media') return undefined;
  const type = state.header(subject?.id ?? 'content-type');
  return type === undefined ? undefined : { content_type: type.slice(0, 200) };
}

function response(
  state: RequestState,
  settings: Settings,
  original: Pick<Response, 'status' | 'headers'>,
  failure: Failure,
  said: Fault,
): Response {
  const body = withStatus(
    render(said, state, dialectFor(state, settings), settings, failure),
    original.status,
  );
  const headers = new Headers(original.headers);
  headers.delete('content-length');
  headers.set('content-type', 'application/json');
  if (said.retryable && said.retry.afterMs !== undefined)
    headers.set('retry-after', String(Math.ceil(said.retry.afterMs / 1000)));
  return new Response(JSON.stringify(body), { status: original.status, headers });
}

/** A problem document names the status that it comes with (RFC 9457), also where its kind has another one. */
function withStatus(message: Message, status: number): Message {
  const { error } = message;
  const data = error?.data;
  if (error === undefined || !isProblem(data)) return message;
  return { ...message, error: { ...error, data: { ...data, status } } };
}

function isProblem(data: unknown): data is object {
  const { type, title, status } = (data ?? {}) as { [key: string]: unknown };
  return typeof type === 'string' && typeof title === 'string' && typeof status === 'number';
}
