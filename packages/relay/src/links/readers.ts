/**
 * Whoever reads what belongs to a request may fall behind. A server of its own is held back meanwhile; where many read
 * from one server, a slow reader misses what it cannot take, and nobody else notices.
 */
import { barrier } from './barrier.ts';
import type { Note } from './notes.ts';
import type { Pending } from './pending.ts';

/** How to hold the server back. */
export interface ReadersOptions {
  readonly shared: boolean;
  readonly note: Note;
  readonly pause: () => void;
  readonly resume: () => void;
}

/** The readers of one link. */
export class Readers {
  readonly #options: ReadersOptions;
  /** Those who are behind, and how much they have missed. */
  readonly #behind: Map<Pending, number> = new Map();

  constructor(options: ReadersOptions) {
    this.#options = options;
  }

  /** Gives a message to the reader of a request. Never throws. */
  give(pending: Pending, message: Buffer): void {
    const { shared, note, pause } = this.#options;
    const missed = this.#behind.get(pending);
    if (missed !== undefined && shared) {
      this.#behind.set(pending, missed + 1);
      return;
    }
    barrier(
      () => {
        pending.sink.related(message);
        const drained = missed === undefined ? pending.sink.drained?.() : undefined;
        if (drained === undefined) return;
        this.#behind.set(pending, 0);
        if (!shared) pause();
        const release = (): void => this.release(pending);
        drained.then(release, release);
      },
      (what) => note(`a message could not be handled (${what})`),
    );
  }

  /** A reader has caught up, or reads no more. */
  release(pending: Pending): void {
    const missed = this.#behind.get(pending);
    if (missed === undefined) return;
    this.#behind.delete(pending);
    if (missed > 0) this.#options.note(`a slow reader missed ${missed} messages`);
    if (!this.#options.shared && this.#behind.size === 0) this.#options.resume();
  }
}
