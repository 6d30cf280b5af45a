/** The lines of many processes on one stream, none of them in the middle of another. */
import type { Readable, Writable } from 'node:stream';

/** Held back for a reader that does not read; what comes after that is not kept. */
const MAX_HELD = 4 * 1024 * 1024;
/** Without an end, this much is a line. */
const MAX_LINE = 64 * 1024;
const NEWLINE = 0x0a;

/** Passes whole lines on, until the source ends. */
export function passLines(from: Readable, to: Writable): void {
  let rest: Buffer = Buffer.alloc(0);
  const pass = (lines: Buffer): void => {
    if (lines.length > 0 && to.writableLength < MAX_HELD) to.write(lines);
  };
  from.on('data', (chunk: Buffer) => {
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = all.lastIndexOf(NEWLINE) + 1;
    pass(all.subarray(0, end));
    rest = Buffer.from(all.subarray(end));
    if (rest.length > MAX_LINE) finish();
  });
  const finish = (): void => {
    if (rest.length > 0) pass(Buffer.concat([rest, Buffer.from('\n')]));
    rest = Buffer.alloc(0);
  };
  from.on('end', finish);
  from.on('error', finish);
}
