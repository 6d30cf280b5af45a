/**
 * A stream that belongs to no request: what a server says beside its answers, and over the transport of 2024-11-05 the
 * answers too. Whoever asks or tells something has begun: what it says afterwards is no refusal at its door.
 */
import { isAboutConnection, tellsBeside } from '@mayday/core/protocol';
import { inDoubt, isNamelessError, streamLost } from './answer.ts';
import { EventCutter, fieldOf, idLines, isSignOfLife, messageIn, nameOf, saysMore } from './events.ts';
import type { Exchanges } from './exchanges.ts';
import { Hearing } from './heard.ts';
import { errorReply, isObject, type RequestId } from './reply.ts';
import { Turns } from './turns.ts';

const encoder = new TextEncoder();

/**
 * Watches a standing stream, whose events pass as they come; events larger than `maxBytes` are not looked at. Where it
 * ends, those who wait for an answer on it are told at once, and not at their deadline.
 */
export function watchStanding(
  body: ReadableStream<Uint8Array>,
  exchanges: Exchanges,
  maxBytes: number,
  hearing: Hearing = new Hearing(),
): ReadableStream<Uint8Array> {
  return new ReadableStream(new WatchedSource(body, exchanges, maxBytes, hearing));
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

class WatchedSource {
  readonly #exchanges: Exchanges;
  readonly #hearing: Hearing;
  readonly #maxBytes: number;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #events = new EventCutter();
  readonly #turns = new Turns();
  readonly #decoder = new TextDecoder();
  #address: string | undefined;

  constructor(body: ReadableStream<Uint8Array>, exchanges: Exchanges, maxBytes: number, hearing: Hearing) {
    this.#exchanges = hearing.of(exchanges);
    this.#hearing = hearing;
    this.#maxBytes = maxBytes;
    this.#reader = body.getReader();
  }

  async pull(controller: Controller): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        const passed = done
          ? this.#events.rest() + this.#lost()
          : this.#turns.during(() => this.#take(value));
        if (passed !== '') controller.enqueue(encoder.encode(passed));
        if (done) controller.close();
        else await this.#turns.next();
        if (done || passed !== '') return;
      }
    } catch (error) {
      const lost = this.#lost();
      if (lost === '') return controller.error(error);
      controller.enqueue(encoder.encode(lost)); // an error would throw it away
      controller.close();
    }
  }

  async cancel(reason: unknown): Promise<void> {
    await this.#reader.cancel(reason);
  }

  #take(chunk: Uint8Array): string {
    const whole = this.#events.take(this.#decoder.decode(chunk, { stream: true }));
    const passed = whole.map((event) => this.#watched(event)).join('');
    // Who begins to answer a request has taken it, whatever else it says.
    if (this.#events.begun()) this.#exchanges.half();
    this.#hearing.isSayingMore = this.#events.hasBegun;
    return this.#events.size > this.#maxBytes ? passed + this.#events.rest() : passed;
  }

  /** Over the transport of 2024-11-05 the stream begins with an address, and is the whole conversation. */
  #watched(event: string): string {
    if (nameOf(event) === 'endpoint') {
      const address = fieldOf(event, 'data') ?? '';
      this.#address ??= address;
      if (address !== this.#address) this.#exchanges.begin();
    }
    return watched(event, this.#exchanges);
  }

  #lost(): string {
    if (this.#address !== undefined) this.#exchanges.ended();
    const answers = this.#exchanges.lost().map((id) => errorReply(id, streamLost()));
    return answers.map((answer) => `data: ${JSON.stringify(answer)}\n\n`).join('');
  }
}

/** The event, with doubt in an answer to a request that was under way while the server told of its work. */
function watched(came: string, exchanges: Exchanges): string {
  const data = fieldOf(came, 'data') ?? '';
  const message = messageIn(data);
  const event = isObject(message) ? asMessage(came, data) : came;
  if (tellsBeside(event)) exchanges.begin();
  if (isNamelessError(message)) {
    exchanges.begin();
    return event;
  }
  if (isObject(message) && ('result' in message || 'error' in message)) {
    const id = message['id'] as RequestId;
    return exchanges.answered(id, message)
      ? `${idLines(event)}data: ${JSON.stringify(inDoubt(message, id))}\n\n`
      : event;
  }
  const isMessage = isObject(message) && typeof message['method'] === 'string';
  const isTold = isMessage ? tellsOfWork(message) : saysMore(event, data);
  if (isTold) exchanges.begin();
  if (!Array.isArray(message)) return event;
  exchanges.beside(message);
  // The SDKs take no list, and what a tool said of itself does not hold any more.
  const changed = message.find(saysToolsChanged);
  return changed === undefined ? event : `${event}data: ${JSON.stringify(changed)}\n\n`;
}

/** The SDKs take no message in an event of another name, and would send again what was answered in one. */
function asMessage(event: string, data: string): string {
  if ((nameOf(event) ?? 'message') === 'message' || isSignOfLife(event, data)) return event;
  return `${idLines(event)}${data.replace(/^/gm, 'data: ')}\n\n`;
}

/** Does a message say that the server has other tools now? */
export function saysToolsChanged(message: unknown): boolean {
  return isObject(message) && message['method'] === 'notifications/tools/list_changed';
}

/** Does a message ask or tell something about the server's work? */
export function tellsOfWork(message: unknown): boolean {
  const method = isObject(message) ? message['method'] : undefined;
  return typeof method === 'string' && !isAboutConnection(method);
}
