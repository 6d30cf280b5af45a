/** Input that can be held back, and whose end is noticed all the same. */
import type { Readable } from 'node:stream';

/** Who hears what is read. */
export interface HeldInputEvents {
  readonly onData: (chunk: Buffer) => void;
  readonly onEnd: () => void;
}

/** Holds input back, or lets it go on. */
export interface HeldInput {
  hold(): void;
  release(): void;
}

/** A stream tells of its end when all of it was read: so much is read on while it is held back. */
const READ_ON_BYTES = 1024 * 1024;

/** Reads the input, what was held back first. */
export function holdableInput(input: Readable, { onData, onEnd }: HeldInputEvents): HeldInput {
  const held: Buffer[] = [];
  let bytes = 0;
  let isHeld = false;
  const give = (): void => {
    const chunk = held.shift();
    if (chunk === undefined) return;
    bytes -= chunk.length;
    onData(chunk);
  };
  input.on('data', (chunk: Buffer) => {
    held.push(chunk);
    bytes += chunk.length;
    if (!isHeld) give();
    else if (bytes > READ_ON_BYTES) input.pause();
  });
  input.on('end', () => {
    while (held.length > 0) give();
    onEnd();
  });
  return {
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      while (held.length > 0 && !isHeld) give();
      if (!isHeld) input.resume();
    },
  };
}
