/**
 * A response stream that always ends with an answer. Whole events pass as they come; when the stream ends or
 * breaks first, an error that says so takes the answer's place at once, not after the request's timeout.
 */
import type { Fault } from '@mayday/core';
import { inDoubt, isAboutNotification, isAnswer, mendMessage, streamLost, unusable } from './answer.ts';
import { EventCutter, fieldOf, idLines, messageIn } from './events.ts';
import type { Exchange } from './exchanges.ts';
import { lostForGood } from './interrupted.ts';
import { errorReply, isObject, type RequestId } from './reply.ts';
import { tellsOfWork } from './standing-stream.ts';

/** How a stream is watched. */
export interface StreamOptions {
  readonly id: RequestId;
  /** The longest event that is held. */
  readonly maxBytes: number;
  readonly exchange: Pick<Exchange, 'isCancelled' | 'hasBegun' | 'close'>;
  /** `false` where nobody takes up a stream that ended. */
  readonly isEverResumed?: boolean | undefined;
  /** The stream that this one takes up, if it does: had the server told of its work there? */
  readonly resumed?: { readonly hasBegun: boolean } | undefined;
  /** The server tells of its work. */
  began(): void;
  /** The stream ended before the answer; it can be taken up again after this event. Had the server told of its work? */
  interrupted?(event: string, hasBegun: boolean): void;
}

const encoder = new TextEncoder();

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
  #isAnswered = false;
  /** The server has said something about the request before its answer. */
  #hasBegun = false;
  /** The id of the last event that has one. */
  #lastEvent = '';
  /** An error that names no request: the answer, if no other one comes. */
  #nameless: unknown;

  constructor(body: ReadableStream<Uint8Array>, options: StreamOptions) {
    this.#options = options;
    this.#hasBegun = options.resumed?.hasBegun === true;
    this.#reader = body.getReader();
  }

  async pull(controller: Controller): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) return this.#ended(controller);
        const passed = this.#take(value);
        if (passed !== '') controller.enqueue(encoder.encode(passed));
        const { maxBytes } = this.#options;
        if (this.#events.size > maxBytes) {
          void this.#reader.cancel().catch(() => undefined);
          return this.#finish(controller, unusable(`The answer is larger than ${maxBytes} bytes`));
        }
        if (passed !== '') return;
      }
    } catch (error) {
      this.#broke(controller, error);
    }
  }

  async cancel(reason: unknown): Promise<void> {
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
    if (this.#isAnswered || !/"(?:result|error|method)"/.test(event)) return event;
    const { id, exchange, began } = this.#options;
    const data = fieldOf(event, 'data') ?? '';
    const message = messageIn(data);
    if (isObject(message) && typeof message['method'] === 'string') this.#hasBegun = true;
    if (tellsOfWork(message)) began();
    const isNameless = isNamelessError(message);
    if (!isAnswer(message, id) && !isNameless) return event;
    const mended = mendMessage(data, id);
    const answer = this.#hasBegun || exchange.hasBegun ? inDoubt(mended, id) : mended;
    if (isNameless) {
      this.#nameless = answer;
      return event;
    }
    this.#isAnswered = true;
    return `${idLines(event)}data: ${JSON.stringify(answer)}\n\n`;
  }

  #ended(controller: Controller): void {
    if (!this.#isResumable || this.#isAnswered || this.#nameless !== undefined) this.#finish(controller);
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
    const { exchange } = this.#options;
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
    const stead = fault === undefined ? this.#nameless : undefined;
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

function isNamelessError(message: unknown): boolean {
  if (!isObject(message) || message['error'] == null || message['method'] !== undefined) return false;
  return message['id'] == null && !isAboutNotification(message);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
