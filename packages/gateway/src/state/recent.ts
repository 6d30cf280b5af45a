/**
 * What a store said lately. It is asked about one thing once a second at most; what it said holds for two, and nobody waits
 * for it in between.
 */
import { dropOldest } from '@mayday/policy';

/** So long nobody is asked again. */
const FRESH_MS = 1000;
/** So long what is known is used, while the store is asked. */
const STALE_MS = 2000;
/** Things that are remembered. */
const MAX_KNOWN = 10_000;

interface Entry<V> {
  readonly value: V;
  /** By a clock that only goes forward; when it was asked, not when it answered. */
  readonly askedAt: number;
}

/** Answers by key. What does not exist is not remembered. */
export class Recent<V> {
  readonly #known = new Map<string, Entry<V>>();
  readonly #asked = new Map<string, Promise<V | undefined>>();

  /** Before this, nothing that was said holds any more. */
  #since = Number.NEGATIVE_INFINITY;

  /** What the store says, or said. Rejects where it has to be asked and cannot be. */
  find(key: string, ask: () => Promise<V | undefined>): V | undefined | Promise<V | undefined> {
    const entry = this.#known.get(key);
    if (entry === undefined || this.#ageOf(entry) >= STALE_MS) return this.#ask(key, ask);
    // It holds a little longer; who is asked then knows better.
    if (this.#ageOf(entry) >= FRESH_MS) this.#ask(key, ask).catch(() => undefined);
    return entry.value;
  }

  /** What holds, without asking. */
  known(key: string): V | undefined {
    const entry = this.#known.get(key);
    return entry !== undefined && this.#ageOf(entry) < STALE_MS ? entry.value : undefined;
  }

  /** What was said last, however long ago. */
  last(key: string): V | undefined {
    return this.#known.get(key)?.value;
  }

  isFresh(key: string): boolean {
    const entry = this.#known.get(key);
    return entry !== undefined && this.#ageOf(entry) < FRESH_MS;
  }

  forget(key: string): void {
    this.#known.delete(key);
  }

  /** What the store says has changed: whoever comes next has it asked anew, and does not share a question from before. */
  outdate(): void {
    this.#since = performance.now();
    this.#asked.clear();
  }

  #ageOf({ askedAt }: Entry<unknown>): number {
    return askedAt > this.#since ? performance.now() - askedAt : Number.POSITIVE_INFINITY;
  }

  /** One question for all who want to know the same. */
  #ask(key: string, ask: () => Promise<V | undefined>): Promise<V | undefined> {
    const running = this.#asked.get(key);
    if (running !== undefined) return running;
    const answer = this.#lookUp(key, ask).finally(() => {
      if (this.#asked.get(key) === answer) this.#asked.delete(key);
    });
    this.#asked.set(key, answer);
    return answer;
  }

  async #lookUp(key: string, ask: () => Promise<V | undefined>): Promise<V | undefined> {
    const askedAt = performance.now();
    const value = await ask();
    // A question from before may be answered after a later one, which knows better.
    if (askedAt <= this.#since && (this.#known.get(key)?.askedAt ?? askedAt) > askedAt) return value;
    this.#known.delete(key);
    if (value === undefined) return undefined;
    this.#known.set(key, { value, askedAt });
    dropOldest(this.#known, MAX_KNOWN);
    return value;
  }
}
