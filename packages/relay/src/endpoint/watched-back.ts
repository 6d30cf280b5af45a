/** The way back to a caller, with somebody who looks at what passes. */
import type { Back, Related } from './call.ts';
import type { ReplyHeaders } from './reply.ts';

/**
 * Another's way back, except that messages go through `related`. A class, like everything that is made for every
 * call: an object literal with an accessor gets a hidden class of its own each time, and those pile up.
 */
export class WatchedBack implements Back {
  readonly #back: Back;
  readonly related: (message: Related) => boolean;

  constructor(back: Back, related: (message: Related) => boolean) {
    this.#back = back;
    this.related = related;
  }

  get committed(): boolean {
    return this.#back.committed;
  }

  open(headers?: ReplyHeaders): void {
    this.#back.open(headers);
  }

  onDrain(listener: () => void): void {
    this.#back.onDrain(listener);
  }
}
