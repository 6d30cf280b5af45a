/** One stream of events in a session: it outlives the connection that carries it. */
import { toEvent } from '../framing/events.ts';
import type { EventStore } from './event-store.ts';
import type { Reply } from './reply.ts';

/** Sends events over whichever connection carries it now, and keeps them for the next one. */
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

  /** Sends one message, and keeps it, or what is to be told `instead` where there is no room for it. False: the reader is behind. */
  send(message: Buffer, instead?: () => Buffer): boolean {
    this.#seq++;
    const id = `${this.id}-${this.#seq}`;
    const event = toEvent(message, id);
    const inTime = this.#reply?.event(event) ?? true;
    this.#store.add({
      stream: this.id,
      seq: this.#seq,
      bytes: event,
      isRead: this.isRead,
      isAwaited: instead !== undefined || isAwaited(message),
      instead: instead && (() => toEvent(instead(), id)),
    });
    return inTime;
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

/** Has it an id? One that only looks as if is kept a little longer than others. */
export function isAwaited(message: Buffer): boolean {
  return message.includes('"id"');
}

const PING: Buffer = Buffer.from(': ping\n\n');
