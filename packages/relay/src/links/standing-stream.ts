/** What a server says unasked: one stream that is opened again when it breaks, where it broke. */
import { isHeaderValue } from '../protocol/headers.ts';
import { barrier } from './barrier.ts';
import { AnswerReader } from './http-answer.ts';
import type { HttpClient } from './http-client.ts';
import type { Note } from './notes.ts';

/** Which stream. */
export interface StandingStreamOptions {
  readonly client: HttpClient;
  readonly path: string;
  /** The headers of the request, as they are when it is made. */
  readonly headers: () => string[];
  readonly maxBytes: number;
  readonly onMessage: (message: Buffer) => void;
  readonly note: Note;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const HEADERS_TIMEOUT_MS = 60_000;

/** One standing stream. A server that has none says so, and that is that. */
export class StandingStream {
  readonly #options: StandingStreamOptions;
  #abort: () => void = () => {};
  #again: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #lastEventId: string | undefined;
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
    const { client, path, headers, maxBytes, onMessage, note } = this.#options;
    let isThere = false;
    const reader = new AnswerReader({
      maxBytes,
      expectsAnswer: false,
      onStart: (status) => {
        isThere = status === 200;
      },
      onEventId: (id) => {
        this.#lastEventId = id;
      },
      onMessage: (message) => {
        this.#pauseMs = FIRST_PAUSE_MS;
        barrier(
          () => onMessage(message),
          (what) => note(`a message could not be handled (${what})`),
        );
      },
      onOver: () => {
        if (isThere) this.#openLater();
      },
    });
    this.#abort = client.send(
      { method: 'GET', path, headers: this.#resuming(headers()), headersTimeoutMs: HEADERS_TIMEOUT_MS },
      reader,
    );
  }

  /** An id that cannot be sent back is not. */
  #resuming(headers: string[]): string[] {
    const id = this.#lastEventId;
    if (id !== undefined && id !== '' && isHeaderValue(id)) headers.push('last-event-id', id);
    return headers;
  }

  #openLater(): void {
    if (this.#isClosed) return;
    this.#again = setTimeout(() => this.#open(), this.#pauseMs);
    this.#again.unref();
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
  }
}
