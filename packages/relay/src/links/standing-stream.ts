/** What a server says unasked: one stream that is opened again when it breaks, where it broke. */
import { isOfStream, type StreamEvent, saysUnknown } from '../framing/events.ts';
import { type Peek, peek } from '../framing/peek.ts';
import { barrier } from './barrier.ts';
import { AnswerReader } from './http-answer.ts';
import type { HttpClient } from './http-client.ts';
import type { Note } from './notes.ts';
import { whyNotUnasked } from './stray.ts';
import { StreamPlace } from './take-up.ts';

/** Which stream. */
export interface StandingStreamOptions {
  readonly client: HttpClient;
  readonly path: string;
  /** The headers of the request, as they are when it is made. */
  readonly headers: () => string[];
  readonly maxBytes: number;
  readonly onMessage: (message: Buffer) => void;
  /** What has no place here and goes no further: an answer, a list, what is no message. */
  readonly onStray: (bytes: Buffer, seen: Peek) => void;
  /** Something has begun to come whose end has not, or came in a field that no reader knows. */
  readonly onBegun: () => void;
  /** The server had this stream and does not know its session any more. */
  readonly onForgotten: () => void;
  readonly note: Note;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const HEADERS_TIMEOUT_MS = 60_000;

/** One standing stream. A server that has none says so, and that is that. */
export class StandingStream {
  readonly #options: StandingStreamOptions;
  readonly #place: StreamPlace = new StreamPlace();
  #newest: StreamEvent | undefined;
  #abort: () => void = () => {};
  #again: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #wasThere = false;
  #isClosed = false;

  constructor(options: StandingStreamOptions) {
    this.#options = options;
    this.#open();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#again);
    this.#abort();
  }

  #open(): void {
    const { client, path, headers, maxBytes } = this.#options;
    let status = 0;
    const reader = new AnswerReader({
      maxBytes,
      expectsAnswer: false,
      onStart: (head) => {
        status = head.status;
        if (status === 200) this.#wasThere = true;
      },
      onEvent: (event) => {
        this.#newest = event;
        this.#place.saw(event);
        if (saysUnknown(event.raw)) this.#options.onBegun();
      },
      onBegun: this.#options.onBegun,
      onMessage: (message) => {
        this.#pauseMs = FIRST_PAUSE_MS;
        this.#heard(message);
      },
      onOver: () => this.#ended(status),
    });
    this.#abort = client.send(
      {
        method: 'GET',
        path,
        headers: this.#place.headersAfter(headers()),
        headersTimeoutMs: HEADERS_TIMEOUT_MS,
      },
      reader,
    );
  }

  #heard(message: Buffer): void {
    const { onMessage, onStray, note } = this.#options;
    const seen = peek(message);
    const stray = whyNotUnasked(seen);
    if (stray !== undefined) {
      if (this.#newest !== undefined && isOfStream(this.#newest)) return;
      note(stray);
      onStray(message, seen);
      return;
    }
    barrier(
      () => onMessage(message),
      (what) => note(`a message could not be handled (${what})`),
    );
  }

  /** A server that is away (no status) may come back; one that refuses what it once gave has forgotten us. */
  #ended(status: number): void {
    if (this.#isClosed || !this.#wasThere) return;
    if (status < 300 || status >= 500) this.#openLater();
    else if (status === 400 || status === 404) this.#options.onForgotten();
  }

  #openLater(): void {
    this.#again = setTimeout(() => this.#open(), this.#pauseMs);
    this.#again.unref();
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
  }
}
