/** What one source says, a turn at a time: one that says much leaves all others, and every timer, theirs. */
import { performance } from 'node:perf_hooks';
import { MUCH, type OthersFirst, othersFirst } from './others-first.ts';

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
  /** Who goes first, of all sources. */
  readonly othersFirst?: Pick<OthersFirst, 'isSpent' | 'spend' | 'soon' | 'later'> | undefined;
}

/** How long one turn is. */
const TURN_MS = 10;

/** The bytes of one source. It is held back while the rest of what it said waits for the next turn. */
export class Turns implements Source {
  readonly #options: TurnsOptions;
  readonly #now: () => number;
  readonly #othersFirst: Pick<OthersFirst, 'isSpent' | 'spend' | 'soon' | 'later'>;
  /** How much of its turn is used up. */
  #usedMs = 0;
  /** What waits for the next turn. */
  #rest: Buffer | undefined;
  /** Whoever is told cannot take more. */
  #isHeld = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#othersFirst = options.othersFirst ?? othersFirst;
  }

  /** Takes what came. */
  push(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#rest === undefined) this.#takeInTurn(bytes);
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

  /** Much is not even begun while others wait to be heard after somebody else's long turn. */
  #takeInTurn(bytes: Buffer): void {
    if (bytes.length < MUCH || !this.#othersFirst.isSpent) this.#take(bytes);
    else {
      this.#hold(bytes);
      this.#othersFirst.soon(() => this.#next());
    }
  }

  #hold(rest: Buffer): void {
    this.#rest = rest;
    this.#options.source.pause();
  }

  #take(bytes: Buffer): void {
    const began = this.#now();
    // Little counts by itself: others have their turn between two pieces of it. It may be the end of much.
    const before = bytes.length < MUCH ? 0 : this.#usedMs;
    let at = 0;
    do {
      at = this.#options.take(bytes, at);
      this.#usedMs = before + this.#now() - began;
    } while (at < bytes.length && this.#usedMs < TURN_MS);
    if (this.#usedMs < TURN_MS) return;
    this.#hold(bytes.subarray(at));
    this.#othersFirst.spend(this.#usedMs);
    this.#othersFirst.later(this, () => this.#next());
  }

  #next(): void {
    this.#usedMs = 0;
    const rest = this.#rest;
    if (rest === undefined) return;
    this.#rest = undefined;
    if (rest.length > 0) this.#take(rest);
    if (this.#rest === undefined && !this.#isHeld) this.#options.source.resume();
  }
}
