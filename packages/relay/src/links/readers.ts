/**
 * Whoever reads what belongs to a request may fall behind. A server of its own is held back meanwhile; where many read
 * from one server, so much is kept for a slow reader; it misses what is more, and nobody else notices.
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

/** A burst of a server that many read from is not yet more than a reader can take. */
const KEPT_BYTES = 1024 * 1024;

interface Behind {
  /** What it was given since it fell behind. */
  bytes: number;
  missed: number;
}

/** The readers of one link. */
export class Readers {
  readonly #options: ReadersOptions;
  readonly #behind: Map<Pending, Behind> = new Map();

  constructor(options: ReadersOptions) {
    this.#options = options;
  }

  /** Gives a message to the reader of a request. Never throws. */
  give(pending: Pending, message: Buffer): void {
    const { shared, note, pause } = this.#options;
    const behind = this.#behind.get(pending);
    if (behind !== undefined && shared) {
      behind.bytes += message.length;
      if (behind.bytes > KEPT_BYTES) {
        behind.missed += 1;
        return;
      }
    }
    barrier(
      () => {
        pending.sink.related(message);
        const drained = behind === undefined ? pending.sink.drained?.() : undefined;
        if (drained === undefined) return;
        this.#behind.set(pending, { bytes: 0, missed: 0 });
        if (!shared) pause();
        const release = (): void => this.release(pending);
        drained.then(release, release);
      },
      (what) => note(`a message could not be handled (${what})`),
    );
  }

  /** A reader has caught up, or reads no more. */
  release(pending: Pending): void {
    const behind = this.#behind.get(pending);
    if (behind === undefined) return;
    this.#behind.delete(pending);
    if (behind.missed > 0) this.#options.note(`a slow reader missed ${behind.missed} messages`);
    if (!this.#options.shared && this.#behind.size === 0) this.#options.resume();
  }
}
