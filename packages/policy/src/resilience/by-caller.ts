/** One thing for each caller. */
import { setLast } from '../newest.ts';

/** Whoever has not called for longest is forgotten. */
const MAX_CALLERS = 1000;

/** What callers have, in the order of use. Callers without an identity share theirs. */
export class ByCaller<T> {
  readonly #all: Map<string | undefined, T> = new Map();
  readonly #make: (caller: string | undefined) => T;

  /** Who came last stands last already. */
  #last: { readonly caller: string | undefined; readonly has: T } | undefined;

  constructor(make: (caller: string | undefined) => T) {
    this.#make = make;
  }

  /** What a caller has, made if need be. */
  use(caller: string | undefined): T {
    const last = this.#last;
    if (last !== undefined && last.caller === caller) return last.has;
    const known = this.#all.get(caller) ?? this.#make(caller);
    this.#last = { caller, has: known };
    setLast(this.#all, caller, known, MAX_CALLERS);
    return known;
  }

  /** What a caller has by now. */
  get(caller: string | undefined): T | undefined {
    return this.#all.get(caller);
  }

  all(): readonly T[] {
    return [...this.#all.values()];
  }
}
