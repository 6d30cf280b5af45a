/**
 * Requests under way in sessions, where an id is used once: a second one that is the same to the byte is one that somebody
 * on the way has sent twice. It is made once, and both are told what became of it.
 */
import type { WireHandler, WireOutcome } from './call.ts';

interface First {
  readonly body: Buffer;
  readonly outcome: Promise<WireOutcome>;
  /** Somebody else waits for it too. */
  isShared: boolean;
}

/** Those under way, by what tells them apart. */
export class UnderWay<K> {
  readonly #open: Map<K, First> = new Map();

  /** Does it go on for somebody else when whoever has sent it first is gone? */
  isShared(key: K): boolean {
    return this.#open.get(key)?.isShared === true;
  }

  /** Makes the call, or waits for what becomes of the same one. */
  once(key: K, make: WireHandler): WireHandler {
    return (call) => {
      const first = this.#open.get(key);
      // Over HTTP each request has its own answer: who uses an id for several at once is served.
      if (first !== undefined && !first.body.equals(call.body)) return make(call);
      if (first !== undefined) {
        first.isShared = true;
        return first.outcome;
      }
      const outcome = make(call);
      const own: First = { body: call.body, outcome, isShared: false };
      const over = (): void => {
        if (this.#open.get(key) === own) this.#open.delete(key);
      };
      this.#open.set(key, own);
      outcome.then(over, over);
      return outcome;
    };
  }
}
