/** What may follow an answer under the id of its request: whoever believes that it refuses has heard all of it first. */
import type { HttpHead } from './link.ts';

/** Told once: was nothing more said? `head`: under this head, now that all of it is there. */
type Over = (isAll: boolean, head?: HttpHead) => void;

/** Who waits for the end of what is said, and that end. */
export class Rest {
  readonly #onAwaited: (() => void) | undefined;
  readonly #saysMore: (() => boolean) | undefined;
  #end: Parameters<Over> | undefined;
  #tell: Over | undefined;
  #takeBack: (() => void) | undefined;

  /**
   * `onAwaited` is called when somebody waits for it: for most answers nobody does. `saysMore`: has something begun since
   * that may be more of it, and whose end has not come?
   */
  constructor(onAwaited?: () => void, saysMore?: () => boolean) {
    this.#onAwaited = onAwaited;
    this.#saysMore = saysMore;
  }

  whenOver(tell: Over): void {
    if (this.#end !== undefined) tell(...this.#end);
    else {
      this.#tell = tell;
      this.#onAwaited?.();
    }
  }

  /** More was said after all, later: whoever has not yet acted on the answer can still leave it. */
  whenTakenBack(takeBack: () => void): void {
    this.#takeBack = takeBack;
  }

  /** Whoever is about to act on the answer has it looked at what has begun by now. */
  lookAgain(): void {
    if (this.#saysMore?.() === true) this.over(false);
  }

  /** All was said; or not: more was said, or nobody knows. Only the first word counts, until it is taken back. */
  over(...end: Parameters<Over>): void {
    if (this.#end !== undefined) {
      if (this.#end[0] && !end[0]) this.#takeBack?.();
      return;
    }
    this.#end = end;
    this.#tell?.(...end);
  }
}
