/** A session of the 2025 era, from the side that serves it. */
import { randomUUID } from 'node:crypto';
import type { Link } from '../links/link.ts';
import type { Keeping } from '../links/room.ts';
import { isBusy } from './busy.ts';
import type { Caller } from './call.ts';
import { EventStore } from './event-store.ts';
import { OpenQuestions } from './open-questions.ts';
import { Questions } from './questions.ts';
import { RecentIds } from './recent-ids.ts';
import type { Reply, ReplyHeaders } from './reply.ts';
import { isAwaited, SessionStream } from './session-stream.ts';
import { Subscriptions } from './subscriptions.ts';
import { UnderWay } from './under-way.ts';
import type { Listening } from './visit.ts';

/** Messages that wait for the client to open its stream; the oldest are dropped. */
const MAX_QUEUED = 256;
const MAX_QUEUED_BYTES = 4 * 1024 * 1024;

/** What is held of a session for as long as it lasts. */
export interface Kept {
  readonly keeping: Keeping;
  /** What its opening takes. */
  readonly opening: number;
}

const NO_HEADERS: Listening['headers'] = {};

/** One client's session. */
export class Session {
  readonly id: string = randomUUID();
  /** Who opened it, as known when it was used last. Nobody else can use it. */
  caller: Caller;
  link: Link | undefined;
  readonly subscriptions: Subscriptions = new Subscriptions(() => this.#fits());
  readonly questions: Questions = new Questions();
  readonly asks: OpenQuestions;
  /** Requests that go on whatever becomes of those who asked. */
  readonly goingOn: RecentIds = new RecentIds();
  readonly underWay: UnderWay<string | number | undefined> = new UnderWay();
  /** Who hears what its server says by itself. */
  readonly listener: () => Listening = () => ({ by: this.caller, session: this.id, headers: NO_HEADERS });
  /** Calls in flight. */
  calls = 0;
  /** It cannot be used any more. */
  isEnded = false;
  usedAt: number;
  /** It is ended then, used or not. */
  endsAt: number = Infinity;
  readonly #kept: Kept | undefined;
  readonly #store: EventStore = new EventStore({ fits: () => this.#fits() });
  readonly #streams: Map<string, SessionStream> = new Map();
  readonly #standing: SessionStream = new SessionStream('s', this.#store);
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #nextStream = 1;

  constructor(caller: Caller, now: () => number, kept?: Kept) {
    this.caller = caller;
    this.#kept = kept;
    this.asks = new OpenQuestions(now);
    this.usedAt = now();
  }

  /** Is anything to be answered yet, be it to nobody in particular? */
  get isBusy(): boolean {
    return this.calls > 0 || isBusy(this.link);
  }

  /** Does nobody listen to it or wait for anything? */
  get isUnused(): boolean {
    return !this.isBusy && !this.#standing.isRead;
  }

  /** May it be forgotten? */
  isIdle(since: number): boolean {
    return this.isUnused && this.usedAt < since;
  }

  /** A message of the server that belongs to no request; `undefined` is for nobody. Does somebody read it at once? */
  deliver(said: Buffer | undefined): boolean {
    if (said === undefined) return false;
    const { message, withdrawn } = this.questions.toClient(said);
    if (withdrawn !== undefined) this.tell(withdrawn);
    this.tell(message);
    return this.#standing.isRead;
  }

  /** Something that the client is told as it is. */
  tell(message: Buffer): void {
    this.asks.toClient(message);
    if (this.#standing.isRead) this.#standing.send(message);
    else {
      this.#queue.push(Buffer.from(message)); // a piece of what was read would hold all of that
      this.#queuedBytes += message.length;
      while (this.#queue.length > MAX_QUEUED || this.#queuedBytes > MAX_QUEUED_BYTES) this.#dropOldest();
      while (!this.#fits() && this.#queue.length > 0) this.#dropOldest();
    }
  }

  /** What somebody waits for stays as long as there is anything else. */
  #dropOldest(): void {
    const at = Math.max(
      0,
      this.#queue.findIndex((message) => !isAwaited(message)),
    );
    for (const dropped of this.#queue.splice(at, 1)) this.#queuedBytes -= dropped.length;
  }

  /** Is there room for all that it holds now? */
  #fits(): boolean {
    if (this.#kept === undefined || this.isEnded) return true;
    const { keeping, opening } = this.#kept;
    return keeping.size(opening + this.#queuedBytes + this.#store.bytes + this.subscriptions.length);
  }

  /** Somebody else's answers need the room of what was read here already. */
  letGo(): void {
    this.#store.dropRead();
    this.#fits();
  }

  /** Was an event of this id ever sent here, as far as can be told? */
  mayHaveSent(eventId: string): boolean {
    const [, request] = /^(?:s|r(\d{1,15}))-\d{1,15}$/.exec(eventId) ?? [];
    return request === undefined
      ? eventId.startsWith(`${this.#standing.id}-`)
      : Number(request) < this.#nextStream;
  }

  /** The client opens its standing stream, or takes up a broken one. */
  open(reply: Reply, lastEventId: string | undefined): void {
    reply.stream({ 'mcp-session-id': this.id });
    const missed = lastEventId === undefined ? undefined : this.#store.after(lastEventId);
    for (const event of missed?.events ?? []) reply.event(event);
    const resumed = missed === undefined ? undefined : this.#streams.get(missed.stream);
    if (resumed !== undefined) {
      resumed.attach(reply);
      return;
    }
    if (missed !== undefined && missed.stream !== this.#standing.id) {
      reply.end(); // the stream was complete: everything it had was replayed
      return;
    }
    this.#standing.attach(reply);
    const queued = this.#queue;
    this.#queue = [];
    this.#queuedBytes = 0;
    for (const message of queued) this.#standing.send(message);
    this.#fits();
  }

  /** A stream for the answer to one request. */
  stream(reply: Reply, headers?: ReplyHeaders): SessionStream {
    const stream = new SessionStream(`r${this.#nextStream++}`, this.#store);
    this.#streams.set(stream.id, stream);
    reply.stream({ ...headers, 'mcp-session-id': this.id });
    stream.attach(reply);
    return stream;
  }

  /** The answer is complete. */
  finish(stream: SessionStream): void {
    this.#streams.delete(stream.id);
    stream.end();
  }

  /** Keeps connections alive. */
  ping(): void {
    this.#standing.ping();
    for (const stream of this.#streams.values()) stream.ping();
  }

  /** Ends everything. */
  async close(): Promise<void> {
    this.isEnded = true;
    this.#kept?.keeping.end();
    this.#standing.end();
    for (const stream of this.#streams.values()) stream.end();
    await this.link?.close();
  }
}
