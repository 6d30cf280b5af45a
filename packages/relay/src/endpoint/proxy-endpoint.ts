/**
 * An HTTP server behind the relay: requests and answers cross it as they are, sessions and resumption included,
 * and only failures are opened.
 */

import type { FaultInit } from '@mayday/core';
import { credentialsIn } from '@mayday/core/http';
import { compose } from '@mayday/policy';
import { type StreamEvent, withId, withSayableId } from '../framing/events.ts';
import { idOf } from '../framing/ids.ts';
import type { HttpClient } from '../links/http-client.ts';
import { createHttpClient, type HttpClientOptions } from '../links/http1/client.ts';
import type { HttpHead } from '../links/link.ts';
import { createNotes, type Note } from '../links/notes.ts';
import { type HttpHeaders, requestHeaders } from '../protocol/headers.ts';
import { answerCall } from './answer-call.ts';
import { CallEnded, type Caller, lost, nameOf, type WireCall, type WireHandler } from './call.ts';
import { callOf, NEVER } from './call-of.ts';
import { type Asked, type Cancellable, createCancellable } from './cancellable.ts';
import { AskingDelivery, DirectDelivery } from './delivery.ts';
import { Ender } from './ender.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import { type Incoming, takeIn } from './incoming.ts';
import { LeftStreams, lostAnswer } from './left-streams.ts';
import { LostSessions } from './lost-sessions.ts';
import { acceptToSend, TAKES_NO_STREAM } from './media-types.ts';
import { type InSession, ServersQuestions } from './open-questions.ts';
import { overHttp } from './over-http.ts';
import { type LeftPlace, passThrough } from './pass-through.ts';
import { CALLER_LEFT, NO_EVENT, NO_SESSION } from './refusals.ts';
import type { ReplyHeaders } from './reply.ts';
import { Seals } from './session-seal.ts';
import { Tellings } from './tellings.ts';
import { UnderWay } from './under-way.ts';
import { OUTDATED_MS, untilIdle } from './until-idle.ts';
import { type Endpoint, mendingFor, type Path, type Visit } from './visit.ts';

/** Which server, and what stands in front of it. */
export interface ProxyEndpointOptions {
  readonly upstream: string;
  readonly url: URL;
  readonly path: Path;
  /** Gives ids that the server is asked under by nobody else. */
  readonly newId: () => number;
  /** Known to no caller: what makes the ids of sessions and events theirs. */
  readonly sealSecret: Buffer;
  /** The endpoint that this one replaces: what is asked there can be cancelled here. */
  readonly before?: ProxyEndpoint | undefined;
  /** Headers for the server; they replace what a caller sends under the same name, an empty value removes it. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** How the server is reached. */
  readonly reach?: HttpClientOptions | undefined;
  /** The credential of a caller who is known here goes to the server only if it is for this audience too. */
  readonly tokenAudience?: string | undefined;
  /** Streams that are not part of a call are given up after this long without a head. */
  readonly timeoutMs: number;
  /** The same for what ends an opening: until then nothing else is asked. */
  readonly openTimeoutMs: number;
  readonly maxMessageBytes: number;
  /** Messages that are nested deeper are refused. */
  readonly maxDepth?: number | undefined;
  /** An answer that arrives outside of its call, as it may reach the caller. */
  readonly mendStray: (call: WireCall, message: Buffer) => Promise<Buffer>;
  /** Which headers of a failing answer to what is no call may reach the caller. */
  readonly failingHeaders: (status: number, headers: ReplyHeaders) => ReplyHeaders;
  /** May the id of an event reach the caller? Any may, if absent. */
  readonly maySay?: ((id: string) => boolean) | undefined;
  /** Says that a method of HTTP is not served: with 405, and these headers. */
  readonly notServed: (visit: Visit, headers: ReplyHeaders) => void;
  /** Something an operator should know: one printable line. It may hold secrets. */
  readonly onNote?: ((note: string) => void) | undefined;
  readonly onBug?: ((error: unknown) => void) | undefined;
  readonly now?: (() => number) | undefined;
}

/** Relays to an HTTP server. */
export class ProxyEndpoint implements Endpoint {
  readonly #options: ProxyEndpointOptions;
  readonly #client: HttpClient;
  readonly #urlPath: string;
  readonly #set: ReadonlyMap<string, string>;
  /** Who is known here by a credential has sent it to us, and not to the server. */
  readonly #setForKnown: ReadonlyMap<string, string>;
  /** The settings put a credential in the place of everybody's: the server may go by that alone. */
  readonly #setsCredentials: boolean;
  readonly #now: () => number;
  readonly #note: Note;
  readonly #inFlight: InFlight = createInFlight();
  readonly #cancellable: Cancellable;
  readonly #underWay: UnderWay<string>;
  readonly #questions: ServersQuestions;
  readonly #tellings: Tellings;
  readonly #lostSessions: LostSessions;
  readonly #leftStreams: LeftStreams;
  readonly #handler: WireHandler;
  /** What the server is asked just now, also where nobody waits for the answer any more. */
  #asked = 0;
  readonly #seals: Seals;

  constructor(options: ProxyEndpointOptions) {
    this.#options = options;
    this.#client = createHttpClient(options.url.origin, options.reach);
    this.#seals = new Seals(options.upstream, options.sealSecret);
    this.#urlPath = options.url.pathname + options.url.search;
    this.#set = new Map(
      Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    );
    this.#setForKnown = new Map([['authorization', ''], ...this.#set]);
    this.#setsCredentials =
      credentialsIn(this.#set, options.url.searchParams) !== undefined || options.reach?.give !== undefined;
    this.#now = options.now ?? Date.now;
    this.#note = createNotes(options.onNote, { now: this.#now });
    this.#cancellable = options.before === undefined ? createCancellable() : options.before.#cancellable;
    this.#underWay = options.before === undefined ? new UnderWay() : options.before.#underWay;
    this.#questions =
      options.before === undefined ? new ServersQuestions(this.#now) : options.before.#questions;
    this.#tellings = options.before === undefined ? new Tellings() : options.before.#tellings;
    this.#lostSessions = options.before === undefined ? new LostSessions() : options.before.#lostSessions;
    this.#leftStreams = options.before === undefined ? new LeftStreams() : options.before.#leftStreams;
    this.#handler = compose([...options.path.outer, ...options.path.inner], this.#overHttp());
  }

  #overHttp(): WireHandler {
    return overHttp({
      client: this.#client,
      path: this.#urlPath,
      maxMessageBytes: this.#options.maxMessageBytes,
      hear: this.#options.path.hear,
      newId: this.#options.newId,
      tellings: this.#tellings,
      lostSessions: this.#lostSessions,
      headersFor: (call) => this.#headersFor(call, call.by),
      sessionOf: (call) => this.#sessionOf(call.headers, call.by),
      headersBack: (call, headers) => this.#headersBack(headers, call.by),
      sayable: this.#sayable,
      eventBack: (call, event, head) => this.#eventBack(event, head, call.headers, call.by),
      note: this.#note,
      onLeft: (call, session, event) => this.#leftStreams.leave(session, event, call),
      onAsked: (call) => {
        this.#asked += 1;
        const forget = this.#keep(call);
        return () => {
          this.#asked -= 1;
          forget?.();
        };
      },
    });
  }

  /** A call that goes on is not cancelled either when its caller has left. */
  #keep(call: WireCall): (() => void) | undefined {
    const goesOn = this.#options.path.goesOn?.(call) === true;
    const asked = goesOn ? askedBy(call.headers, call.by, idOf(call.body, call.peek)) : undefined;
    return asked && this.#cancellable.add(asked, { ender: new Ender(), goesOn });
  }

  handle(visit: Visit): void {
    const { method } = visit.request;
    if (method !== 'POST' && method !== 'GET' && method !== 'DELETE') {
      this.#options.notServed(visit, { allow: 'POST, GET, DELETE' });
      return;
    }
    const incoming = takeIn(visit.request, visit.body, this.#options.maxDepth);
    const { headers } = visit.request;
    const isTheirs =
      headers['mcp-session-id'] === undefined || this.#sessionOf(headers, visit.caller) !== undefined;
    if (!isTheirs) this.#refuse(visit, incoming, 404, NO_SESSION);
    else if (!this.#wasSentTo(visit.caller, headers)) this.#refuse(visit, incoming, 400, NO_EVENT);
    else if (method !== 'POST') this.#pass(visit, incoming, method);
    else if (incoming.refusal !== undefined) this.#refuse(visit, incoming, 400, incoming.refusal);
    else if (incoming.peek.kind === 'request') this.#run(visit, incoming);
    else this.#pass(visit, incoming, 'POST');
  }

  /** Sessions are the server's: there is nothing here that a replaced endpoint would have to keep. */
  holds(): boolean {
    return false;
  }

  retire(graceMs: number): Promise<void> {
    return this.finish(graceMs);
  }

  async finish(graceMs: number): Promise<void> {
    this.#inFlight.endStanding(OUTDATED_MS);
    await untilIdle(() => this.#inFlight.size + this.#asked === 0, graceMs);
    await this.close();
  }

  async close(graceMs = 5000): Promise<void> {
    await this.#inFlight.drain(graceMs);
    await this.#client.close();
  }

  #run(visit: Visit, incoming: Incoming): void {
    const { reply } = visit;
    const asked = askedBy(visit.request.headers, visit.caller, idOf(incoming.body, incoming.peek));
    const key = asked && JSON.stringify([asked.caller, asked.session, asked.id]);
    const ender = new Ender();
    const release = this.#inFlight.add(ender, incoming.peek.method === 'subscriptions/listen');
    const session = inSession(visit);
    const delivery = new AskingDelivery(reply, session, this.#questions);
    const left = (): void => ender.abort(new CallEnded(CALLER_LEFT));
    reply.onGone(() => (key === undefined ? left() : this.#underWay.left(key, call.body, left)));
    const call = this.#callOf(visit, incoming, ender.signal, delivery);
    const goesOn = this.#options.path.goesOn?.(call) === true;
    const forget = asked && this.#cancellable.add(asked, { ender, goesOn });
    const path = key === undefined ? this.#handler : this.#underWay.once(key, this.#handler, left);
    void answerCall(path, call, delivery, {
      onBug: this.#options.onBug,
      abort: () => reply.abort(),
      onOutcome: () => {
        release();
        forget?.();
        delivery.over();
      },
    });
  }

  /** What is no request: what the server says about it goes through, without its body. */
  #pass(visit: Visit, incoming: Incoming, method: 'GET' | 'DELETE' | 'POST'): void {
    const { reply, caller, request, body } = visit;
    const stray = this.#callOf(visit, incoming, NEVER, new DirectDelivery(reply));
    if (incoming.peek.method === 'notifications/cancelled' && this.#cancelled(visit, stray)) {
      reply.raw(202, {});
      return;
    }
    const { timeoutMs, openTimeoutMs } = this.#options;
    const endsOpening = incoming.peek.method === 'notifications/initialized';
    const session = inSession(visit);
    const mended = mendingFor(visit, this.#options.path, () => stray);
    if (incoming.peek.kind === 'response') this.#questions.answered(session, idOf(body, incoming.peek));
    const ender = new AbortController();
    const release = this.#inFlight.add(ender, method === 'GET');
    const left = method === 'GET' ? this.#leftPlace(visit, stray) : undefined;
    reply.onClose(release);
    passThrough({
      client: this.#client,
      request: {
        method,
        path: this.#urlPath,
        headers: this.#headersFor(request, caller, method),
        headersTimeoutMs: endsOpening ? Math.min(timeoutMs, openTimeoutMs) : timeoutMs,
        session: this.#sessionOf(request.headers, caller),
        callerName: nameOf(caller),
        ...(method === 'POST' ? { body } : {}),
      },
      reply,
      signal: ender.signal,
      headersBack: (headers) => this.#headersBack(headers, caller),
      sayable: this.#sayable,
      eventBack: (event, head) => this.#eventBack(event, head, request.headers, caller),
      failingHeaders: this.#options.failingHeaders,
      statusBack: (status) => (hasToken(caller) && (status === 401 || status === 403) ? 502 : status),
      maxMessageBytes: this.#options.maxMessageBytes,
      session: this.#sessionOf(request.headers, caller),
      left,
      resumes: lastEventIn(request.headers) !== undefined,
      notServed: (headers) => this.#options.notServed(visit, headers),
      notAccepted: () => this.#refuse(visit, incoming, TAKES_NO_STREAM.status, TAKES_NO_STREAM.fault),
      note: this.#note,
      hear: (message, seen) => this.#tellings.hear(this.#sessionOf(request.headers, caller), message, seen),
      onBegun: () => this.#tellings.tell(this.#sessionOf(request.headers, caller)),
      mend: (message) => {
        this.#questions.toClient(session, message);
        return mended(message);
      },
      mendStray: (message) => this.#options.mendStray(stray, message),
    });
  }

  /** The call whose stream is taken up again. */
  #leftPlace({ request, caller }: Visit, stray: WireCall): LeftPlace | undefined {
    const session = this.#sessionOf(request.headers, caller);
    const last = lastEventIn(request.headers);
    const event = last && this.#seals.openEvent(last, caller, session);
    const left = this.#leftStreams.take(session, event);
    if (left === undefined || session === undefined || event === undefined) return undefined;
    return {
      leave: (newest = event) => this.#leftStreams.leaveAgain(session, newest, left),
      lost: () => lostAnswer(this.#options.path.outer, stray, left),
    };
  }

  /** A server may answer what is cancelled with silence: nobody waits for that. True: the call goes on, untold. */
  #cancelled(visit: Visit, { params }: WireCall): boolean {
    const id = params()?.['requestId'];
    const named = typeof id === 'string' || typeof id === 'number' ? id : undefined;
    const asked = askedBy(visit.request.headers, visit.caller, named);
    return asked !== undefined && this.#cancellable.cancel(asked)?.goesOn === true;
  }

  #callOf(visit: Visit, incoming: Incoming, signal: AbortSignal, delivery: DirectDelivery): WireCall {
    return callOf(incoming, {
      caller: visit.caller,
      room: visit.room,
      upstream: this.#options.upstream,
      now: this.#now(),
      signal,
      delivery,
      withheld: this.#setsCredentials ? undefined : () => this.#withheld(incoming, visit.caller),
      isPassedOn: true,
      cannotResume: visit.reply.cannotResume,
      mend: this.#options.path.mend,
    });
  }

  /** By what is sent in fact, so that no list of what stays here can fall behind. Parameters of our address are none of the server's. */
  #withheld(came: Incoming, caller: Caller): string | undefined {
    const sent = new Set(pairsOf(this.#headersFor(came, caller)).map(String));
    const left = pairsOf(came.rawHeaders).filter((pair) => !sent.has(String(pair)));
    return credentialsIn(left, new URLSearchParams(came.query));
  }

  #headersFor({ rawHeaders, headers: said }: Headed, caller: Caller, method = 'POST'): string[] {
    // A credential that is known here stays here, unless it is for the server too.
    const set = caller.isKnown && !this.#mayHave(caller) ? this.#setForKnown : this.#set;
    const accept = acceptToSend(said['accept'], method);
    const own = accept === undefined || set.has('accept') ? set : new Map([...set, ['accept', accept]]);
    const headers = requestHeaders(rawHeaders, text(said['connection']), own);
    if (caller.seal === undefined) return headers;
    for (let i = 0; i + 1 < headers.length; i += 2) {
      const value = headers[i + 1] ?? '';
      if (headers[i] === 'mcp-session-id') headers[i + 1] = this.#seals.openSession(value, caller) ?? '';
      else if (headers[i] === 'last-event-id')
        headers[i + 1] = this.#seals.openEvent(value, caller, this.#sessionOf(said, caller)) ?? '';
    }
    return headers;
  }

  /** Is the credential of this caller for the server too? */
  #mayHave({ audiences }: Caller): boolean {
    const { tokenAudience } = this.#options;
    return tokenAudience !== undefined && audiences?.includes(tokenAudience) === true;
  }

  #sessionOf(headers: HttpHeaders, caller: Caller): string | undefined {
    const id = headers['mcp-session-id'];
    return typeof id === 'string' ? this.#seals.openSession(id, caller) : undefined;
  }

  /** Is the event after which a stream is to go on one of this caller's? */
  #wasSentTo(caller: Caller, headers: HttpHeaders): boolean {
    const last = lastEventIn(headers);
    const session = this.#sessionOf(headers, caller);
    return last === undefined || this.#seals.openEvent(last, caller, session) !== undefined;
  }

  readonly #sayable = (event: StreamEvent): StreamEvent => {
    const { maySay } = this.#options;
    return maySay === undefined ? event : withSayableId(event, maySay);
  };

  /** The client comes back in the session that the server has named last: with the answer, or before. */
  #eventBack(event: StreamEvent, head: HttpHead, asked: HttpHeaders, caller: Caller): StreamEvent {
    if (caller.seal === undefined) return event;
    const session = text(head.headers['mcp-session-id']) ?? this.#sessionOf(asked, caller);
    return withId(event, (id) => this.#seals.event(id, caller, session));
  }

  #headersBack(headers: ReplyHeaders, caller: Caller): ReplyHeaders {
    const id = headers['mcp-session-id'];
    if (id === undefined || caller.seal === undefined) return headers;
    return { ...headers, 'mcp-session-id': this.#seals.session(id, caller) };
  }

  #refuse(visit: Visit, incoming: Incoming, status: number, fault: FaultInit): void {
    const delivery = new DirectDelivery(visit.reply);
    const call = this.#callOf(visit, incoming, NEVER, delivery);
    const path = compose(this.#options.path.outer, async (refused) => lost(refused, fault, { status }));
    void answerCall(path, call, delivery, {
      onBug: this.#options.onBug,
      abort: () => visit.reply.abort(),
    });
  }
}

/** Its client would take a challenge of the server for one of ours, and log in again. */
function hasToken({ metadataUrl }: Caller): boolean {
  return metadataUrl !== undefined;
}

function askedBy(headers: HttpHeaders, caller: Caller, id: string | number | undefined): Asked | undefined {
  const session = headers['mcp-session-id'];
  return typeof session === 'string' && id !== undefined ? { caller: caller.id, session, id } : undefined;
}

/** After which event a stream is to go on, if it is to. */
function lastEventIn(headers: HttpHeaders): string | undefined {
  return text(headers['last-event-id']) || undefined;
}

function inSession({ request, caller }: Visit): InSession {
  return { caller: caller.id, session: text(request.headers['mcp-session-id']) };
}

/** Names, in lower case, and values of headers that are given in turn. */
function pairsOf(headers: readonly string[]): (readonly [name: string, value: string])[] {
  return Array.from({ length: headers.length >> 1 }, (_, i) => [
    (headers[2 * i] ?? '').toLowerCase(),
    headers[2 * i + 1] ?? '',
  ]);
}

/** Something with headers, as they came and by name. */
interface Headed {
  readonly rawHeaders: readonly string[];
  readonly headers: HttpHeaders;
}

function text(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
