/** Takes a stream up again that ended before the answer came: servers end them on purpose, so that nobody has to hold a connection. */
import type { FaultInit } from '@mayday/core';
import type { StreamEvent } from '../framing/events.ts';
import { isHeaderValue } from '../protocol/headers.ts';
import { AnswerReader } from './http-answer.ts';
import type { Flow, HttpClient } from './http-client.ts';

/** Where a stream is taken up: behind the last event that named itself, and not before the server wants it. */
export class StreamPlace {
  #id: string | undefined;
  #pauseMs = 1000;

  /** An event has come. */
  saw({ id, retryMs }: Pick<StreamEvent, 'id' | 'retryMs'>): void {
    if (id !== undefined) this.#id = id;
    if (retryMs !== undefined)
      this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, retryMs));
  }

  get pauseMs(): number {
    return this.#pauseMs;
  }

  /** What to send as `Last-Event-ID`; `undefined` where there is nothing that can be sent. */
  get lastEventId(): string | undefined {
    return this.#id !== undefined && this.#id !== '' && isHeaderValue(this.#id) ? this.#id : undefined;
  }

  /** The headers of a request that takes the stream up here. */
  headersAfter(headers: readonly string[]): string[] {
    const id = this.lastEventId;
    return id === undefined ? [...headers] : [...headers, 'last-event-id', id];
  }
}

/** Which stream, and who is told. */
export interface TakeUpOptions {
  readonly client: HttpClient;
  readonly path: string;
  /** The headers of a request for a stream. */
  readonly headers: () => string[];
  /** The session whose connections it takes, if only those. */
  readonly session?: string | undefined;
  /** In whose name it is asked for. */
  readonly callerName?: string | undefined;
  readonly maxBytes: number;
  readonly place: StreamPlace;
  readonly onStart: (flow: Flow) => void;
  readonly onMessage: (message: Buffer) => void;
  /** Has the answer come? Then a stream that ends has ended for good. */
  readonly isOver: () => boolean;
  /** It cannot be taken up: the answer is lost. `fault`: and for a reason of its own. */
  readonly onLost: (fault?: FaultInit) => void;
}

const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
const HEADERS_TIMEOUT_MS = 60_000;
/** Attempts in a row that bring nothing new. A server that has nothing to say yet has its place moved, or does not answer. */
const MAX_FRUITLESS = 10;
/** One that ends each stream at once, and moves no place, has nothing: so many times, and for so long. */
const MAX_EMPTY = 3;
const EMPTY_FOR_MS = 10_000;
/** A stream that was open for longer may have waited for something. */
const AT_ONCE_MS = 1000;

/** Asks for the rest until somebody lets go of it; what it returns does. */
export function takeUp(options: TakeUpOptions): () => void {
  const taken = new TakenUp(options);
  return () => taken.stop();
}

class TakenUp {
  readonly #options: TakeUpOptions;
  #timer: NodeJS.Timeout | undefined;
  #abort: () => void = () => {};
  #fruitless = 0;
  /** Streams in a row that ended at once, and how long was waited between them. */
  #empty = 0;
  #emptyMs = 0;
  #isStopped = false;

  constructor(options: TakeUpOptions) {
    this.#options = options;
    this.#later();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#abort();
  }

  #later(): void {
    const { place } = this.#options;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, place.pauseMs * 2 ** this.#fruitless);
    this.#emptyMs = this.#empty === 0 ? 0 : this.#emptyMs + pauseMs;
    this.#timer = setTimeout(() => this.#ask(), pauseMs);
    this.#timer.unref();
  }

  #ask(): void {
    const { client, path, headers, session, callerName, maxBytes, place, onStart, onMessage } = this.#options;
    const from = place.lastEventId;
    const askedAt = performance.now();
    let status = 0;
    this.#fruitless += 1;
    const reader = new AnswerReader({
      maxBytes,
      expectsAnswer: false, // what refuses the stream answers another question than the one that was asked
      onStart: (head, flow) => {
        status = head.status;
        onStart(flow);
      },
      onEvent: (event) => {
        place.saw(event);
        if (place.lastEventId !== from) this.#fruitless = 0;
      },
      onMessage,
      onOver: (fault) => {
        const isEmpty = status === 200 && this.#fruitless > 0 && performance.now() - askedAt < AT_ONCE_MS;
        this.#empty = isEmpty ? this.#empty + 1 : 0;
        this.#over(status, fault);
      },
    });
    this.#abort = client.send(
      {
        method: 'GET',
        path,
        headers: place.headersAfter(headers()),
        session,
        callerName,
        headersTimeoutMs: HEADERS_TIMEOUT_MS,
      },
      reader,
    );
  }

  /** A server that is away (no status), busy, or has nothing to say yet is asked again. */
  #over(status: number, fault: FaultInit | undefined): void {
    if (this.#isStopped || this.#options.isOver()) return;
    const mayCome = status === 0 || status === 200 || status === 429 || status >= 500;
    const isEmpty = this.#empty >= MAX_EMPTY && this.#emptyMs >= EMPTY_FOR_MS;
    if (fault?.kind === 'invalid_output') this.#options.onLost(fault);
    else if (isEmpty) this.#options.onLost();
    else if (mayCome && this.#fruitless < MAX_FRUITLESS) this.#later();
    else this.#options.onLost(refusedWith(status, fault));
  }
}

/**
 * What a server said in place of the rest. It has taken the request, so that this proves nothing about what was done,
 * and is no status for whoever asked: they would log in, and ask again for what may have happened.
 */
function refusedWith(status: number, fault: FaultInit | undefined): FaultInit | undefined {
  if (fault === undefined || status < 300) return undefined;
  if (status === 401 || status === 403) return { ...fault, executed: 'maybe' };
  const said = fault.message ?? `HTTP ${status}`;
  return {
    kind: 'disconnected',
    origin: 'upstream',
    executed: 'maybe',
    message: `The stream ended before the answer came, and the rest of it was refused: ${said}`,
  };
}
