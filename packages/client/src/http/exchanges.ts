/** The HTTP exchanges under way: the SDKs leave a connection open when a request is cancelled. */
import type { RequestId } from './reply.ts';

/** One request and its response. */
export interface Exchange {
  /** Aborts with the request's own signal, or when the request was cancelled. */
  readonly signal: AbortSignal;
  /** The request was cancelled: nobody waits for the answer. */
  readonly isCancelled: boolean;
  /** It is over. */
  close(): void;
}

/** All exchanges of one transport. */
export interface Exchanges {
  open(id: RequestId, signal: AbortSignal | null | undefined): Exchange;
  /** Ends the exchange of a request that was cancelled. */
  end(id: RequestId): void;
}

/** Keeps track of exchanges by the id of their request. */
export function createExchanges(): Exchanges {
  const cancels = new Map<RequestId, () => void>();
  return {
    open(id, signal) {
      const controller = new AbortController();
      const follow = (): void => controller.abort(signal?.reason);
      let isCancelled = false;
      const cancel = (): void => {
        isCancelled = true;
        controller.abort(new DOMException('The request was cancelled', 'AbortError'));
      };
      if (signal?.aborted === true) follow();
      else signal?.addEventListener('abort', follow, { once: true });
      cancels.set(id, cancel);
      return {
        signal: controller.signal,
        get isCancelled() {
          return isCancelled;
        },
        close() {
          signal?.removeEventListener('abort', follow);
          if (cancels.get(id) === cancel) cancels.delete(id);
        },
      };
    },
    end(id) {
      cancels.get(id)?.();
      cancels.delete(id);
    },
  };
}
