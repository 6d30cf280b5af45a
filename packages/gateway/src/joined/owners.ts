/** Who listed a resource. */

const MAX_OWNERS = 10_000;

/** Remembers owners of URIs, the latest ones. */
export class Owners {
  readonly #known: Map<string, string> = new Map();

  of(uri: string): string | undefined {
    return this.#known.get(uri);
  }

  set(uri: string, upstream: string): void {
    this.#known.delete(uri);
    this.#known.set(uri, upstream);
    if (this.#known.size <= MAX_OWNERS) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}
