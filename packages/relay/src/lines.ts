/** Framing for stdio: one message a line. */

/** Takes chunks, gives lines. */
export interface LineSplitter {
  push(chunk: Buffer): void;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * Splits a byte stream into lines without their ends; empty lines are skipped. A line beyond `maxBytes` is
 * reported once and the splitter stops: what follows cannot be trusted to begin at a message.
 */
export function createLineSplitter(
  maxBytes: number,
  onLine: (line: Buffer) => void,
  onOverflow: () => void,
): LineSplitter {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let stopped = false;

  function emit(line: Buffer): void {
    const end = line[line.length - 1] === RETURN ? line.length - 1 : line.length;
    if (end > 0) onLine(end === line.length ? line : line.subarray(0, end));
  }

  function push(chunk: Buffer): void {
    let from = 0;
    while (!stopped) {
      const newline = chunk.indexOf(NEWLINE, from);
      if (newline < 0) break;
      const part = chunk.subarray(from, newline);
      from = newline + 1;
      if (heldBytes === 0) {
        emit(part);
        continue;
      }
      held.push(part);
      const line = Buffer.concat(held, heldBytes + part.length);
      held = [];
      heldBytes = 0;
      emit(line);
    }
    if (stopped || from >= chunk.length) return;
    const rest = chunk.subarray(from);
    heldBytes += rest.length;
    if (heldBytes > maxBytes) {
      stopped = true;
      held = [];
      onOverflow();
      return;
    }
    held.push(rest);
  }

  return { push };
}
