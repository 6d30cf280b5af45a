/** What an endpoint answers over HTTP, taken apart into messages: for callers who are spoken to in messages. */
import {
  createEventSplitter,
  type EventSplitter,
  isEventStream,
  type ReplyHeaders,
  splitEvents,
} from '@mayday/relay';

/** Who is told what. */
export interface MessageResponseEvents {
  /** The status and headers, before anything else. */
  readonly onHead: (status: number, headers: ReplyHeaders) => void;
  /** One message of the answer. False: whoever reads is behind. */
  readonly onMessage: (message: Buffer, eventId?: string) => boolean;
  /** The answer is complete, or was cut. */
  readonly onEnd: () => void;
  /** How much waits for the reader. */
  readonly unread: () => number;
}

/** The answering side of a request that came as a message. */
export class MessageResponse {
  readonly #events: MessageResponseEvents;
  readonly #listeners: { readonly close: (() => void)[]; readonly drain: (() => void)[] } = {
    close: [],
    drain: [],
  };
  #stream: EventSplitter | undefined;
  readonly cannotResume = true;
  destroyed = false;
  writableFinished = false;

  constructor(events: MessageResponseEvents) {
    this.#events = events;
  }

  get writableLength(): number {
    return this.#events.unread();
  }

  writeHead(status: number, headers: ReplyHeaders): void {
    if (isEventStream(headers)) this.#stream = createEventSplitter();
    this.#events.onHead(status, headers);
  }

  flushHeaders(): void {
    // Nothing is held back.
  }

  write(bytes: Buffer): boolean {
    const run = this.#stream?.push(bytes);
    let hasRoom = true;
    for (const { data, id } of run === undefined ? [] : splitEvents(run)) {
      if (data.length > 0) hasRoom = this.#events.onMessage(data, id);
    }
    return hasRoom;
  }

  end(body?: Buffer): void {
    if (body !== undefined && body.length > 0) {
      if (this.#stream === undefined) this.#events.onMessage(body);
      else this.write(body);
    }
    this.writableFinished = true;
    this.#close();
  }

  destroy(): void {
    this.#close();
  }

  setTimeout(): void {
    // A reader that stalls is noticed by what waits for it.
  }

  on(event: 'close' | 'drain' | 'error', listener: () => void): void {
    if (event !== 'error') this.#listeners[event].push(listener);
  }

  /** The reader has caught up. */
  drained(): void {
    for (const listener of this.#listeners.drain) listener();
  }

  #close(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    // As with a connection: whoever ends it hears of it later.
    queueMicrotask(() => {
      for (const listener of this.#listeners.close) listener();
      this.#events.onEnd();
    });
  }
}
