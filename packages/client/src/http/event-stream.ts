/**
 * A response stream that always ends with an answer. Whole events pass as they come; when the stream ends or
 * breaks first, an error that says so takes the answer's place at once, not after the request's timeout.
 */
import type { Fault } from '@mayday/core';
import { isCutOff, tellsBeside } from '@mayday/core/protocol';
import {
  doubted,
  isAboutNotification,
  isAnswer,
  isNamelessError,
  mendMessage,
  named,
  streamLost,
  unusable,
} from './answer.ts';
import { EventCutter, fieldOf, idLines, messageIn, saysMore } from './events.ts';
import type { Exchange } from './exchanges.ts';
import { lostForGood } from './interrupted.ts';
import { errorReply, isObject, type RequestId } from './reply.ts';
import { tellsOfWork } from './standing-stream.ts';
import { Turns } from './turns.ts';

/** How a stream is watched. */
export interface StreamOptions {
  readonly id: RequestId;
  /** The longest event that is held. */
  readonly maxBytes: number;
  readonly exchange: Pick<
    Exchange,
    'isCancelled' | 'hasBegun' | 'mayBeAnswered' | 'isSayingMore' | 'refused' | 'close'
  >;
  /** Does what stands around the stream tell of more than its messages? */
  isTold?(): boolean;
  /** `false` where nobody takes up a stream that ended. */
  readonly isEverResumed?: boolean | undefined;
  /** The stream that this one takes up, if it does: had the server told of its work there? */
  readonly resumed?: { readonly hasBegun: boolean } | undefined;
  /** The server tells of its work. */
  began(): void;
  /** What belongs to no answer, or to another's. */
  beside(message: unknown): void;
  /** The stream ended before the answer; it can be taken up again after this event. Had the server told of its work? */
  interrupted?(event: string, hasBegun: boolean): void;
}

const encoder = new TextEncoder();

/** A stream that goes on behind a refusal is not waited for any longer. */
const LINGER_MS = 1000;

/** Watches a response stream. */
export function mendStream(
  body: ReadableStream<Uint8Array>,
  options: StreamOptions,
): ReadableStream<Uint8Array> {
  return new ReadableStream(new MendedSource(body, options));
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

class MendedSource {
  readonly #options: StreamOptions;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  readonly #events = new EventCutter();
  readonly #turns = new Turns();
  #isAnswered = false;
  /** The server has said something else than its answer. */
  #hasBegun = false;
  /** An answer came that is to another request. */
  #hasAnothers = false;
  /** The id of the last event that has one. */
  #lastEvent = '';
  /** An error that names no request: the answer, if no other one comes. */
  #nameless: unknown;
  /** A refusal, until all was heard that follows it. */
  #refusal: { readonly event: string; readonly answer: unknown } | undefined;
  #lingering: ReturnType<typeof setTimeout> | undefined;

  constructor(body: ReadableStream<Uint8Array>, options: StreamOptions) {
    this.#options = options;
    this.#hasBegun = options.resumed?.hasBegun === true;
    this.#reader = body.getReader();
    options.exchange.isSayingMore = () => this.#events.mayTellOfOthers(options.id);
  }

  async pull(controller: Controller): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) return this.#ended(controller);
        const passed = this.#turns.during(() => this.#take(value));
        if (passed !== '') controller.enqueue(encoder.encode(passed));
        const { maxBytes } = this.#options;
        if (this.#events.size > maxBytes) {
          void this.#reader.cancel().catch(() => undefined);
          this.#tellUnfinished();
          return this.#finish(controller, unusable(`The answer is larger than ${maxBytes} bytes`));
        }
        await this.#turns.next();
        if (passed !== '') return;
      }
    } catch (error) {
      this.#broke(controller, error);
    }
  }

  async cancel(reason: unknown): Promise<void> {
    clearTimeout(this.#lingering);
    this.#tellUnfinished();
    this.#options.exchange.close();
    await this.#reader.cancel(reason);
  }

  /** The whole events that this chunk completes. */
  #take(chunk: Uint8Array): string {
    const events = this.#events.take(this.#decoder.decode(chunk, { stream: true }));
    return events.map((event) => this.#pass(event)).join('');
  }

  #pass(event: string): string {
    // The SDK resumes a stream whose events have ids; it must see the break itself.
    if (event.includes('id:')) this.#lastEvent = fieldOf(event, 'id') ?? this.#lastEvent;
    const data = fieldOf(event, 'data') ?? '';
    if (this.#isAnswered) {
      this.#tellOthers(event, data);
      return event;
    }
    if (this.#refusal !== undefined) {
      this.#hasBegun ||= saysMore(event, data);
      this.#tellOthers(event, data);
      return this.#hasBegun ? this.#refused() + event : event;
    }
    if (!/"(?:result|error|method)"/.test(event)) {
      this.#hasBegun ||= saysMore(event, data);
      this.#tellOthers(event, data);
      return event;
    }
    return this.#heard(event, data);
  }

  /** Of whose work it tells is not always said: whoever was refused meanwhile may be meant. */
  #tellOthers(event: string, data: string): void {
    if (!saysMore(event, data)) return;
    const message = messageIn(data);
    const { began, beside } = this.#options;
    const isMessage = isObject(message) && ('method' in message || 'result' in message || 'error' in message);
    if (!isMessage || tellsBeside(event) || tellsOfWork(message)) began();
    beside(message);
  }

  #heard(event: string, data: string): string {
    const { id } = this.#options;
    const message = messageIn(data);
    const isNameless = isNamelessError(message);
    if (!isAnswer(message, id)) this.#tellOthers(event, data);
    if (!isAnswer(message, id) && !isNameless) {
      this.#hasAnothers ||= isAnothers(message);
      this.#hasBegun ||= saysMore(event, data) && !isAboutNotification(message);
      return event;
    }
    // Of two answers, neither is all that was said.
    this.#hasBegun ||= this.#nameless !== undefined || tellsBeside(event);
    const answer = mendMessage(data, id);
    if (isNameless) {
      this.#nameless = answer;
      return event;
    }
    if (doubted(answer, id) === undefined) return this.#answered(event, answer);
    this.#refusal = { event, answer };
    if (this.#hasBegun) return this.#refused();
    this.#lingering = setTimeout(() => {
      this.#hasBegun = true;
      void this.#reader.cancel().catch(() => undefined);
    }, LINGER_MS);
    return '';
  }

  /** The refusal, now that it is known whether anything else was said. */
  #refused(): string {
    if (this.#refusal === undefined) return '';
    clearTimeout(this.#lingering);
    const { event, answer } = this.#refusal;
    this.#refusal = undefined;
    return this.#answered(event, this.#judged(answer));
  }

  #judged(answer: unknown): unknown {
    const { id, exchange, isTold: isToldAround } = this.#options;
    const inDoubt = doubted(answer, id);
    if (inDoubt === undefined) return answer;
    const isTold = exchange.hasBegun || exchange.mayBeAnswered || isToldAround?.() === true;
    return this.#hasBegun || isTold ? inDoubt : named(answer, id, exchange.refused);
  }

  #answered(event: string, answer: unknown): string {
    this.#isAnswered = true;
    return `${idLines(event)}data: ${JSON.stringify(answer)}\n\n`;
  }

  /** The end of what has begun will not come. */
  #tellUnfinished(): void {
    const { id, began } = this.#options;
    if (this.#events.mayTellOfOthers(id)) began();
  }

  #ended(controller: Controller): void {
    this.#tellUnfinished();
    const isOver = this.#refusal !== undefined || this.#nameless !== undefined;
    const isCut = isCutOff(this.#events.rest());
    if (isOver && isCut) this.#hasBegun = true;
    if (isOver || this.#isAnswered) this.#finish(controller);
    else if (!this.#isResumable)
      this.#finish(controller, this.#hasAnothers && !isCut ? unusable(ANOTHERS) : undefined);
    else {
      this.#interrupted();
      controller.close();
    }
  }

  get #isResumable(): boolean {
    return this.#lastEvent !== '' && this.#options.isEverResumed !== false;
  }

  #interrupted(): void {
    const { exchange, interrupted } = this.#options;
    if (this.#isResumable && !this.#isAnswered && !exchange.isCancelled)
      interrupted?.(this.#lastEvent, this.#hasBegun || exchange.hasBegun);
    exchange.close();
  }

  #broke(controller: Controller, error: unknown): void {
    this.#tellUnfinished();
    const { exchange } = this.#options;
    if (this.#refusal !== undefined) {
      this.#hasBegun = true;
      this.#finish(controller);
      return;
    }
    // A request that was taken back needs no answer, except to keep the SDK from resuming its stream.
    if (exchange.isCancelled && !this.#isResumable) this.#isAnswered = true;
    // Our own abort must stay an abort, and a resumable stream must be seen to break.
    if (exchange.isCancelled || (!this.#isResumable && !isAbort(error))) this.#finish(controller);
    else {
      this.#interrupted();
      controller.error(error);
    }
  }

  #finish(controller: Controller, fault?: Fault): void {
    const { id, exchange, resumed } = this.#options;
    if (this.#refusal !== undefined) {
      this.#hasBegun ||= fault !== undefined;
      controller.enqueue(encoder.encode(this.#refused()));
    }
    const stead =
      fault === undefined && this.#nameless !== undefined ? this.#judged(this.#nameless) : undefined;
    const answer = stead ?? errorReply(id, fault ?? streamLost());
    const event =
      resumed !== undefined || this.#isResumable
        ? lostForGood(answer)
        : `data: ${JSON.stringify(answer)}\n\n`;
    if (!this.#isAnswered) controller.enqueue(encoder.encode(event));
    this.#isAnswered = true;
    exchange.close();
    controller.close();
  }
}

const ANOTHERS = 'The server answered another request than the one it was asked';

/** Is it the answer to some other request? */
function isAnothers(message: unknown): boolean {
  if (!isObject(message) || message['method'] !== undefined || message['id'] == null) return false;
  return 'result' in message || 'error' in message;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
