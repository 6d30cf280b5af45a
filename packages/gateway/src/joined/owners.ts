/** Who listed a name, and who runs a task. */

const MAX_OWNERS = 10_000;

/** Remembers owners of names that say nothing about their owner, the latest ones. */
export class Owners {
  readonly #known: Map<string, string> = new Map();

  /** All that are known. */
  names(): IterableIterator<string> {
    return this.#known.keys();
  }

  of(name: string): string | undefined {
    return this.#known.get(name);
  }

  set(name: string, upstream: string): void {
    this.#known.delete(name);
    this.#known.set(name, upstream);
    if (this.#known.size <= MAX_OWNERS) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}
