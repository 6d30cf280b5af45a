/** Bytes that arrive in pieces and are wanted as one. */

/** Takes pieces, gives the whole. */
export interface Pile {
  add(piece: Buffer): void;
  readonly size: number;
  /** The first bytes of it, so many at most; they are good until the next piece comes. */
  start(bytes: number): Buffer;
  /** Everything that was added since the last time, as one piece. */
  take(): Buffer;
}

const EMPTY: Buffer = Buffer.alloc(0);

/**
 * A pile that costs memory by the byte, however small the pieces: a sender that writes byte by byte must not cost a
 * hundred times what it sends. One piece alone is not copied.
 */
export function createPile(): Pile {
  return new Heap();
}

class Heap implements Pile {
  size = 0;
  #only: Buffer | undefined;
  #room: Buffer = EMPTY;

  add(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.size === 0) this.#only = piece;
    else {
      if (this.#only !== undefined) this.#copyIn(this.#only, 0);
      this.#only = undefined;
      this.#copyIn(piece, this.size);
    }
    this.size += piece.length;
  }

  start(bytes: number): Buffer {
    return this.#whole.subarray(0, bytes);
  }

  get #whole(): Buffer {
    return this.#only ?? this.#room.subarray(0, this.size);
  }

  take(): Buffer {
    const whole = this.#whole;
    this.#only = undefined;
    this.#room = EMPTY;
    this.size = 0;
    return whole;
  }

  #copyIn(piece: Buffer, at: number): void {
    if (at + piece.length > this.#room.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(1024, (at + piece.length) * 2));
      this.#room.copy(larger, 0, 0, at);
      this.#room = larger;
    }
    piece.copy(this.#room, at);
  }
}
