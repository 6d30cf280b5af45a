/** What a session has sent lately, so that a broken stream can be taken up where it broke. */

/** One event on its way to a client. */
export interface SentEvent {
  readonly stream: string;
  readonly seq: number;
  readonly bytes: Buffer;
  /** Has somebody been there to read it? What nobody has read is kept first of all. */
  readonly isRead: boolean;
  /** Does somebody wait for it, or for what is said to it? It is an answer then, or a question. */
  readonly isAwaited: boolean;
  /** What its client is told in its place where it could not be kept; of what is no answer, nothing is. */
  readonly instead?: (() => Buffer) | undefined;
}

/** How much is kept. */
interface EventStoreOptions {
  /** Of what was read: a connection may have broken with it on the way. */
  readonly maxReadBytes?: number;
  readonly maxRead?: number;
  /** Of what nobody has read. */
  readonly maxUnread?: number;
  /** Is there room for what is kept now? The oldest are dropped until there is. */
  readonly fits?: () => boolean;
}

interface Kept extends SentEvent {
  /** It stands for an answer that was dropped, and costs next to nothing. */
  readonly isNote: boolean;
}

/** An event costs about this much beside its bytes. */
const OVERHEAD = 256;

/** Keeps the last events of one session, bounded by number and size. */
export class EventStore {
  readonly #maxReadBytes: number;
  readonly #maxRead: number;
  readonly #maxUnread: number;
  readonly #fits: () => boolean;
  #kept: Kept[] = [];
  #bytes = 0;
  #readBytes = 0;
  #read = 0;

  constructor(options: EventStoreOptions = {}) {
    this.#maxReadBytes = options.maxReadBytes ?? 4 * 1024 * 1024;
    this.#maxRead = options.maxRead ?? 256;
    this.#maxUnread = options.maxUnread ?? 4096;
    this.#fits = options.fits ?? (() => true);
  }

  /** How much is kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps one event. */
  add(event: SentEvent): void {
    this.#kept.push({ ...event, isNote: false });
    this.#count(event, 1);
    while (this.#read > this.#maxRead) this.#forget(this.#first((kept) => kept.isRead));
    while (this.#kept.length - this.#read > this.#maxUnread)
      this.#forget(this.#first((kept) => !kept.isRead));
    while (this.#readBytes > this.#maxReadBytes && this.#kept.filter(isReadInFull).length > 1)
      this.#drop(this.#first(isReadInFull));
    while (!this.#fits() && this.#kept.some(isInFull)) this.#drop(this.#first(isInFull));
  }

  /** The events of a stream after the one with this id. They are read now. */
  after(lastEventId: string): { readonly stream: string; readonly events: readonly Buffer[] } {
    const [, stream = '', seq = '0'] = EVENT_ID.exec(lastEventId) ?? [];
    const isAfter = (event: Kept): boolean => event.stream === stream && event.seq > Number(seq);
    const events = this.#kept.filter(isAfter);
    for (const event of events) this.#count(event, -1);
    this.#kept = this.#kept.map((event) => (isAfter(event) ? { ...event, isRead: true } : event));
    for (const event of events) this.#count({ ...event, isRead: true }, 1);
    return { stream, events: events.map(({ bytes }) => bytes) };
  }

  /** Others need the room more than what was read already does. */
  dropRead(): void {
    while (this.#kept.some(isReadInFull)) this.#drop(this.#first(isReadInFull));
  }

  /** Which of these goes first: the oldest that was read, or else that nobody waits for, or else of all. */
  #first(among: (event: Kept) => boolean): number {
    for (const goes of [isRead, isUnawaited, isAny]) {
      const at = this.#kept.findIndex((event) => goes(event) && among(event));
      if (at >= 0) return at;
    }
    return -1;
  }

  /** An answer leaves a note, so that whoever asks for it does not wait for ever. */
  #drop(at: number): void {
    const event = this.#kept[at];
    this.#forget(at);
    if (event?.instead === undefined) return;
    const note = { ...event, bytes: event.instead(), instead: undefined, isNote: true };
    this.#kept.splice(at, 0, note);
    this.#count(note, 1);
  }

  #forget(at: number): void {
    for (const event of this.#kept.splice(at, 1)) this.#count(event, -1);
  }

  #count({ bytes, isRead }: SentEvent, times: 1 | -1): void {
    this.#bytes += times * (bytes.length + OVERHEAD);
    if (!isRead) return;
    this.#readBytes += times * bytes.length;
    this.#read += times;
  }
}

const EVENT_ID = /^(.{1,64})-(\d{1,15})$/;

const isRead = (event: Kept): boolean => event.isRead;
const isUnawaited = (event: Kept): boolean => !event.isAwaited;
const isAny = (): boolean => true;
const isInFull = (event: Kept): boolean => !event.isNote;
const isReadInFull = (event: Kept): boolean => event.isRead && !event.isNote;
