/**
 * A link to an HTTP server: every message is a request of its own, answers come as JSON or as events, and what
 * the server says unasked comes over the standing stream of the session.
 */
import type { FaultInit } from '@mayday/core';
import { messagesIn } from '../framing/batch.ts';
import { idBytes } from '../framing/ids.ts';
import { decode, encode } from '../framing/json.ts';
import { locate, splice } from '../framing/members.ts';
import { type Peek, peek } from '../framing/peek.ts';
import { envelopeHeaders } from '../protocol/envelope.ts';
import { type HttpHeaders, isHopByHop } from '../protocol/headers.ts';
import { resultOf } from '../protocol/params.ts';
import { tellsOfWork } from '../protocol/tells-of-work.ts';
import { answeredId, countIds, tokenIn } from './asked-as.ts';
import { CallerCounts } from './caller-counts.ts';
import { AnswerReader } from './http-answer.ts';
import { type CallTakeUp, HttpCall } from './http-call.ts';
import type { HttpAnswer, HttpClient } from './http-client.ts';
import { createHttpClient, type HttpClientOptions } from './http1/client.ts';
import { isLostWhenAsked } from './known-session.ts';
import { linesAsEvents } from './lines-as-events.ts';
import type { Cancel, Link, LinkEvents, Outgoing, Sink } from './link.ts';
import { createNotes, type Note } from './notes.ts';
import {
  CANCELLED,
  CLOSED_EARLY,
  LINK_CLOSED,
  NOT_A_REQUEST,
  refuse,
  TOO_MANY,
  TOO_MANY_OF_ONE,
} from './refuse.ts';
import { RefusedRequests } from './refused-requests.ts';
import { isConversational, NOT_OPENED_BY_ONE } from './shared-link.ts';
import { StandingStream } from './standing-stream.ts';
import { takeUp } from './take-up.ts';

/** Which server. */
export interface HttpLinkOptions extends LinkEvents {
  readonly url: URL;
  /** Headers for the server. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** How the server is reached. */
  readonly reach?: HttpClientOptions | undefined;
  /** The caller's `Authorization` is for this server: it goes along unless `headers` has one. */
  readonly passAuthorization?: boolean | undefined;
  /** Many callers speak over this link: nobody opens it for all, and nobody cancels what is not theirs. */
  readonly shared?: boolean | undefined;
  /** One client alone speaks over this link: whose work the server tells of, wherever it does, is one of its requests. */
  readonly ofOne?: boolean | undefined;
  /** How long the first byte of an answer may take; 0: as long as whoever asks can wait. */
  readonly timeoutMs?: number | undefined;
  readonly maxMessageBytes?: number | (() => number) | undefined;
  /** Requests in flight; more are turned away. */
  readonly maxPending?: number | undefined;
  /** Requests in flight of one caller, where messages say whose they are; more are turned away. */
  readonly maxPendingPerCaller?: number | undefined;
  /** Gives an id that no other request to this server has, over whichever link. Default: counts from 1. */
  readonly newId?: (() => number) | undefined;
  readonly now?: (() => number) | undefined;
}

const JSON_TYPE = 'application/json';
const BOTH_TYPES = 'application/json, text/event-stream';
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const MAX_PENDING = 1000;
const TIMEOUT_MS = 300_000;
const SEND_TIMEOUT_MS = 60_000;
const FAREWELL_TIMEOUT_MS = 1000;

/** A link to an HTTP server. */
export class HttpLink implements Link {
  readonly #options: HttpLinkOptions;
  readonly #client: HttpClient;
  readonly #path: string;
  readonly #note: Note;
  readonly #limit: number | (() => number);
  readonly #newId: () => number;
  readonly #calls: Set<HttpCall> = new Set();
  readonly #byCaller: CallerCounts = new CallerCounts();
  readonly #refused: RefusedRequests = new RefusedRequests();
  #standing: StandingStream | undefined;
  #session: string | undefined;
  #run: object = {};
  #version: string | undefined;
  #closed = false;
  #told = 0;
  /** The server is being asked whether it knows the session, once for everybody. */
  #asking: Promise<boolean> | undefined;

  constructor(options: HttpLinkOptions) {
    this.#options = options;
    this.#client = createHttpClient(options.url.origin, options.reach);
    this.#path = options.url.pathname + options.url.search;
    this.#note = createNotes(options.onNote, { now: options.now ?? Date.now });
    this.#limit = options.maxMessageBytes ?? MAX_MESSAGE_BYTES;
    this.#newId = options.newId ?? countIds();
  }

  get #maxBytes(): number {
    return typeof this.#limit === 'number' ? this.#limit : this.#limit();
  }

  get told(): number {
    return this.#told;
  }

  /** A session that the server has opened, or that there is none. */
  get run(): object | undefined {
    return this.#closed ? undefined : this.#run;
  }

  /** Requests in flight. */
  get pending(): number {
    return this.#calls.size;
  }

  request(message: Outgoing, sink: Sink): Cancel {
    const refusal = this.#refusal(message);
    if (refusal !== undefined) return refuse(sink, refusal);
    const opens = message.peek.method === 'initialize';
    const session = opens || message.revision !== '2025-11-25' ? undefined : this.#session;
    const call: HttpCall = new HttpCall({
      message,
      id: this.#newId(),
      sink,
      maxBytes: this.#maxBytes,
      note: this.#note,
      onStart: ({ headers }) => {
        if (opens) this.#opened(sessionIn(headers));
      },
      onAnswer: (answer) => {
        if (opens) this.#version = versionIn(answer);
      },
      session,
      hearsMore: this.#standing !== undefined,
      takeUp: opens || message.revision !== '2025-11-25' ? undefined : (told) => this.#takeUp(message, told),
      onDone: () => {
        this.#calls.delete(call);
        this.#byCaller.remove(message.caller);
        if (this.#isSayingMore) call.told();
      },
      onSaid: (bytes, seen) => this.#saidIn(call, bytes, seen),
      onTold: () => {
        if (this.#options.ofOne === true) this.#tell();
      },
      onStray: (bytes, seen) => this.#overhear(bytes, seen),
      onDoubted: (isUnopened) => this.#whenDoubted(message, session, isUnopened),
      onRefused: () => {
        const late = sink.late?.();
        const callersId = idBytes(message.body, message.peek);
        const { id = '', token } = call.asked;
        late?.askBefore(() => this.#isSayingMore);
        if (late !== undefined) this.#refused.keep(id, { late, callersId, token });
      },
    });
    this.#calls.add(call);
    this.#byCaller.add(message.caller);
    call.abort = this.#post(message, call.asked.body, call.reader, this.#options.timeoutMs ?? TIMEOUT_MS);
    return (reason) => {
      if (call.drop()) this.#tellCancelled(message, call.asked.id, reason);
    };
  }

  send(message: Outgoing): void {
    const { kind, method } = message.peek;
    if (this.#closed || kind === 'invalid') return;
    const isCancel = method === 'notifications/cancelled';
    if (this.#options.shared === true && (isCancel || isConversational(message.peek))) return;
    if (isCancel) {
      this.#cancelled(message);
      return;
    }
    this.#post(message, message.body, this.#heedless(), SEND_TIMEOUT_MS);
    if (method === 'notifications/initialized') this.#listen();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#standing?.close();
    for (const call of [...this.#calls]) call.lose(CLOSED_EARLY);
    if (this.#session !== undefined) await this.#endSession();
    await this.#client.close();
  }

  #opened(session: string | undefined): void {
    if (session !== this.#session) this.#run = {};
    this.#session = session;
  }

  #refusal({ caller, peek: { kind, method } }: Outgoing): FaultInit | undefined {
    const { shared, maxPending = MAX_PENDING, maxPendingPerCaller = Infinity } = this.#options;
    if (this.#closed) return LINK_CLOSED;
    if (kind !== 'request') return NOT_A_REQUEST;
    if (method === 'initialize' && shared === true) return NOT_OPENED_BY_ONE;
    if (this.#byCaller.of(caller) >= maxPendingPerCaller) return TOO_MANY_OF_ONE;
    return this.#calls.size >= maxPending ? TOO_MANY : undefined;
  }

  #post(message: Outgoing, body: Buffer, answer: HttpAnswer, headersTimeoutMs: number): () => void {
    return this.#client.send(
      {
        method: 'POST',
        path: this.#path,
        headers: this.#headers(BOTH_TYPES, message),
        callerName: message.callerName,
        body,
        headersTimeoutMs,
      },
      linesAsEvents(answer),
    );
  }

  #takeUp(message: Outgoing, told: CallTakeUp): () => void {
    return takeUp({
      ...told,
      client: this.#client,
      path: this.#path,
      headers: () => this.#headers('text/event-stream', message),
      maxBytes: this.#maxBytes,
    });
  }

  /** Whoever holds this conversation is told where its session is lost. What is said late of one before it changes nothing. */
  async #whenDoubted(message: Outgoing, session: string | undefined, isUnopened: boolean): Promise<void> {
    const { onForgotten } = this.#options;
    if (session === undefined || session !== this.#session || onForgotten === undefined || this.#closed)
      return;
    const isLost = isUnopened || (await this.#askIfKnown(message, session));
    if (isLost && session === this.#session && !this.#closed) onForgotten();
  }

  #askIfKnown(message: Outgoing, session: string): Promise<boolean> {
    this.#asking ??= isLostWhenAsked({
      client: this.#client,
      path: this.#path,
      headers: this.#headers(BOTH_TYPES, { ...message, peek: { ...message.peek, method: 'ping' } }),
      callerName: message.callerName,
      session,
    }).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** For what has no answer: only a refusal is of interest. */
  #heedless(): AnswerReader {
    return new AnswerReader({
      maxBytes: this.#maxBytes,
      expectsAnswer: false,
      onMessage: () => {},
      onOver: (fault) => {
        if (fault !== undefined) this.#note(`did not take a message: ${fault.message ?? fault.kind}`);
      },
    });
  }

  #headers(accept: string, message?: Outgoing): string[] {
    const headers: { [name: string]: string } = { 'content-type': JSON_TYPE, accept };
    for (const [name, value] of Object.entries(message?.headers ?? {})) {
      if (this.#goesAlong(name)) headers[name] = value;
    }
    for (const [name, value] of Object.entries(this.#options.headers ?? {})) {
      if (!isHopByHop(name.toLowerCase())) headers[name.toLowerCase()] = value;
    }
    if (message?.revision === '2026-07-28') Object.assign(headers, envelopeHeaders(message));
    else if (message?.peek.method !== 'initialize') {
      if (this.#session !== undefined) headers['mcp-session-id'] = this.#session;
      if (this.#version !== undefined) headers['mcp-protocol-version'] = this.#version;
    }
    return Object.entries(headers).flat();
  }

  /** What a message brings along beside its body: where it is traced, and parameters repeated as headers. */
  #goesAlong(name: string): boolean {
    if (name === 'authorization') return this.#options.passAuthorization === true;
    return name === 'traceparent' || name === 'tracestate' || name.startsWith('mcp-param-');
  }

  #listen(): void {
    this.#standing?.close();
    this.#standing = new StandingStream({
      client: this.#client,
      path: this.#path,
      headers: () => this.#headers('text/event-stream'),
      maxBytes: this.#maxBytes,
      onMessage: (message) => {
        this.#overhear(message, peek(message));
        this.#options.onMessage(message);
      },
      onStray: (bytes, seen) => this.#overhear(bytes, seen),
      onBegun: () => this.#tell(),
      onForgotten: () => this.#options.onForgotten?.(),
      note: this.#note,
    });
  }

  /** What came where no answer belongs. Who says anything there has begun, whatever it says in its place. */
  #overhear(came: Buffer, cameAs: Peek): void {
    for (const { bytes, seen } of messagesIn(came, cameAs)) {
      if (seen.kind === 'response') {
        const id = answeredId(bytes, seen);
        if ([...this.#calls].some(({ asked }) => asked.mayBeAnsweredUnder(id))) this.#told += 1;
        this.#refused.answered(id, bytes, seen);
      } else if (seen.kind === 'invalid' || tellsOfWork(seen.method)) this.#tell();
      // Nobody takes a list, and what a tool said of itself does not hold any more.
      else if (cameAs.why === 'batch' && isChangeOfTools(seen)) this.#options.onMessage(bytes);
    }
  }

  /** Told in the stream of one request, it may be of another: of any, where all are one client's, or of the one that it names. */
  #saidIn({ asked }: HttpCall, bytes: Buffer, seen: Peek): void {
    if (!tellsOfWork(seen.method)) return;
    if (this.#options.ofOne === true) {
      this.#tell();
      return;
    }
    const token = tokenIn(bytes, seen);
    if (token === undefined || token === asked.token) return;
    for (const call of this.#calls) if (call.asked.token === token) call.told();
    this.#refused.toldUnder(token);
  }

  /** Has something begun in the stream of a request whose end has not come? Where many speak, it may be anybody's. */
  get #isSayingMore(): boolean {
    return this.#options.ofOne === true && [...this.#calls].some(({ isSayingMore }) => isSayingMore);
  }

  /** It has told of work, and not for whom. */
  #tell(): void {
    this.#told += 1;
    this.#refused.told();
  }

  /** The client cancelled a request of its own: the server is told with its own words. What is answered is not cancelled. */
  #cancelled(message: Outgoing): void {
    const { body, peek: seen } = message;
    const range = locate(body, seen.paramsStart, 'requestId');
    const id = range && decode(body.subarray(range.start, range.end));
    if (range === undefined) return;
    for (const call of [...this.#calls]) {
      if (!call.hasId(id)) continue;
      const told = splice(body, [range], Buffer.from(String(call.asked.id)));
      this.#post(message, told, this.#heedless(), SEND_TIMEOUT_MS);
      call.lose(CANCELLED);
    }
  }

  /** In 2026-07-28, and where many speak over one link, the end of the connection says it. */
  #tellCancelled(
    { peek: seen, revision }: Outgoing,
    requestId: string | number | undefined,
    reason: string | undefined,
  ): void {
    if (this.#closed || revision === '2026-07-28' || this.#options.shared === true) return;
    if (seen.method === 'initialize') return; // the specification does not allow to cancel the opening
    const told = encode({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } });
    this.#post({ body: told, peek: peek(told), revision }, told, this.#heedless(), SEND_TIMEOUT_MS);
  }

  /** A server that is gone is not waited for. */
  #endSession(): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, FAREWELL_TIMEOUT_MS).unref();
      this.#client.send(
        {
          method: 'DELETE',
          path: this.#path,
          headers: this.#headers(JSON_TYPE),
          headersTimeoutMs: FAREWELL_TIMEOUT_MS,
        },
        { onStart: () => {}, onData: () => {}, onEnd: resolve, onError: () => resolve() },
      );
    });
  }
}

/** The session that a server opened. The specification wants visible ASCII, and so do we: it goes into headers. */
function sessionIn(headers: HttpHeaders): string | undefined {
  const id = headers['mcp-session-id'];
  return typeof id === 'string' && /^[\x21-\x7e]{1,1024}$/.test(id) ? id : undefined;
}

function versionIn(answer: Buffer): string | undefined {
  const version = resultOf(decode(answer))?.['protocolVersion'];
  return typeof version === 'string' && /^[\x21-\x7e]{1,64}$/.test(version) ? version : undefined;
}

function isChangeOfTools({ kind, method }: Peek): boolean {
  return kind === 'notification' && method === 'notifications/tools/list_changed';
}
