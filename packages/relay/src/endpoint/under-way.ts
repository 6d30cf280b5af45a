/**
 * Requests under way in sessions, where an id is used once: a second one that is the same to the byte is one that somebody
 * on the way has sent twice. It is made once, and both are told what became of it.
 */
import type { WireHandler, WireOutcome } from './call.ts';

interface First {
  readonly body: Buffer;
  readonly outcome: Promise<WireOutcome>;
  /** How many wait for it. */
  waiting: number;
  /** Whoever has sent it first is gone, and so is everybody else. */
  readonly allLeft: () => void;
}

/** Those under way, by what tells them apart. */
export class UnderWay<K> {
  readonly #open: Map<K, First> = new Map();

  /** Somebody who waited for this request is gone: it is told to whoever ends it when nobody else waits. */
  left(key: K, body: Buffer, ofAnother: () => void): void {
    const first = this.#open.get(key);
    if (first === undefined || !first.body.equals(body)) ofAnother();
    else if (--first.waiting === 0) first.allLeft();
  }

  /** Makes the call, or waits for what becomes of the same one. `allLeft`: ends it, once nobody waits any more. */
  once(key: K, make: WireHandler, allLeft: () => void): WireHandler {
    return (call) => {
      const first = this.#open.get(key);
      // Over HTTP each request has its own answer: who uses an id for several at once is served.
      if (first !== undefined && !first.body.equals(call.body)) return make(call);
      if (first !== undefined) {
        first.waiting += 1;
        return first.outcome;
      }
      const outcome = make(call);
      const own: First = { body: call.body, outcome, waiting: 1, allLeft };
      const over = (): void => {
        if (this.#open.get(key) === own) this.#open.delete(key);
      };
      this.#open.set(key, own);
      outcome.then(over, over);
      return outcome;
    };
  }
}
