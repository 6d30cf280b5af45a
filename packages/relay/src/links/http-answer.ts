/** An HTTP answer to one message: the messages in it, or why there are none. */
import { type FaultInit, read } from '@mayday/core';
import { createEventSplitter, type StreamEvent, saysSomething, splitEvents } from '../framing/events.ts';
import { locate } from '../framing/members.ts';
import { type Peek, peek } from '../framing/peek.ts';
import { createPile } from '../framing/pile.ts';
import { skipSpace } from '../framing/scan.ts';
import { toUtf8 } from '../framing/utf8.ts';
import { isEventStream } from '../protocol/headers.ts';
import type { AskedAs } from './asked-as.ts';
import type { Flow, HttpAnswer } from './http-client.ts';
import { type HttpHead, NO_HEAD } from './link.ts';
import { isPacked, isPackedStream, ofStatusAlone, saysPacked } from './packed.ts';
import { tooDeep } from './too-deep.ts';
import { transportFault } from './transport-fault.ts';
import { wholeHead } from './whole-head.ts';

/** What to expect, and who is told. */
export interface AnswerReaderOptions {
  readonly maxBytes: number;
  /** The message was a request: without an answer something is wrong. */
  readonly expectsAnswer: boolean;
  readonly onStart?: ((head: HttpHead, flow: Flow) => void) | undefined;
  readonly onMessage: (message: Buffer) => void;
  /** The request that it answers, where what came for it is told to somebody. */
  readonly asked?: Pick<AskedAs, 'judge' | 'quoted'> | undefined;
  /** Does a body say that the server does not know the session? Then it is no answer, whatever it has the form of. */
  readonly denies?: ((body: Buffer, seen: Peek) => boolean) | undefined;
  /** Something came in place of the answer that may be for somebody else: it is told to nobody. */
  readonly onAnothers?: ((body: Buffer, seen: Peek) => void) | undefined;
  /** So much of what is not complete is held. */
  readonly onHeld?: ((bytes: number) => void) | undefined;
  /** An event of a stream, before the message in it. */
  readonly onEvent?: ((event: StreamEvent) => void) | undefined;
  /** An event of a stream has begun, and says something, and its end has not come. */
  readonly onBegun?: (() => void) | undefined;
  /** No more will come, whatever has begun. */
  readonly onClosing?: (() => void) | undefined;
  /** The end of a stream has cut an event off, which no reader gets to see. */
  readonly onCut?: (() => void) | undefined;
  /** No more messages will come. `fault`: and that is wrong. */
  readonly onOver: (fault: FaultInit | undefined, original?: Buffer) => void;
}

/** What is read of the body of a failing answer: nobody says in a megabyte what went wrong. */
const READ_AT_MOST = 256 * 1024;

/** Takes an HTTP answer in. */
export class AnswerReader implements HttpAnswer {
  readonly #options: AnswerReaderOptions;
  readonly #events = createEventSplitter();
  readonly #body = createPile();
  #head: HttpHead = NO_HEAD;
  #isStream = false;
  #flow: Flow | undefined;
  #over = false;

  constructor(options: AnswerReaderOptions) {
    this.#options = options;
  }

  /** May an event of a stream, whose end has not come, tell of others than the request of this id? */
  mayTellOfOthers(id: string | number | undefined): boolean {
    return this.#events.mayTellOfOthers(id);
  }

  onStart(head: HttpHead, flow: Flow): void {
    this.#head = head;
    this.#flow = flow;
    this.#isStream = head.status < 300 && isEventStream(head.headers) && !isPacked(head);
    this.#options.onStart?.(head, flow);
    if (this.#options.expectsAnswer && isPackedStream(head)) {
      this.#end(noAnswer(head, NOTHING));
      flow.abort();
    }
  }

  onData(chunk: Buffer): void {
    if (this.#over) return;
    if (this.#isStream) this.#streamed(chunk);
    else {
      const isMore = this.#body.size > 0;
      this.#body.add(chunk);
      if (this.#body.size > this.#options.maxBytes) this.#tooLarge();
      else if (isMore) this.#options.onHeld?.(this.#body.size);
    }
  }

  onEnd(): void {
    this.#options.onClosing?.();
    if (this.#isStream) {
      if (saysSomething(this.#events.rest())) this.#options.onCut?.();
      this.#end(this.#options.expectsAnswer ? ENDED_EARLY : undefined);
    } else this.#complete(toUtf8(this.#body.take()));
  }

  onError(error: Error, sent: boolean): void {
    this.#options.onClosing?.();
    this.#end(transportFault(error, sent));
  }

  #streamed(chunk: Buffer): void {
    const run = this.#events.push(chunk);
    for (const event of run === undefined ? [] : splitEvents(run)) {
      if (this.#over) return;
      const { data } = event;
      this.#options.onEvent?.(event);
      if (data.length > this.#options.maxBytes) this.#tooLarge();
      else if (data.length > 0) this.#options.onMessage(toUtf8(data));
    }
    if (this.#options.onBegun !== undefined && this.#events.begun() !== undefined) this.#options.onBegun();
    if (this.#events.held > this.#options.maxBytes) this.#tooLarge();
    else if (this.#events.held > 0 && !this.#over) this.#options.onHeld?.(this.#events.held);
  }

  #complete(body: Buffer): void {
    const { status } = this.#head;
    const { expectsAnswer, onMessage, asked } = this.#options;
    const seen = peek(body);
    if (this.#options.denies?.(body, seen) === true) {
      this.#end(faultOfHttp(this.#head, body), body);
      return;
    }
    if (isPacked(this.#head) && (expectsAnswer || status >= 300)) {
      this.#end(status < 300 ? noAnswer(this.#head, body) : faultOfHttp(this.#head, body));
      return;
    }
    const judged = status < 300 ? undefined : asked?.judge(body, this.#head);
    const { concern, told } = judged ?? { concern: 'own', told: body };
    if (concern === 'another') {
      this.#options.onAnothers?.(body, seen);
      this.#flow?.abort(); // its own answer may come yet, where another request would wait for one
    }
    if (concern !== 'own') this.#endInDoubt(told);
    else if (expectsAnswer && seen.kind === 'response' && (status < 300 || isJsonRpcError(body, seen))) {
      onMessage(body);
      this.#end(undefined);
    } else if (status >= 300) this.#end(faultOfHttp(this.#head, told), told);
    else if (!expectsAnswer) this.#end(undefined, body);
    else {
      const quoted = asked === undefined ? body : asked.quoted(body, this.#head);
      if (quoted === undefined) this.#options.onAnothers?.(body, seen);
      this.#end(tooDeep(body, seen) ?? noAnswer(this.#head, body), quoted);
    }
  }

  /** A failing answer that says more than that it fails, or to somebody else: what it refuses may have happened. */
  #endInDoubt(told: Buffer): void {
    const fault = faultOfHttp(this.#head, told);
    this.#end({ ...fault, executed: fault.executed === 'yes' ? 'yes' : 'maybe' });
  }

  #tooLarge(): void {
    const { maxBytes } = this.#options;
    this.#options.onClosing?.();
    this.#flow?.abort();
    this.#end(tooLarge(maxBytes));
  }

  #end(fault: FaultInit | undefined, original?: Buffer): void {
    if (this.#over) return;
    this.#over = true;
    this.#options.onOver(fault, original);
  }
}

/** Under a failing status: plain interfaces say `error` too, and their status says more. */
function isJsonRpcError(body: Buffer, seen: Peek): boolean {
  return seen.hasError && locate(body, skipSpace(body, 0), 'jsonrpc') !== undefined;
}

/** A stream has come to its end as it should, and there was no answer in it. */
export const ENDED_EARLY: FaultInit = {
  kind: 'disconnected',
  origin: 'upstream',
  executed: 'maybe',
  message: 'The stream ended before the answer came',
};

/** An answer that is not read to its end. */
export function tooLarge(maxBytes: number): FaultInit {
  return {
    kind: 'invalid_output',
    origin: 'gateway',
    executed: 'maybe',
    message: `The server's answer is larger than the gateway's limit of ${maxBytes} bytes`,
    details: { limit_bytes: maxBytes },
  };
}

/** An answer that is none. */
export function noAnswer(head: HttpHead, body: Buffer): FaultInit {
  const { status } = head;
  const packed = saysPacked(head);
  const how = packed === undefined ? '' : `: ${packed}`;
  const what =
    body.length === 0 && packed === undefined
      ? 'without an answer'
      : `and something that is not a JSON-RPC response${how}`;
  return {
    kind: 'invalid_output',
    origin: 'upstream',
    executed: 'maybe',
    message: `The server answered a request with HTTP ${status} ${what}`,
  };
}

/** What an HTTP response that is no JSON-RPC says. */
export function faultOfHttp(head: HttpHead, body: Buffer): FaultInit {
  if (isPacked(head)) return ofStatusAlone(statusFault(head, NOTHING), head);
  return statusFault(head, body);
}

const NOTHING: Buffer = Buffer.alloc(0);

function statusFault(head: HttpHead, body: Buffer): FaultInit {
  const text = body.toString('utf8', 0, READ_AT_MOST);
  const reading = read({ http: { ...wholeHead(head), body: text } });
  return reading.failure
    ? reading.fault
    : { kind: 'upstream_failed', message: `The server answered with HTTP ${head.status}` };
}
