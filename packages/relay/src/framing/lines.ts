/** Framing for stdio: one message a line. */
import { createPile } from './pile.ts';

/** Takes chunks, gives lines. */
export interface LineSplitter {
  push(chunk: Buffer): void;
  /** How a line begins whose end has not come; `undefined` as long as there is none, or none that is new. */
  begun(): Buffer | undefined;
  /** How the line begins whose end has not come; empty for one that is skipped, `undefined` as long as there is none. */
  unfinished(): Buffer | undefined;
}

/** Who is told what. */
export interface LineEvents {
  /** A line without its end. Empty lines are skipped. */
  readonly onLine: (line: Buffer) => void;
  /** A line was longer than allowed and is skipped to its end: its first bytes, for whoever wants to know whose it was. */
  readonly onTooLong: (start: Buffer) => void;
  /** So many more bytes of such a line. */
  readonly onSkip?: ((bytes: number) => void) | undefined;
  /** Such a line has ended: its last bytes. */
  readonly onSkipped?: ((end: Buffer) => void) | undefined;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const START_BYTES = 4096;
const END_BYTES = 1024;
const NOTHING: Buffer = Buffer.alloc(0);

/** Splits a byte stream into lines of at most `maxBytes`, which may change. */
export function createLineSplitter(maxBytes: number | (() => number), events: LineEvents): LineSplitter {
  const limit = typeof maxBytes === 'number' ? () => maxBytes : maxBytes;
  const held = createPile();
  let skipping = false;
  let isTold = false;
  /** The last bytes of what is skipped. */
  let end: Buffer = Buffer.alloc(0);

  function emit(line: Buffer): void {
    const length = line[line.length - 1] === RETURN ? line.length - 1 : line.length;
    if (length > limit()) {
      events.onTooLong(Buffer.from(line.subarray(0, START_BYTES)));
      events.onSkip?.(line.length);
      events.onSkipped?.(lastOf(line));
    } else if (length > 0) events.onLine(length === line.length ? line : line.subarray(0, length));
  }

  function skip(part: Buffer): void {
    events.onSkip?.(part.length);
    if (events.onSkipped !== undefined) end = lastOf(Buffer.concat([end, lastOf(part)]));
  }

  function whole(part: Buffer): Buffer {
    if (held.size === 0) return part;
    held.add(part);
    return held.take();
  }

  return {
    push(chunk) {
      let from = 0;
      for (let newline = chunk.indexOf(NEWLINE); newline >= 0; newline = chunk.indexOf(NEWLINE, from)) {
        const part = chunk.subarray(from, newline);
        from = newline + 1;
        isTold = false;
        if (skipping) {
          skipping = false;
          skip(part);
          events.onSkipped?.(end);
          end = Buffer.alloc(0);
        } else emit(whole(part));
      }
      if (from >= chunk.length) return;
      if (skipping) {
        skip(chunk.subarray(from));
        return;
      }
      held.add(from === 0 ? chunk : chunk.subarray(from));
      if (held.size <= limit() + 1) return; // one more: it may be the return of a line that fits
      skipping = true;
      const begun = held.take();
      events.onTooLong(Buffer.from(begun.subarray(0, START_BYTES)));
      skip(begun);
    },
    begun() {
      if (isTold || held.size === 0) return undefined;
      isTold = true;
      return held.start(START_BYTES);
    },
    unfinished() {
      if (held.size > 0) return held.start(START_BYTES);
      return skipping ? NOTHING : undefined;
    },
  };
}

function lastOf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(Math.max(0, bytes.length - END_BYTES)));
}

/** JSON on one line: breaks in JSON only ever stand between tokens. */
export function oneLine(message: Buffer): Buffer {
  if (!message.includes(NEWLINE) && !message.includes(RETURN)) return message;
  const out = Buffer.allocUnsafe(message.length);
  let length = 0;
  for (const byte of message) if (byte !== NEWLINE && byte !== RETURN) out[length++] = byte;
  return out.subarray(0, length);
}
