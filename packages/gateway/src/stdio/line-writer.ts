/** Messages as lines of standard output: whole, in order, and nothing else. */
import type { Writable } from 'node:stream';
import { oneLine } from '@mayday/relay';

/** Writes messages. */
export interface MessageWriter {
  /** Writes one message. False: the reader is behind. */
  write(message: Buffer): boolean;
  /** How much waits for the reader. */
  readonly unread: number;
  /** Called whenever a reader that was behind has caught up. */
  onDrain(listener: () => void): void;
  /** Everything was taken, or nobody has taken anything for a while. */
  flushed(): Promise<void>;
}

const END = Buffer.from('\n');
/** A reader that takes nothing for this long takes nothing any more. */
const STALLED_MS = 1000;

/** Writes to a stream. `onGone` is told once that nobody reads. */
export function createMessageWriter(output: Writable, onGone: () => void): MessageWriter {
  let isGone = false;
  const gone = (): void => {
    if (isGone) return;
    isGone = true;
    onGone();
  };
  output.on('error', gone);
  output.on('close', gone);
  return {
    write: (message) => isGone || output.write(Buffer.concat([oneLine(message), END])),
    get unread() {
      return output.writableLength;
    },
    onDrain: (listener) => void output.on('drain', listener),
    async flushed() {
      let left = output.writableLength;
      let since = performance.now();
      while (!isGone && left > 0 && performance.now() - since < STALLED_MS) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (output.writableLength !== left) since = performance.now();
        left = output.writableLength;
      }
    },
  };
}
