/**
 * A stream that belongs to no request: what a server says beside its answers, and over the transport of 2024-11-05 the
 * answers too. Whoever asks or tells something has begun: what it says afterwards is no refusal at its door.
 */
import { isAboutConnection, tellsBeside } from '@mayday/core/protocol';
import { doubted, isNamelessError, named, streamLost } from './answer.ts';
import { EventCutter, fieldOf, idLines, isSignOfLife, messageIn, nameOf, saysMore } from './events.ts';
import type { Exchanges } from './exchanges.ts';
import type { Hearing } from './heard.ts';
import type { FetchLike } from './mend-fetch.ts';
import { errorReply, isObject, type RequestId } from './reply.ts';
import { isEvents, withBody } from './responses.ts';
import { Turns } from './turns.ts';

const encoder = new TextEncoder();

/** Who hears what is said on a standing stream, and how much of it. */
export interface Watching {
  readonly exchanges: Exchanges;
  readonly hearing: Hearing;
  /** Events that are larger are not looked at. */
  readonly maxBytes: number;
  /** Aborted where it is we who end the stream. */
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Watches a standing stream, whose events pass as they come. Where it ends, those who wait for an answer on it are told at
 * once, and not at their deadline.
 */
export function watchStanding(
  body: ReadableStream<Uint8Array>,
  watching: Watching,
): ReadableStream<Uint8Array> {
  return new ReadableStream(new WatchedSource(body, watching));
}

/** The streams of one fetch that belong to no request, whoever reads them. */
export interface Standing {
  /** Has there been any? Answers may come on it. */
  readonly hasBeen: boolean;
  /** Asks for one with this `fetch`, and watches it. */
  read(base: FetchLike, url: string | URL, init?: RequestInit): Promise<Response>;
}

/** None so far. */
export function createStanding(watching: Omit<Watching, 'signal'>): Standing {
  let hasBeen = false;
  return {
    get hasBeen() {
      return hasBeen;
    },
    async read(base, url, init) {
      const response = await base(url, init);
      if (!response.ok || !isEvents(response)) return response;
      hasBeen = true;
      return withBody(response, watchStanding(response.body, { ...watching, signal: init?.signal }));
    },
  };
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

class WatchedSource {
  readonly #exchanges: Exchanges;
  readonly #hearing: Hearing;
  readonly #maxBytes: number;
  readonly #signal: Watching['signal'];
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #events = new EventCutter();
  readonly #turns = new Turns();
  readonly #decoder = new TextDecoder();
  #address: string | undefined;

  constructor(body: ReadableStream<Uint8Array>, { exchanges, hearing, maxBytes, signal }: Watching) {
    this.#exchanges = hearing.of(exchanges);
    this.#hearing = hearing;
    this.#maxBytes = maxBytes;
    this.#signal = signal;
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
    if (this.#address !== undefined && this.#signal?.aborted !== true) this.#exchanges.ended();
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
    const hasBegun = exchanges.answered(id, message);
    const refusal = doubted(message, id);
    if (refusal === undefined) return event;
    const said = hasBegun ? refusal : named(message, id, () => exchanges.refused(id));
    return `${idLines(event)}data: ${JSON.stringify(said)}\n\n`;
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
