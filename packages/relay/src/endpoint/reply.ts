/** The answering side of one HTTP request: one JSON body, or a stream of events. */
/** A reader that lets this much pile up is cut off; a resumable stream can be taken up again. */
const MAX_UNREAD = 64 * 1024 * 1024;

/** An answer this large is given to a reader that takes some of it at least every minute. */
const LARGE = 256 * 1024;
const STALLED_MS = 60_000;

/** Headers to add to an answer. */
export type ReplyHeaders = { readonly [name: string]: string };

/** Where an answer goes out: as much of Node's `ServerResponse` as is needed. */
export interface Response {
  readonly destroyed: boolean;
  readonly writableLength: number;
  readonly writableFinished: boolean;
  /** Whoever reads is spoken to in messages: a stream that ends early cannot be taken up again. */
  readonly cannotResume?: boolean;
  writeHead(status: number, headers: ReplyHeaders): unknown;
  flushHeaders(): void;
  write(bytes: Buffer): boolean;
  end(body?: Buffer): unknown;
  destroy(): unknown;
  setTimeout(ms: number, listener: () => void): unknown;
  on(event: 'close' | 'drain' | 'error', listener: () => void): unknown;
}

/** One HTTP answer in the making. */
export class Reply {
  readonly #response: Response;
  #mode: 'open' | 'stream' | 'done' = 'open';
  #onDrain: (() => void) | undefined;
  #onUnread: ((bytes: number) => void) | undefined;
  #onHead: ((headers: ReplyHeaders) => ReplyHeaders) | undefined;
  #heedsDrain = false;

  constructor(response: Response) {
    this.#response = response;
    response.on('error', () => {
      // A client that went away; `onClose` listeners deal with it.
    });
  }

  /** Has nothing been sent yet? */
  get isOpen(): boolean {
    return this.#mode === 'open' && !this.#response.destroyed;
  }

  /** Is its reader unable to take up a stream that ended early? */
  get cannotResume(): boolean {
    return this.#response.cannotResume === true;
  }

  /** Is it a stream of events now? */
  get isStream(): boolean {
    return this.#mode === 'stream';
  }

  /** Can nothing be sent any more? */
  get isDone(): boolean {
    return this.#mode === 'done' || this.#response.destroyed;
  }

  /** Answers with one JSON message. */
  json(status: number, body: Buffer, headers?: ReplyHeaders): void {
    this.raw(status, { 'content-type': 'application/json', ...headers }, body);
  }

  /** Answers with anything. */
  raw(status: number, headers: ReplyHeaders, body?: Buffer): void {
    if (!this.isOpen) return;
    this.#mode = 'done';
    const length = body === undefined || status === 204 ? 0 : body.length;
    const head = this.#onHead?.(headers) ?? headers;
    this.#response.writeHead(status, status === 204 ? head : { ...head, 'content-length': String(length) });
    if (length > LARGE) this.#cutWhenStalled();
    if (length === 0) this.#response.end();
    else this.#response.end(body);
    this.#onUnread?.(length);
  }

  /** Answers whoever asked for the head alone; the length of what is left out may be in it. */
  head(status: number, headers: ReplyHeaders): void {
    if (!this.isOpen) return;
    this.#mode = 'done';
    this.#response.writeHead(status, this.#onHead?.(headers) ?? headers);
    this.#response.end();
  }

  /** Becomes a stream of events. */
  stream(headers?: ReplyHeaders): void {
    if (!this.isOpen) return;
    this.#mode = 'stream';
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...(this.#onHead?.(headers ?? {}) ?? headers),
    });
    this.#response.flushHeaders();
  }

  /** Writes whole events. False: the reader is behind. */
  event(bytes: Buffer): boolean {
    if (this.#mode !== 'stream' || this.#response.destroyed) return true;
    if (this.#response.writableLength > MAX_UNREAD) {
      this.abort();
      return true;
    }
    const isRead = this.#response.write(bytes);
    if (!isRead && this.#onUnread !== undefined) {
      this.#heedDrain();
      this.#onUnread(this.#response.writableLength);
    }
    return isRead;
  }

  /** Ends a stream. */
  end(): void {
    if (this.#mode !== 'stream') return;
    this.#mode = 'done';
    if (this.#response.writableLength > LARGE) this.#cutWhenStalled();
    this.#response.end();
  }

  /** Cuts the connection, so that nobody takes what was sent for the whole. */
  abort(): void {
    this.#mode = 'done';
    this.#response.destroy();
  }

  /** Called whenever a reader that was behind has caught up, or has gone. One listener an answer is enough. */
  onDrain(listener: () => void): void {
    this.#heedDrain();
    this.#onDrain = listener;
  }

  /** Called with how much waits for a reader that is behind, until the answer is closed. One listener an answer is enough. */
  onUnread(listener: (bytes: number) => void): void {
    this.#onUnread = listener;
  }

  /** Changes the headers on their way out, whoever answers; whoever has said so last changes them first. */
  onHead(change: (headers: ReplyHeaders) => ReplyHeaders): void {
    const before = this.#onHead;
    this.#onHead = before === undefined ? change : (headers) => before(change(headers));
  }

  /** Called once when the answer is complete or nobody can take it any more. */
  onClose(listener: () => void): void {
    this.#response.on('close', listener);
  }

  /** Called once when the client went away before the answer was complete. */
  onGone(listener: () => void): void {
    this.#response.on('close', () => {
      if (!this.#response.writableFinished) listener();
    });
  }
  #heedDrain(): void {
    if (this.#heedsDrain) return;
    this.#heedsDrain = true;
    this.#response.on('drain', () => {
      this.#onUnread?.(0);
      this.#onDrain?.();
    });
    this.#response.on('close', () => this.#onDrain?.());
  }

  #cutWhenStalled(): void {
    this.#response.setTimeout(STALLED_MS, () => this.abort());
  }
}
