import type { RequestId } from './shapes.ts';
import { createIdFinder } from './top-level-id.ts';

/** What was beyond the limit: how large it was, and its id if it had one. */
export interface Oversize {
  readonly size: number;
  readonly id: RequestId | undefined;
}

/** Collects the bytes of one message after the other. */
export interface Collector {
  push(bytes: Buffer): void;
  /** The message that is complete now. */
  take(): Buffer | Oversize;
}

/** A collector that keeps at most so many bytes; of a message beyond that it only counts them, and looks for the id. */
export function createCollector(maxBytes: number): Collector {
  let kept: Buffer[] = [];
  let size = 0;
  let finder = createIdFinder();
  return {
    push(bytes) {
      const fitted = size <= maxBytes;
      size += bytes.length;
      if (fitted) kept.push(bytes);
      if (size <= maxBytes) return;
      for (const piece of fitted ? kept : [bytes]) finder.push(piece);
      kept = [];
    },
    take() {
      const message = size <= maxBytes ? Buffer.concat(kept) : { size, id: finder.id() };
      if (size > maxBytes) finder = createIdFinder();
      kept = [];
      size = 0;
      return message;
    },
  };
}
