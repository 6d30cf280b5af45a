import { createPile } from './pile.ts';
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
  const kept = createPile();
  let size = 0;
  let finder = createIdFinder();
  return {
    push(bytes) {
      size += bytes.length;
      if (size <= maxBytes) {
        kept.add(bytes);
        return;
      }
      if (kept.size > 0) finder.push(kept.take());
      finder.push(bytes);
    },
    take() {
      const message = size <= maxBytes ? kept.take() : { size, id: finder.id() };
      if (size > maxBytes) finder = createIdFinder();
      size = 0;
      return message;
    },
  };
}
