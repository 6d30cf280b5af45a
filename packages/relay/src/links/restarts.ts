/** When a process that ended may be started again: at once the first time, then after growing pauses. */

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/** Keeps count of endings. */
export class Restarts {
  #endings = 0;
  #startAt = 0;

  /** How long nothing is started yet; 0 when it may be. */
  waitMs(now: number): number {
    return Math.max(0, this.#startAt - now);
  }

  /** The process ended. */
  ended(now: number): void {
    this.#endings++;
    const pause =
      this.#endings < 2 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#endings - 2));
    this.#startAt = now + pause;
  }

  /** The process does its work: what was before is forgotten. */
  worked(): void {
    this.#endings = 0;
  }
}
