/** What waits under numbers that are given out in order: thousands a second come and go. */

/** Places at first, and at most; whoever waits while that many others come and go waits elsewhere. */
const FEWEST = 32;
const MOST = 4096;

/**
 * Finds by number. A place is used again by a later number, because a `Map` that thousands a second pass through is
 * rebuilt all the time, and what it was built on before keeps its items from being collected early.
 */
export class WaitingRoom<T> {
  readonly #numberOf: (item: T) => number;
  #places: (T | undefined)[] = new Array(FEWEST).fill(undefined);
  /** Those whose place a later one has taken: the slow ones. */
  readonly #slow: Map<number, T> = new Map();
  size = 0;

  constructor(numberOf: (item: T) => number) {
    this.#numberOf = numberOf;
  }

  get(number: number): T | undefined {
    const item = this.#places[number & (this.#places.length - 1)];
    return item !== undefined && this.#numberOf(item) === number ? item : this.#slow.get(number);
  }

  add(item: T): void {
    this.size += 1;
    if (this.size > this.#places.length / 2 && this.#places.length < MOST) this.#widen();
    this.#seat(item);
  }

  /** Takes it out, if it waits. */
  take(number: number): T | undefined {
    const item = this.get(number);
    if (item === undefined) return undefined;
    this.size -= 1;
    if (!this.#slow.delete(number)) this.#places[number & (this.#places.length - 1)] = undefined;
    return item;
  }

  /** All of them, in the order in which they came. */
  all(): readonly T[] {
    const all = [...this.#slow.values(), ...this.#places.filter((item) => item !== undefined)];
    return all.sort((one, other) => this.#numberOf(one) - this.#numberOf(other));
  }

  #seat(item: T): void {
    const place = this.#numberOf(item) & (this.#places.length - 1);
    const before = this.#places[place];
    if (before !== undefined) this.#slow.set(this.#numberOf(before), before);
    this.#places[place] = item;
  }

  #widen(): void {
    const before = this.#places;
    this.#places = new Array(before.length * 2).fill(undefined);
    for (const item of before) if (item !== undefined) this.#seat(item);
  }
}
