/** A conversation that is opened again with a new process: whatever is said meanwhile waits. */
import type { Pending } from './pending.ts';

/** A message that waits. */
export interface Waiting {
  readonly line: Buffer;
  readonly pending: Pending | undefined;
}

/** One opening that has not been answered yet. */
export class Reopening {
  /** What follows the answer, before anything that waits. */
  readonly after: readonly Buffer[];
  /** It only asks whether anybody answers: whatever comes will do. */
  readonly isQuestion: boolean;
  #waiting: Waiting[] = [];
  #late: NodeJS.Timeout;
  #isLate = false;

  constructor(after: readonly Buffer[], timeoutMs: number, onLate: () => void, isQuestion = false) {
    this.after = after;
    this.isQuestion = isQuestion;
    this.#late = setTimeout(() => {
      this.#isLate = true;
      onLate();
    }, timeoutMs).unref();
  }

  /** Has nobody waited any longer? */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** It may still come for this long, while nobody waits for it: whoever has. */
  extend(ms: number, onOver: () => void): readonly Waiting[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#late = setTimeout(onOver, ms).unref();
    return waiting;
  }

  wait(line: Buffer, pending: Pending | undefined): void {
    this.#waiting.push({ line, pending });
  }

  /** Nobody wants this any more. */
  drop(pending: Pending): void {
    const at = this.#waiting.findIndex((waiting) => waiting.pending === pending);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  /** It is over, well or not: what has waited. */
  end(): readonly Waiting[] {
    clearTimeout(this.#late);
    return this.#waiting;
  }
}
