/** The HTTP exchanges under way: the SDKs leave a connection open when a request is cancelled. */
import { isAboutNotification, isNamelessError } from './answer.ts';
import { createRefusals, type Refusal } from './refusals.ts';
import { isObject, type RequestId } from './reply.ts';

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
  /** Asks whether something has begun in its stream that may be about others, and whose end has not come. */
  isSayingMore: () => boolean;
  /** The conversation has ended before its answer came: there is nothing left on which one could come. */
  readonly isCutOff: boolean;
  /** The server has told of its work, of this request's. */
  told(): void;
  /** The server says that it has not taken the request: what it says next may take that back. */
  refused(): Refusal;
  /** The response is over, and the answer comes on another stream, if it has not yet. */
  wait(): void;
  /** It is over. */
  close(): void;
}

/** All exchanges of one transport. */
export interface Exchanges {
  open(id: RequestId, signal: AbortSignal | null | undefined): Exchange;
  /** The answer has come on another stream: had the server told of its work before? */
  answered(id: RequestId, message: unknown): boolean;
  /** The answer that has come on another stream says that it has not taken the request. */
  refused(id: RequestId): Refusal;
  /** What came beside an answer, or in a list: it may answer others, or be about a request that was refused. */
  beside(message: unknown): void;
  /** Those whose answer was to come on another stream, which is gone. */
  lost(): readonly RequestId[];
  /** The conversation is over, and not because we have ended it. */
  ended(): void;
  /** The server tells of its work. */
  begin(): void;
  /** A message has begun on a stream, whose end has not come. */
  half(): void;
  /** Ends the exchange of a request that was cancelled. */
  end(id: RequestId): void;
}

/** Keeps track of exchanges by the id of their request. */
export function createExchanges(): Exchanges {
  const open = new Map<RequestId, OpenExchange>();
  /** Is it in the middle of saying something, in the stream of any request but this one? */
  const isSayingMore = (own?: OpenExchange): boolean =>
    [...open.values()].some((exchange) => exchange !== own && exchange.isSayingMore());
  const refusals = createRefusals(isSayingMore);
  const answered = (id: RequestId, message: unknown): boolean => {
    const exchange = open.get(id);
    if (exchange === undefined && !isAboutNotification(message)) refusals.answered(id, message);
    exchange?.answered();
    return exchange?.hasBegun === true;
  };
  return {
    open(id, signal) {
      const forget = (): void => {
        if (open.get(id) === exchange) open.delete(id);
      };
      const exchange = new OpenExchange(signal, forget, () => refusals.add(id), isSayingMore);
      open.set(id, exchange);
      return exchange;
    },
    answered,
    refused: (id) => refusals.add(id),
    beside(message) {
      for (const one of Array.isArray(message) ? message : [message]) {
        const isResponse = isObject(one) && ('result' in one || 'error' in one);
        if (!isResponse || isAboutNotification(one)) continue;
        const id = one['id'] as RequestId;
        const exchange = open.get(id);
        if (isNamelessError(one)) refusals.told();
        else if (exchange === undefined) refusals.answered(id, one);
        else exchange.hasBegun = true;
      }
    },
    lost() {
      const lost = [...open].filter(([, exchange]) => exchange.isWaiting);
      for (const [, exchange] of lost) exchange.close();
      return lost.map(([id]) => id);
    },
    begin() {
      for (const exchange of open.values()) exchange.hasBegun = true;
      refusals.told();
    },
    half() {
      for (const exchange of open.values()) exchange.half();
      refusals.told();
    },
    ended() {
      for (const exchange of open.values()) exchange.cutOff();
      refusals.ended();
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
  isSayingMore = (): boolean => false;
  #isHalfTold = false;
  isCutOff = false;
  isWaiting = false;
  #isAnswered = false;
  readonly #controller = new AbortController();
  readonly #given: AbortSignal | null | undefined;
  readonly #forget: () => void;
  readonly #areOthersSayingMore: (own: OpenExchange) => boolean;
  readonly refused: () => Refusal;
  readonly #follow = (): void => this.#controller.abort(this.#given?.reason);

  constructor(
    given: AbortSignal | null | undefined,
    forget: () => void,
    refused: () => Refusal,
    areOthersSayingMore: (own: OpenExchange) => boolean,
  ) {
    this.#given = given;
    this.#forget = forget;
    this.refused = refused;
    this.#areOthersSayingMore = areOthersSayingMore;
    if (given?.aborted === true) this.#follow();
    else given?.addEventListener('abort', this.#follow, { once: true });
  }

  told(): void {
    this.hasBegun = true;
  }

  half(): void {
    this.#isHalfTold = true;
  }

  get mayBeAnswered(): boolean {
    return this.#isHalfTold || this.#areOthersSayingMore(this);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  cancel(): void {
    this.isCancelled = true;
    this.#controller.abort(new DOMException('The request was cancelled', 'AbortError'));
  }

  cutOff(): void {
    this.hasBegun = true;
    this.isCutOff = !this.#isAnswered;
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
