/** Who listed a name, and who runs a task. */

const MAX_OWNERS = 50_000;
const MAX_NAMES = 4 * 1024 * 1024;
/** Longer ones are asked for again each time. */
const MAX_NAME = 4096;

/** Remembers owners of names that say nothing about their owner, the latest ones. */
export class Owners {
  readonly #known: Map<string, string> = new Map();
  #length = 0;

  /** All that are known. */
  names(): IterableIterator<string> {
    return this.#known.keys();
  }

  of(name: string): string | undefined {
    return this.#known.get(name);
  }

  set(name: string, upstream: string): void {
    if (name.length > MAX_NAME) return;
    this.#delete(name);
    this.#known.set(name, upstream);
    this.#length += name.length;
    while (this.#known.size > MAX_OWNERS || this.#length > MAX_NAMES)
      this.#delete(this.#known.keys().next().value as string);
  }

  #delete(name: string): void {
    if (this.#known.delete(name)) this.#length -= name.length;
  }
}
