/** What is open right now: thousands a second come and go. */

/** A set of things for a short stay. */
export interface Places<T> {
  readonly size: number;
  /** Takes it in; what it gives takes it out again. */
  add(item: T): () => void;
  all(): readonly T[];
}

/**
 * Starts empty. Places are used again, because a `Set` that thousands a second pass through is rebuilt all the time, and
 * what it was built on before keeps its items from being collected early.
 */
export function createPlaces<T>(onEmpty?: () => void): Places<T> {
  return new Row(onEmpty);
}

class Row<T> implements Places<T> {
  readonly #places: (T | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #onEmpty: (() => void) | undefined;
  size = 0;

  constructor(onEmpty: (() => void) | undefined) {
    this.#onEmpty = onEmpty;
  }

  add(item: T): () => void {
    const place = this.#free.pop() ?? this.#places.length;
    this.#places[place] = item;
    this.size += 1;
    let isTaken = true;
    return () => {
      if (isTaken) this.#release(place);
      isTaken = false;
    };
  }

  all(): readonly T[] {
    return this.#places.filter((item) => item !== undefined);
  }

  #release(place: number): void {
    this.#places[place] = undefined;
    this.#free.push(place);
    this.size -= 1;
    if (this.size === 0) this.#onEmpty?.();
  }
}
