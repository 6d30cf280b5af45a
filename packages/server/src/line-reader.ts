/** Lines of a stream, none longer than allowed. */
import { createCollector, type Oversize } from './collector.ts';

/** Who gets the lines of a stream. */
export interface LineSink {
  /** A line that is not empty: all but JSON's own white space may have been meant. */
  line(bytes: Buffer): void;
  /** A line beyond the limit. */
  oversize(line: Oversize): void;
}

/** Splits a stream into lines. */
export interface LineReader {
  push(chunk: Buffer): void;
  /** The stream is over: what is left is a line, with or without a newline. */
  end(): void;
}

const NEWLINE = 10;
const SPACES: readonly number[] = [0x20, 0x09, 0x0d];

/** Never holds more than one line of the allowed length. */
export function createLineReader(maxBytes: number, sink: LineSink): LineReader {
  const collector = createCollector(maxBytes);
  const flush = (): void => {
    const line = collector.take();
    if (!Buffer.isBuffer(line)) sink.oversize(line);
    else if (line.some((byte) => !SPACES.includes(byte))) sink.line(line);
  };
  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        collector.push(chunk.subarray(start, end));
        flush();
        start = end + 1;
      }
      if (start < chunk.length) collector.push(chunk.subarray(start));
    },
    end: flush,
  };
}
