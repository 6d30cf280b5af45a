/**
 * What goes to a server process, one message a line: all that is said in one turn of the event loop goes out in one write, and
 * in two turns while many speak.
 */
import type { Writable } from 'node:stream';

/** More than this is not copied for the sake of one write. */
const COPIED_AT_MOST = 64 * 1024;
const NEWLINE = Buffer.from('\n');
/** So many lines in a write are of many who speak, and so soon after it they still do. */
const MANY = 4;
const STILL_MS = 5;

/** Writes lines to the standard input of a process. */
export class LineWriter {
  readonly #stdin: Writable;
  #lines: Buffer[] = [];
  #bytes = 0;
  /** Who is told when these lines are in the pipe. */
  #told: (() => void)[] = [];
  /** When many had spoken. */
  #busyAt = Number.NEGATIVE_INFINITY;

  constructor(stdin: Writable) {
    this.#stdin = stdin;
  }

  /** Bytes that nobody has read yet. */
  get backlog(): number {
    return this.#bytes + this.#stdin.writableLength;
  }

  /** Says one message, which must not hold a line break. `onHandedOn`: it is in the pipe, or will never be. */
  write(message: Buffer, onHandedOn?: () => void): void {
    // Requests of many callers arrive in one turn; each write of its own would wake the process for one line.
    if (this.#lines.length === 0) this.#flushSoon();
    this.#lines.push(message);
    this.#bytes += message.length + 1;
    if (onHandedOn !== undefined) this.#told.push(onHandedOn);
  }

  #flushSoon(): void {
    const flush = (): void => this.flush();
    const isBusy = performance.now() - this.#busyAt < STILL_MS;
    setImmediate(isBusy ? () => setImmediate(flush) : flush);
  }

  /** Nothing more is said. */
  end(): void {
    this.flush();
    this.#stdin.end();
  }

  /** Writes what was said so far, now. */
  flush(): void {
    const [lines, bytes, told] = [this.#lines, this.#bytes, this.#told];
    this.#lines = [];
    this.#bytes = 0;
    this.#told = [];
    const handedOn = (): void => {
      for (const tell of told) tell();
    };
    if (lines.length === 0) return;
    if (!this.#stdin.writable) {
      handedOn();
      return;
    }
    if (lines.length >= MANY) this.#busyAt = performance.now();
    if (bytes <= COPIED_AT_MOST) this.#stdin.write(joined(lines, bytes), handedOn);
    else {
      this.#stdin.cork();
      for (const [i, line] of lines.entries()) {
        this.#stdin.write(line);
        this.#stdin.write(NEWLINE, i + 1 === lines.length ? handedOn : ignore);
      }
      this.#stdin.uncork();
    }
  }
}

function ignore(): void {}

function joined(lines: readonly Buffer[], bytes: number): Buffer {
  const all = Buffer.allocUnsafe(bytes);
  let at = 0;
  for (const line of lines) {
    at += line.copy(all, at);
    all[at++] = 0x0a;
  }
  return all;
}
