/**
 * A `fetch` for the SDK's HTTP transports that keeps what they lose: JSON-RPC errors behind a status, the
 * `Retry-After` header, answers in not quite the right form, streams that end early, sessions that expired.
 */
import { type Fault, makeFault, read } from '@mayday/core';
import { deniesSession, isUnderPlaceholder } from '@mayday/core/http';
import { concernOf } from '@mayday/core/protocol';
import { flag, integer, type OptionNames, onlyKnown } from '@mayday/policy';
import { doubted, isAnswer, isOfAnotherVersion, mendMessage, named, streamLost, unusable } from './answer.ts';
import { boundedText, discard } from './body.ts';
import { mendStream } from './event-stream.ts';
import { createExchanges, type Exchange, type Exchanges } from './exchanges.ts';
import { Hearing, withHeard } from './heard.ts';
import { createInterrupted, type Interrupted } from './interrupted.ts';
import { ofEndpoint } from './of-endpoint.ts';
import { nameFor, type Refusal } from './refusals.ts';
import {
  cancelledIn,
  errorReply,
  isObject,
  isStandIn,
  type RequestId,
  requestIn,
  type SentRequest,
} from './reply.ts';
import { createResent } from './resent.ts';
import { failure, isEvents, reply, SIGN_IN, signIn, typeOf } from './responses.ts';
import { sendCall } from './send-call.ts';
import { createStanding, tellsOfWork } from './standing-stream.ts';
import { takeUp } from './take-up.ts';
import { isToldAround } from './told-around.ts';

/** The part of `fetch` that the transports use. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** What fits wherever a `fetch` is asked for: the transports of both SDKs, the Vercel AI SDK, OpenAI's agents. */
export type MendedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Limits of what is read, and whose word counts. */
export interface MendOptions {
  /** The largest answer that is read. Default 32 MiB. */
  readonly maxBytes?: number | undefined;
  /**
   * `false` does not believe a refusal that declares that nothing was executed: then the SDK signs in only after one that
   * shows it. Default `true`.
   */
  readonly trustDeclarations?: boolean | undefined;
  /**
   * How often the transport tries to take up a stream that ended before its answer (`maxRetries` of its
   * `reconnectionOptions`). After the last one the request is answered. Default 2, the SDK's own.
   */
  readonly resumptions?: number | undefined;
}

const KNOWN: OptionNames<MendOptions> = { maxBytes: true, trustDeclarations: true, resumptions: true };

/** The body of a failing response is only read this far. */
const MAX_ERROR_BYTES = 1_048_576;

/** Requests that find out which protocol is spoken: their answers decide it, so they stay as they are. */
const NEGOTIATION: readonly string[] = ['initialize', 'server/discover'];

/** Wraps a `fetch`. */
export function mendFetch(base: FetchLike = fetch, options: MendOptions = {}): MendedFetch {
  if (typeof base !== 'function')
    throw new TypeError('Expected a `fetch` before the options: mendFetch(fetch, { … })');
  onlyKnown('`mendFetch`', options, KNOWN);
  const maxBytes = integer('maxBytes', options.maxBytes, 33_554_432, 1);
  flag('trustDeclarations', options.trustDeclarations);
  const { trustDeclarations = true } = options;
  const exchanges = createExchanges();
  const resent = createResent();
  const interrupted = createInterrupted(integer('resumptions', options.resumptions, 2, 0));
  const hearing = new Hearing();
  const standing = createStanding({ exchanges, hearing, maxBytes });
  const mended: MendedFetch = async (input, given) => {
    const [url, init] = input instanceof Request ? await takenApart(input, given) : [input, given];
    const request = requestIn(init);
    if (request === undefined && (init?.method ?? 'GET') === 'GET') {
      if (interrupted.isOver(init)) return new Response(null, { status: 405 });
      const taken = interrupted.takenUpBy(init);
      if (taken !== undefined) return takeUp(url, init, taken, { base, exchanges, interrupted, maxBytes });
      return standing.read(base, url, init);
    }
    if (request === undefined) return notify(base, url, init, exchanges);
    if (NEGOTIATION.includes(request.method)) return base(url, withoutSession(request, init));
    const exchange = exchanges.open(request.id, init?.signal);
    try {
      const sent = { ...init, signal: exchange.signal };
      const isCall = request.method === 'tools/call';
      const { response, wasMoved, astray } = isCall
        ? await sendCall({ base, url, init: sent, id: request.id, exchange, resent })
        : { response: await base(url, sent), wasMoved: false, astray: undefined };
      const headers = new Headers(init?.headers);
      const isAnswer = takesAnswer(headers);
      const session = headers.get('mcp-session-id') ?? (isAnswer ? undefined : sessionIn(url));
      if (response.ok && isAnswer)
        return await mendSuccess(response, {
          request,
          session,
          wasMoved,
          exchange,
          exchanges,
          interrupted,
          maxBytes,
        });
      const replied = isAnswer ? reply : failure;
      const noteSignIn = (refusal?: Refusal) => resent.note(request.id, { body: init?.body, refusal });
      const failing = { askedAt: String(url), session, wasMoved, exchange, replied, trustDeclarations };
      const failed =
        astray !== undefined
          ? replied(response, errorReply(request.id, ledAstray(astray)))
          : response.status < 400
            ? response
            : await mendFailure(response, request, { ...failing, noteSignIn });
      if (exchange.isCutOff && !isAnswer) {
        exchange.close();
        await discard(failed.body);
        return failure(failed, errorReply(request.id, streamLost()));
      }
      if (response.ok && standing.hasBeen) exchange.wait();
      else exchange.close();
      return failed;
    } catch (error) {
      exchange.close();
      throw error;
    }
  };
  return withHeard(mended, hearing, standing.read);
}

/**
 * Does whoever sends it read the answer from the response? The transport of 2024-11-05 gets its answers on another
 * stream, and takes any response that is no failure for the word that one will come.
 */
function takesAnswer(headers: Headers): boolean {
  return headers.get('accept')?.includes('text/event-stream') === true;
}

/** A `Request` as address and options, in which the message can be looked at. */
async function takenApart(request: Request, init: RequestInit | undefined): Promise<[string, RequestInit]> {
  const whole = new Request(request, init);
  const { method, headers, signal } = whole;
  const text = await whole.text();
  const body = text === '' ? null : text;
  return [whole.url, { method, headers, signal, body }];
}

/** Sends what is no request. A cancellation also ends the exchange that it is about: nobody reads on there. */
async function notify(
  base: FetchLike,
  url: string | URL,
  init: RequestInit | undefined,
  exchanges: Exchanges,
): Promise<Response> {
  const cancelled = cancelledIn(init);
  if (cancelled === undefined) return base(url, init);
  try {
    return await base(url, init);
  } finally {
    exchanges.end(cancelled);
  }
}

/** The transport of 2024-11-05 has its session in the address. */
function sessionIn(url: string | URL): string | undefined {
  return /[?&]session(?:_?id)?=([^&#]+)/i.exec(String(url))?.[1];
}

/** A new session starts without the id of the old one; SDK v1 would send it along. */
function withoutSession(request: SentRequest, init: RequestInit | undefined): RequestInit | undefined {
  const headers = new Headers(init?.headers);
  if (request.method !== 'initialize' || !headers.has('mcp-session-id')) return init;
  headers.delete('mcp-session-id');
  return { ...init, headers };
}

interface Succeeding extends Pick<Failing, 'session' | 'wasMoved'> {
  readonly request: SentRequest;
  readonly exchange: Exchange;
  readonly exchanges: Exchanges;
  readonly interrupted: Interrupted;
  readonly maxBytes: number;
}

async function mendSuccess(
  response: Response,
  { request, session, wasMoved, exchange, exchanges, interrupted, maxBytes }: Succeeding,
): Promise<Response> {
  const { id } = request;
  const type = typeOf(response);
  if (isEvents(response)) {
    const stream = mendStream(response.body, {
      id,
      maxBytes,
      exchange,
      isTold: () => isToldAround(response),
      began: exchanges.begin,
      beside: exchanges.beside,
      isEverResumed: interrupted.isEverResumed,
      interrupted: (event, hasBegun) => interrupted.note(event, id, hasBegun),
    });
    return new Response(stream, { status: response.status, headers: response.headers });
  }
  if (type === 'application/json') {
    const { text, whole } = await boundedText(response, maxBytes);
    exchange.close();
    if (!whole)
      return reply(response, errorReply(id, unusable(`The answer is larger than ${maxBytes} bytes`)));
    const { status, headers } = response;
    const isLost = session !== undefined && deniesSession({ status, headers, body: text, session });
    if (isLost && concernOf(text, id) === 'own') {
      const isDoubtful = wasMoved || exchange.hasBegun || exchange.mayBeAnswered;
      if (isDoubtful) return reply(response, errorReply(id, inDoubt(sessionExpired())));
      return reply(response, named(errorReply(id, sessionExpired()), id, exchange.refused));
    }
    const message = mendMessage(text, id);
    if (LISTS.test(text) || isStandIn(errorOf(message))) tellOthers(text, id, exchanges);
    const refusal = doubted(message, id);
    if (refusal === undefined) return reply(response, message);
    const isTold = exchange.hasBegun || exchange.mayBeAnswered || isToldAround(response);
    return reply(response, isTold ? refusal : named(message, id, exchange.refused));
  }
  exchange.close();
  await discard(response.body);
  const isEmpty = response.body === null || response.headers.get('content-length') === '0';
  const untyped = `status ${response.status} and no content${isEmpty ? '' : ' type'}`;
  const what = type === '' ? untyped : `content of type ${type.slice(0, 100)}`;
  return reply(
    response,
    errorReply(id, unusable(`The server answered with ${what} instead of a JSON-RPC message`)),
  );
}

/** Does a text begin as a list does? */
const LISTS = /^\s*\[/;

function errorOf(message: unknown): unknown {
  return isObject(message) ? message['error'] : undefined;
}

/** What stands in a list beside an answer, or in its place, may be about others. */
function tellOthers(text: string, own: RequestId, { begin, beside }: Exchanges): void {
  const messages = messagesIn(text);
  if (messages.some(tellsOfWork)) begin();
  beside(messages.filter((message) => !isAnswer(message, own)));
}

function messagesIn(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch {
    return []; // it is no answer either, and told as that
  }
}

interface Failing {
  readonly askedAt: string;
  readonly session: string | undefined;
  /** Another server has had the request before: what this one did not do proves nothing. */
  readonly wasMoved: boolean;
  readonly exchange: Exchange;
  readonly replied: typeof reply;
  readonly trustDeclarations: boolean;
  /** The SDK may sign in, and send the request again. */
  readonly noteSignIn: (refusal?: Refusal) => void;
}

async function mendFailure(
  response: Response,
  request: SentRequest,
  { askedAt, session, wasMoved, exchange, replied, trustDeclarations, noteSignIn }: Failing,
): Promise<Response> {
  const { id, tool } = request;
  const { text: came, whole } = await boundedText(response, MAX_ERROR_BYTES);
  const concern = concernOf(came, id, isEvents(response));
  const { status, statusText, headers } = response;
  // An error under an id that nobody gives is nobody's, where it says no more than that there is no such session.
  const isAnothers = concern === 'another';
  const mayDeny = isAnothers ? isUnderPlaceholder(came, id) : session !== undefined;
  const isDenied = mayDeny && deniesSession({ status, statusText, headers, body: came, session });
  const isNobodys = isAnothers && isDenied;
  const text = isAnothers && !isNobodys ? '' : came;
  const error = errorIn(text);
  // Nobody opens a session to refuse a request in another one, or in none.
  const named = headers.get('mcp-session-id') ?? session;
  const isForeign = request.method !== 'initialize' && named !== session;
  const isTold = exchange.hasBegun || exchange.mayBeAnswered;
  const isAll = whole && !mayBeCut(response) && !isOfAnotherVersion(came);
  const isDoubtful = wasMoved || isTold || isForeign || !isAll || !(concern === 'own' || isNobodys);
  const refusal = isDoubtful ? undefined : exchange.refused();
  const seen = { status, statusText, text };
  // 2025-11-25: a 404 to a request with a session id means that the session is gone, unless it says something else, or that to
  // somebody else; many use 400.
  const answer = { status, statusText, headers, body: text, session, askedAt };
  if (session !== undefined && isDenied) {
    const lost = isDoubtful ? inDoubt(sessionExpired()) : sessionExpired();
    return replied(
      response,
      errorReply(id, lost, { isProven: true, response: seen, refusal: refusal && nameFor(refusal) }),
    );
  }
  const wire = { http: { status, statusText, headers, body: text, askedAt } };
  const called = tool === undefined ? undefined : { type: 'tool', id: tool };
  const reading = read(wire, { called });
  const doubting = read(wire, { trustDeclarations: false, called });
  const said = reading.failure ? ofEndpoint(reading, answer) : unusable(`HTTP ${status}`);
  const fault = isDoubtful ? inDoubt(said) : said;
  const isProven = doubting.failure && ofEndpoint(doubting, answer).executed === fault.executed;
  const message = errorReply(id, fault, {
    error,
    isProven,
    response: seen,
    refusal: refusal && nameFor(refusal),
  });
  // What tells of work is not to be sent again, not even by somebody who has signed in.
  const isBelieved = isProven || trustDeclarations;
  const maySignIn = SIGN_IN.includes(status) && fault.executed === 'no' && isBelieved;
  if (!maySignIn) return replied(response, message);
  noteSignIn(refusal);
  return signIn(response, message);
}

/**
 * Nobody is told where a packed body breaks off, or goes on: what could be read of it is all that there is. Who is to sign in
 * was asked nothing else.
 */
function mayBeCut({ status, headers }: Response): boolean {
  const coding = headers.get('content-encoding')?.trim() ?? '';
  return !/^(?:identity)?$/i.test(coding) && !SIGN_IN.includes(status);
}

/** The same, of a request that somebody else has had before, or that was worked on. */
function inDoubt(fault: Fault): Fault {
  return fault.executed === 'no' ? { ...fault, executed: 'maybe' } : fault;
}

/** The SDK would follow, and so send the request once more. */
function ledAstray(message: string): Fault {
  return makeFault({
    kind: 'upstream_failed',
    origin: 'server',
    executed: 'maybe',
    retryable: false,
    message,
  });
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
