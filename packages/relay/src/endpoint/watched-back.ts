/** The way back to a caller, with somebody who looks at what passes. */
import type { Back, Related } from './call.ts';
import type { OpenQuestions } from './open-questions.ts';
import type { ReplyHeaders } from './reply.ts';

/**
 * Another's way back, except that messages go through `related`. A class, like everything that is made for every
 * call: an object literal with an accessor gets a hidden class of its own each time, and those pile up.
 */
export class WatchedBack implements Back {
  readonly #back: Back;
  readonly related: (message: Related) => boolean;

  readonly #onDrained: (() => void) | undefined;

  /** `onDrained` hears that a reader that was behind has caught up, before whoever waits for it does. */
  constructor(back: Back, related: (message: Related) => boolean, onDrained?: () => void) {
    this.#back = back;
    this.related = related;
    this.#onDrained = onDrained;
  }

  get isStream(): boolean {
    return this.#back.isStream;
  }

  get committed(): boolean {
    return this.#back.committed;
  }

  get asks(): OpenQuestions | undefined {
    return this.#back.asks;
  }

  open(headers?: ReplyHeaders): void {
    this.#back.open(headers);
  }

  onDrain(listener: () => void): void {
    const onDrained = this.#onDrained;
    this.#back.onDrain(
      onDrained === undefined
        ? listener
        : () => {
            onDrained();
            listener();
          },
    );
  }
}
