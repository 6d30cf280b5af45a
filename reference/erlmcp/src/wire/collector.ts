/** Collects the bytes of one message, up to a limit; beyond it only counts them. */
import { raise } from '../errors.ts';
import type { RequestId } from './message.ts';
import { createIdFinder } from './top-level-id.ts';

/** A message that was too large to keep. */
interface TooLarge {
  readonly error: Error;
  /** Whom to tell, if the message said. */
  readonly id: RequestId | null;
}

/** Collects one message after the other. */
export interface Collector {
  push(bytes: Buffer): void;
  /** The message that is complete now; `undefined` when nothing came. */
  take(): Buffer | TooLarge | undefined;
}

/** A collector of messages with at most so many bytes. */
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
      const message = size <= maxBytes ? Buffer.concat(kept) : tooLarge(size, maxBytes, finder.id());
      const isEmpty = size === 0;
      kept = [];
      size = 0;
      finder = createIdFinder();
      return isEmpty ? undefined : message;
    },
  };
}

function tooLarge(actual: number, max: number, id: RequestId | null): TooLarge {
  return {
    error: raise('message_too_large', { actual_size: actual, max_size: max, unit: 'bytes' }),
    id,
  };
}
