/** Takes bytes in pieces, gives the whole. */
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
  let room = EMPTY;
  let size = 0;

  function copyIn(piece: Buffer): void {
    const end = size + piece.length;
    if (end > room.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(1024, end * 2));
      room.copy(larger, 0, 0, size);
      room = larger;
    }
    piece.copy(room, size);
    size = end;
  }

  return {
    get size() {
      return only?.length ?? size;
    },
    add(piece) {
      if (only === undefined && size === 0) {
        only = piece;
        return;
      }
      if (only !== undefined) copyIn(only);
      only = undefined;
      copyIn(piece);
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
