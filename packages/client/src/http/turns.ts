/** What a server says, a turn at a time: one that says much leaves timers, and everybody else, theirs. */

/** How long one turn is, in milliseconds. */
const TURN_MS = 10;

/** The turns of one stream. What has come already is read without any wait, so that nothing else would give one. */
export class Turns {
  #used = 0;

  /** Does a piece of work. */
  during<T>(work: () => T): T {
    const began = performance.now();
    const result = work();
    this.#used += performance.now() - began;
    return result;
  }

  /** Waits for the others where its turn is over. */
  async next(): Promise<void> {
    if (this.#used < TURN_MS) return;
    this.#used = 0;
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 0);
    });
  }
}
