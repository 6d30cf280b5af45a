/** What one source says, a turn at a time: one that says much leaves all others, and every timer, theirs. */
import { performance } from 'node:perf_hooks';

/** Where bytes come from. */
interface Source {
  pause(): void;
  resume(): void;
}

/** Who takes them in. */
export interface TurnsOptions {
  readonly source: Source;
  /** Takes bytes from a position on, as many as it likes to at once, and says up to where. */
  readonly take: (bytes: Buffer, from: number) => number;
  /** Milliseconds that only ever grow. */
  readonly now?: (() => number) | undefined;
  /** Calls once everybody else has had a turn. */
  readonly afterOthers?: ((next: () => void) => void) | undefined;
}

/** How long one turn is. */
const TURN_MS = 10;

/** What is worth a look at the clock. Of less, no more than one piece is read between two turns of the others. */
const MUCH = 4096;

/** The bytes of one source. It is held back while the rest of what it said waits for the next turn. */
export class Turns implements Source {
  readonly #options: TurnsOptions;
  readonly #now: () => number;
  readonly #afterOthers: (next: () => void) => void;
  /** How much of its turn is used up. */
  #usedMs = 0;
  /** What waits for the next turn. */
  #rest: Buffer | undefined;
  /** Whoever is told cannot take more. */
  #isHeld = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#afterOthers = options.afterOthers ?? setImmediate;
  }

  /** Takes what came. */
  push(bytes: Buffer): void {
    if (this.#rest === undefined) this.#take(bytes);
    else this.#rest = Buffer.concat([this.#rest, bytes]);
  }

  /** Takes all that waits, at once: no more will come. */
  flush(): void {
    const rest = this.#rest;
    this.#rest = undefined;
    for (let at = 0; rest !== undefined && at < rest.length; ) at = this.#options.take(rest, at);
  }

  /** Nobody wants what waits. */
  drop(): void {
    this.#rest = undefined;
  }

  pause(): void {
    this.#isHeld = true;
    this.#options.source.pause();
  }

  resume(): void {
    this.#isHeld = false;
    if (this.#rest === undefined) this.#options.source.resume();
  }

  #take(bytes: Buffer): void {
    if (bytes.length < MUCH) {
      for (let at = 0; at < bytes.length; ) at = this.#options.take(bytes, at);
      return;
    }
    const began = this.#now();
    const before = this.#usedMs;
    let at = 0;
    do {
      at = this.#options.take(bytes, at);
      this.#usedMs = before + this.#now() - began;
    } while (at < bytes.length && this.#usedMs < TURN_MS);
    if (this.#usedMs < TURN_MS) return;
    this.#rest = bytes.subarray(at);
    this.#options.source.pause();
    this.#afterOthers(() => this.#next());
  }

  #next(): void {
    this.#usedMs = 0;
    const rest = this.#rest;
    if (rest === undefined) return;
    this.#rest = undefined;
    this.#take(rest);
    if (this.#rest === undefined && !this.#isHeld) this.#options.source.resume();
  }
}
