/** Bytes that arrive in pieces and are wanted as one. */

/** Takes pieces, gives the whole. */
export interface Pile {
  add(piece: Buffer): void;
  readonly size: number;
  /** Everything that was added since the last time, as one piece. */
  take(): Buffer;
}

const EMPTY: Buffer = Buffer.alloc(0);

/**
 * A pile that costs memory by the byte, however small the pieces: a sender that writes byte by byte must not cost a
 * hundred times what it sends. One piece alone is not copied.
 */
export function createPile(): Pile {
  let only: Buffer | undefined;
  let room: Buffer = EMPTY;
  let size = 0;

  function copyIn(piece: Buffer, at: number): void {
    if (at + piece.length > room.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(1024, (at + piece.length) * 2));
      room.copy(larger, 0, 0, at);
      room = larger;
    }
    piece.copy(room, at);
  }

  return {
    add(piece) {
      if (piece.length === 0) return;
      if (size === 0) only = piece;
      else {
        if (only !== undefined) copyIn(only, 0);
        only = undefined;
        copyIn(piece, size);
      }
      size += piece.length;
    },
    get size() {
      return size;
    },
    take() {
      const whole = only ?? room.subarray(0, size);
      only = undefined;
      room = EMPTY;
      size = 0;
      return whole;
    },
  };
}
