/** One attempt of one call over HTTP: takes the answer in, and passes it on or hands the failure over. */
import { createEventRelay, type EventRelay } from './event-relay.ts';
import { decode } from './framing/json.ts';
import { hasFailed, mayHaveFailed } from './framing/may-have-failed.ts';
import { peek } from './framing/peek.ts';
import type { Call, Failure, Guard } from './guard.ts';
import type { Flow, HttpAnswer } from './links/http-client.ts';
import { transportFault } from './links/transport-fault.ts';
import { type HttpHeaders, isEventStream, responseHeaders } from './protocol/headers.ts';
import type { Reply, ReplyHeaders } from './reply.ts';

/** What an attempt needs. */
export interface ExchangeOptions {
  readonly call: Call;
  readonly reply: Reply;
  readonly guard: Guard;
  readonly maxMessageBytes: number;
  /** The call is over. */
  readonly done: () => void;
  /** The guard wants another attempt. */
  readonly again: (afterMs: number) => void;
}

/** A stream's head is held back this long, so that a failure that comes at once can still be retried. */
const HOLD_HEAD_MS = 250;

/** One attempt. */
export class Exchange implements HttpAnswer {
  readonly #options: ExchangeOptions;
  #status = 0;
  #headers: HttpHeaders = {};
  #flow: Flow | undefined;
  #chunks: Buffer[] = [];
  #size = 0;
  #events: EventRelay | undefined;
  #headTimer: NodeJS.Timeout | undefined;
  #over = false;
  /** A failing answer was passed on already. */
  #failed = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /** Lets go of the server when the caller goes away. */
  onGone(abort: () => void): void {
    this.#options.reply.onGone(() => {
      if (this.#over) return;
      this.#finish();
      abort();
      this.#options.guard.dropped(this.#options.call);
    });
  }

  onStart(status: number, headers: HttpHeaders, flow: Flow): void {
    this.#status = status;
    this.#headers = headers;
    this.#flow = flow;
    if (status < 200 || status >= 300 || !isEventStream(headers)) return;
    this.#events = createEventRelay((message, bytes) => this.#failedEvent(message, bytes));
    this.#headTimer = setTimeout(() => this.#openStream(), HOLD_HEAD_MS);
  }

  onData(chunk: Buffer): void {
    if (this.#over) return;
    this.#size += chunk.length;
    if (this.#events === undefined) {
      this.#chunks.push(chunk);
      if (this.#size > this.#options.maxMessageBytes) this.#tooLarge();
      return;
    }
    const out = this.#events.push(chunk);
    if (this.#events.held > this.#options.maxMessageBytes) this.#tooLarge();
    if (out === undefined || out.length === 0 || this.#over) return;
    this.#openStream();
    if (!this.#options.reply.event(out)) this.#flow?.pause();
  }

  onEnd(): void {
    if (this.#over) return;
    if (this.#events !== undefined) {
      this.#endStream(this.#events);
      return;
    }
    const { call, guard } = this.#options;
    const body = this.#chunks.length === 1 ? (this.#chunks[0] ?? EMPTY) : Buffer.concat(this.#chunks);
    if (this.#status >= 300) {
      this.#conclude({ type: 'http', status: this.#status, headers: this.#headers, body });
      return;
    }
    if (call.peek.kind === 'request' && this.#status === 200) {
      const failure = failureIn(body, this.#status);
      if (failure !== undefined) {
        this.#conclude(failure);
        return;
      }
      guard.succeeded(call, body);
    }
    this.#finish();
    this.#options.reply.raw(this.#status, responseHeaders(this.#headers), body);
  }

  onError(error: Error, sent: boolean): void {
    if (this.#over) return;
    this.#conclude({ type: 'fault', fault: transportFault(error, sent) });
  }

  #openStream(): void {
    if (this.#headTimer === undefined) return;
    clearTimeout(this.#headTimer);
    this.#headTimer = undefined;
    const { reply } = this.#options;
    reply.stream(responseHeaders(this.#headers));
    reply.response.on('drain', () => this.#flow?.resume());
  }

  /** Inside a stream: what to send in place of a failing answer. */
  #failedEvent(message: unknown, bytes: Buffer): Buffer | undefined {
    const { call, guard, reply } = this.#options;
    const failure: Failure = { type: 'message', message, bytes };
    const decision = guard.failed(call, failure);
    this.#failed = true;
    if ('send' in decision) return decision.send;
    if (reply.isOpen) {
      this.#flow?.abort();
      this.#finish(false);
      this.#options.again(decision.retryAfterMs);
      return undefined;
    }
    return lastWord(guard, call, failure).send;
  }

  #endStream(events: EventRelay): void {
    const { call, guard, reply } = this.#options;
    const complete = events.answer !== undefined || call.peek.kind !== 'request';
    // A stream of the 2025 era that names its events may end early: the client takes it up again.
    if (complete || (events.resumable && call.era === '2025-11-25')) {
      this.#openStream();
      this.#finish();
      if (!this.#failed) guard.succeeded(call, events.answer);
      reply.end();
      return;
    }
    this.#conclude({ type: 'fault', fault: ENDED_EARLY });
  }

  #tooLarge(): void {
    const limit = this.#options.maxMessageBytes;
    this.#conclude({
      type: 'fault',
      fault: {
        kind: 'invalid_output',
        origin: 'gateway',
        message: `The server's answer is larger than the gateway's limit of ${limit} bytes`,
        details: { limit_bytes: limit },
      },
    });
    this.#flow?.abort(); // after the conclusion: it reports an error of its own
  }

  #conclude(failure: Failure): void {
    const { call, guard, reply } = this.#options;
    const first = guard.failed(call, failure);
    if ('retryAfterMs' in first && reply.isOpen) {
      this.#finish(false);
      this.#options.again(first.retryAfterMs);
      return;
    }
    const decision = 'send' in first ? first : lastWord(guard, call, failure);
    this.#finish();
    if (reply.isStream) {
      reply.event(Buffer.concat([DATA, decision.send, END]));
      reply.end();
    } else reply.json(decision.status, decision.send, { ...sessionOf(this.#headers), ...decision.headers });
  }

  #finish(callIsOver = true): void {
    this.#over = true;
    clearTimeout(this.#headTimer);
    this.#chunks = [];
    if (callIsOver) this.#options.done();
  }
}

const EMPTY: Buffer = Buffer.alloc(0);
const DATA: Buffer = Buffer.from('event: message\ndata: ');
const END: Buffer = Buffer.from('\n\n');
const ENDED_EARLY = {
  kind: 'disconnected',
  origin: 'upstream',
  message: 'The stream ended before the answer came',
} as const;

function failureIn(body: Buffer, status: number): Failure | undefined {
  if (mayHaveFailed(body)) {
    const message = decode(body);
    if (hasFailed(message)) return { type: 'message', message, bytes: body, status };
  }
  if (peek(body).kind === 'response') return undefined;
  return {
    type: 'fault',
    fault: {
      kind: 'invalid_output',
      origin: 'upstream',
      message: 'The server answered with something that is not a JSON-RPC response',
    },
  };
}

/** After this the guard has no retries left to give. */
function lastWord(
  guard: Guard,
  call: Call,
  failure: Failure,
): { send: Buffer; status: number; headers?: ReplyHeaders } {
  call.isLast = true;
  const decision = guard.failed(call, failure);
  return 'send' in decision ? decision : { send: EMPTY, status: 500 };
}

/** The session survives its failures. */
function sessionOf(headers: HttpHeaders): ReplyHeaders {
  const id = headers['mcp-session-id'];
  return typeof id === 'string' ? { 'mcp-session-id': id } : {};
}
