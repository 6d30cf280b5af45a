/** What a session has sent lately, so that a broken stream can be taken up where it broke. */
import { toEvent } from '../framing/events.ts';
import type { Reply } from './reply.ts';

interface Kept {
  readonly stream: string;
  readonly seq: number;
  readonly bytes: Buffer;
}

/** How much is kept. */
interface EventStoreOptions {
  readonly maxBytes?: number;
  readonly maxEvents?: number;
  /** Is there room for what is kept now? The oldest are dropped until there is. */
  readonly fits?: () => boolean;
}

/** Keeps the last events of one session, bounded by number and size. */
export class EventStore {
  readonly #maxBytes: number;
  readonly #maxEvents: number;
  readonly #fits: () => boolean;
  #kept: Kept[] = [];
  #bytes = 0;

  constructor(options: EventStoreOptions = {}) {
    this.#maxBytes = options.maxBytes ?? 1024 * 1024;
    this.#maxEvents = options.maxEvents ?? 256;
    this.#fits = options.fits ?? (() => true);
  }

  /** How much is kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps one event. */
  add(stream: string, seq: number, bytes: Buffer): void {
    this.#kept.push({ stream, seq, bytes });
    this.#bytes += bytes.length;
    while (this.#kept.length > this.#maxEvents || (this.#bytes > this.#maxBytes && this.#kept.length > 1))
      this.#dropOldest();
    while (!this.#fits() && this.#kept.length > 0) this.#dropOldest();
  }

  #dropOldest(): void {
    this.#bytes -= this.#kept.shift()?.bytes.length ?? 0;
  }

  /** The events of a stream after the one with this id. */
  after(lastEventId: string): { readonly stream: string; readonly events: readonly Buffer[] } {
    const [, stream = '', seq = '0'] = /^(.{1,64})-(\d{1,15})$/.exec(lastEventId) ?? [];
    const events = this.#kept.filter((kept) => kept.stream === stream && kept.seq > Number(seq));
    return { stream, events: events.map((kept) => kept.bytes) };
  }
}

/** One stream of events in a session: it outlives the connection that carries it. */
export class SessionStream {
  readonly id: string;
  readonly #store: EventStore;
  #reply: Reply | undefined;
  #onDrain: (() => void) | undefined;
  #seq = 0;
  #isDone = false;

  constructor(id: string, store: EventStore) {
    this.id = id;
    this.#store = store;
  }

  /** Is somebody reading? */
  get isRead(): boolean {
    return this.#reply !== undefined && !this.#reply.isDone;
  }

  /** Has it sent an event that it can be taken up after? */
  get hasSent(): boolean {
    return this.#seq > 0;
  }

  /** Carries on over this connection. */
  attach(reply: Reply): void {
    this.#reply?.end();
    this.#reply = reply;
    if (this.#onDrain !== undefined) reply.onDrain(this.#onDrain);
    if (this.#isDone) reply.end();
  }

  /** Called whenever a reader that was behind has caught up, or has gone, whatever connection it reads from. */
  onDrain(listener: () => void): void {
    this.#onDrain = listener;
    this.#reply?.onDrain(listener);
  }

  /** Sends one message, and keeps it. False: the reader is behind. */
  send(message: Buffer): boolean {
    this.#seq++;
    const event = toEvent(message, `${this.id}-${this.#seq}`);
    this.#store.add(this.id, this.#seq, event);
    return this.#reply?.event(event) ?? true;
  }

  /** A comment that keeps the connection alive. */
  ping(): void {
    if (this.isRead) this.#reply?.event(PING);
  }

  /** No more messages will come. */
  end(): void {
    this.#isDone = true;
    this.#reply?.end();
  }
}

const PING: Buffer = Buffer.from(': ping\n\n');
