/** The HTTP exchanges under way: the SDKs leave a connection open when a request is cancelled. */
import type { RequestId } from './reply.ts';

/** One request and its response. */
export interface Exchange {
  /** Aborts with the request's own signal, or when the request was cancelled. */
  readonly signal: AbortSignal;
  /** The request was cancelled: nobody waits for the answer. */
  readonly isCancelled: boolean;
  /** The server has told of its work in the meantime, of this request's or another's: that is not always said. */
  readonly hasBegun: boolean;
  /** A message has begun on another stream whose end has not come: it may be the answer to this request. */
  readonly mayBeAnswered: boolean;
  /** The server says that it has not taken the request: what it says next on another stream may be about that. */
  refused(): void;
  /** The response is over, and the answer comes on another stream, if it has not yet. */
  wait(): void;
  /** It is over. */
  close(): void;
}

/** All exchanges of one transport. */
export interface Exchanges {
  open(id: RequestId, signal: AbortSignal | null | undefined): Exchange;
  /** The answer has come on another stream: had the server told of its work before? */
  answered(id: RequestId): boolean;
  /** Those whose answer was to come on another stream, which is gone. */
  lost(): readonly RequestId[];
  /** The server tells of its work. */
  begin(): void;
  /** A message has begun on a stream, whose end has not come. */
  half(): void;
  /** Was a request refused that nothing was said of since? From now on that is forgotten. */
  takeRefused(): boolean;
  /** Ends the exchange of a request that was cancelled. */
  end(id: RequestId): void;
}

/** Keeps track of exchanges by the id of their request. */
export function createExchanges(): Exchanges {
  const open = new Map<RequestId, OpenExchange>();
  let hasRefused = false;
  return {
    open(id, signal) {
      const forget = (): void => {
        if (open.get(id) === exchange) open.delete(id);
      };
      const exchange = new OpenExchange(signal, forget, () => {
        hasRefused = true;
      });
      open.set(id, exchange);
      return exchange;
    },
    answered(id) {
      const exchange = open.get(id);
      exchange?.answered();
      return exchange?.hasBegun === true;
    },
    lost() {
      const lost = [...open].filter(([, exchange]) => exchange.isWaiting);
      for (const [, exchange] of lost) exchange.close();
      return lost.map(([id]) => id);
    },
    begin() {
      for (const exchange of open.values()) exchange.hasBegun = true;
    },
    half() {
      for (const exchange of open.values()) exchange.mayBeAnswered = true;
    },
    takeRefused() {
      const was = hasRefused;
      hasRefused = false;
      return was;
    },
    end(id) {
      open.get(id)?.cancel();
      open.delete(id);
    },
  };
}

class OpenExchange implements Exchange {
  isCancelled = false;
  hasBegun = false;
  mayBeAnswered = false;
  isWaiting = false;
  #isAnswered = false;
  readonly #controller = new AbortController();
  readonly #given: AbortSignal | null | undefined;
  readonly #forget: () => void;
  readonly refused: () => void;
  readonly #follow = (): void => this.#controller.abort(this.#given?.reason);

  constructor(given: AbortSignal | null | undefined, forget: () => void, refused: () => void) {
    this.#given = given;
    this.#forget = forget;
    this.refused = refused;
    if (given?.aborted === true) this.#follow();
    else given?.addEventListener('abort', this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  cancel(): void {
    this.isCancelled = true;
    this.#controller.abort(new DOMException('The request was cancelled', 'AbortError'));
  }

  wait(): void {
    this.#given?.removeEventListener('abort', this.#follow);
    this.isWaiting = true;
    if (this.#isAnswered) this.close();
  }

  answered(): void {
    this.#isAnswered = true;
    if (this.isWaiting) this.close();
  }

  close(): void {
    this.#given?.removeEventListener('abort', this.#follow);
    this.#forget();
  }
}
