/** The head of an answer, however its bytes are cut. */
import { createPile, type Pile } from '../../framing/pile.ts';
import { NotHttpError } from './not-http.ts';

const CR = 0x0d;
const END = Buffer.from('\r\n\r\n');

/** Collects bytes up to the blank line that ends a head. */
export class HeadCollector {
  readonly #maxBytes: number;
  /** Only where the head did not come in one piece. */
  #held: Pile | undefined;
  /** How much of the end has been seen. */
  #matched = 0;
  #head = '';

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The position after the head's last byte, or -1 while it goes on. Throws `NotHttpError`. */
  push(bytes: Buffer, from: number): number {
    if (this.#held === undefined) {
      const end = bytes.indexOf(END, from);
      if (end >= 0) {
        this.#limit(end - from);
        this.#head = bytes.toString('latin1', from, end);
        return end + END.length;
      }
    }
    return this.#collect(bytes, from);
  }

  /** The head that is complete, without its end. */
  take(): string {
    return this.#head;
  }

  #collect(bytes: Buffer, from: number): number {
    this.#held ??= createPile();
    let at = from;
    while (at < bytes.length && this.#matched < END.length) {
      const byte = bytes[at++];
      if (byte === END[this.#matched]) this.#matched++;
      else this.#matched = byte === CR ? 1 : 0;
    }
    this.#held.add(bytes.subarray(from, at));
    this.#limit(this.#held.size - this.#matched);
    if (this.#matched < END.length) return -1;
    const whole = this.#held.take();
    this.#held = undefined;
    this.#matched = 0;
    this.#head = whole.toString('latin1', 0, whole.length - END.length);
    return at;
  }

  #limit(size: number): void {
    if (size > this.#maxBytes) throw new NotHttpError('the head is too long');
  }
}
