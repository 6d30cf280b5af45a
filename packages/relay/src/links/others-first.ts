/**
 * What servers say can be much work, and all of it is done by one thread. Whoever has had a long turn waits until all others
 * were heard, and of all who wait one goes on at a time; whoever comes while one has just had a long turn is heard after the
 * others, and before those who wait.
 */
import { performance } from 'node:perf_hooks';

/** How time passes. */
export interface OthersFirstOptions {
  /** Milliseconds that only ever grow. */
  readonly now?: (() => number) | undefined;
  /** Calls once everybody who has something to say was heard. */
  readonly afterOthers?: ((next: () => void) => void) | undefined;
  /** Calls so many milliseconds later. */
  readonly afterMs?: ((next: () => void, ms: number) => void) | undefined;
}

/** A call takes others more than one turn of the event loop: behind a turn longer than this, nobody has one for as long. */
const LONG_MS = 50;

/** What is less than this is done at once, whoever it is for. */
export const MUCH = 4096;

/** Who goes first. One for all that is done in a thread. */
export class OthersFirst {
  readonly #now: () => number;
  readonly #afterOthers: (next: () => void) => void;
  readonly #afterMs: (next: () => void, ms: number) => void;
  /** Those who have not had a long turn. */
  readonly #fresh: Set<() => void> = new Set();
  /** Those who have, or may have one: by whom they are, so that each has its turn whatever waits for another. */
  readonly #waiting: Map<unknown, Set<() => void>> = new Map();
  #isSpent = false;
  #isDue = false;

  constructor({ now, afterOthers, afterMs }: OthersFirstOptions = {}) {
    this.#now = now ?? (() => performance.now());
    this.#afterOthers = afterOthers ?? setImmediate;
    this.#afterMs = afterMs ?? setTimeout;
  }

  /** Has somebody had a long turn, and others were not heard since? */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Somebody has a long turn, which has lasted so long already. */
  spend(usedMs = 0): void {
    if (this.#isSpent) return;
    this.#isSpent = true;
    const began = this.#now() - usedMs;
    const goOn = (): void => {
      this.#isSpent = false;
      this.#goOn();
    };
    this.#afterOthers(() => {
      const longMs = this.#now() - began;
      if (longMs > LONG_MS) this.#afterMs(goOn, LONG_MS);
      else goOn();
    });
  }

  /** Goes on as soon as others were heard: somebody has had a long turn, but not this one. */
  soon(next: () => void): void {
    this.#fresh.add(next);
  }

  /** Goes on when it is the turn of `who`, one at a time. */
  later(who: unknown, next: () => void): void {
    this.#waiting.set(who, (this.#waiting.get(who) ?? new Set()).add(next));
    if (!this.#isSpent) this.#plan();
  }

  /** Something of this size is about to be done for `who`: nothing to wait for, if it is little or nobody else waits. */
  turn(who: unknown, size: number): Promise<void> | undefined {
    if (size < MUCH) return undefined;
    if (!this.#isSpent && this.#waiting.size === 0) {
      this.spend();
      return undefined;
    }
    return new Promise((resolve) => {
      this.later(who, () => {
        this.spend();
        resolve();
      });
    });
  }

  #plan(): void {
    if (this.#isDue || this.#waiting.size === 0) return;
    this.#isDue = true;
    this.#afterOthers(() => {
      this.#isDue = false;
      if (!this.#isSpent) this.#goOn(); // else it goes on after whoever has come in between
    });
  }

  #goOn(): void {
    for (const next of this.#fresh) {
      if (this.#isSpent) return;
      this.#fresh.delete(next);
      next();
    }
    if (!this.#isSpent) this.#takeNext()?.();
    if (!this.#isSpent) this.#plan();
  }

  #takeNext(): (() => void) | undefined {
    for (const [who, all] of this.#waiting) {
      const [next] = all;
      this.#waiting.delete(who);
      if (next !== undefined) all.delete(next);
      if (all.size > 0) this.#waiting.set(who, all); // behind all others
      return next;
    }
    return undefined;
  }
}

/** The one of this thread. */
export const othersFirst: OthersFirst = new OthersFirst();
