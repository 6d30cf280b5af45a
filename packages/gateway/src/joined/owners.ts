/** Who listed a name, and who runs a task. */

const MAX_OWNERS = 50_000;
const MAX_NAMES = 4 * 1024 * 1024;
/** Longer ones are asked for again each time. */
const MAX_NAME = 4096;

interface Owner {
  readonly upstream: string;
  /** Were the servers others when it was learned? */
  readonly isFormer: boolean;
}

/** Remembers owners of names that say nothing about their owner, the latest ones. */
export class Owners {
  readonly #known: Map<string, Owner> = new Map();
  #length = 0;

  /** All that are known. */
  names(): IterableIterator<string> {
    return this.#known.keys();
  }

  of(name: string): string | undefined {
    const owner = this.#known.get(name);
    return owner?.isFormer === false ? owner.upstream : undefined;
  }

  /** Who has it, or had it before the servers were others. */
  likely(name: string): string | undefined {
    return this.#known.get(name)?.upstream;
  }

  /** The same, from now on: what is known is no more than likely, now that the servers are others. */
  doubted(): Owners {
    const doubted = new Owners();
    for (const [name, { upstream }] of this.#known) doubted.#add(name, { upstream, isFormer: true });
    return doubted;
  }

  set(name: string, upstream: string): void {
    if (name.length <= MAX_NAME) this.#add(name, { upstream, isFormer: false });
  }

  #add(name: string, owner: Owner): void {
    this.#delete(name);
    this.#known.set(name, owner);
    this.#length += name.length;
    while (this.#known.size > MAX_OWNERS || this.#length > MAX_NAMES)
      this.#delete(this.#known.keys().next().value as string);
  }

  #delete(name: string): void {
    if (this.#known.delete(name)) this.#length -= name.length;
  }
}
