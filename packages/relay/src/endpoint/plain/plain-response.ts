/** An answer on a connection without Node's response in between. It does what `Reply` needs, and no more. */
import type { Socket } from 'node:net';
import { http } from '../../node-http.ts';
import type { ReplyHeaders, Response } from '../reply.ts';

/** The connection that an answer goes out on. */
export interface Line {
  readonly socket: Socket;
  /** Is this the last answer on it? */
  readonly isLast: boolean;
  /** How long it is kept when nothing is asked. */
  readonly idleMs: number;
  /** The answer is complete. */
  done(): void;
}

/** One answer. */
export class PlainResponse implements Response {
  readonly #line: Line;
  #head = '';
  #isChunked = false;
  #isGathering = false;
  #isEnded = false;
  #isFinished = false;
  #isClosed = false;
  #onClose: (() => void) | (() => void)[] | undefined;
  #onDrain: (() => void) | undefined;

  constructor(line: Line) {
    this.#line = line;
  }

  get destroyed(): boolean {
    return this.#isClosed || this.#line.socket.destroyed;
  }

  get writableLength(): number {
    return this.#line.socket.writableLength;
  }

  get writableFinished(): boolean {
    return this.#isFinished;
  }

  writeHead(status: number, headers: ReplyHeaders): void {
    let head = `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? 'Unknown'}\r\n`;
    let hasDate = false;
    let hasLength = status === 204;
    for (const name in headers) {
      const value = headers[name] as string;
      if (!NAMES.has(name)) checkName(name);
      http.validateHeaderValue(name, value);
      head += `${name}: ${value}\r\n`;
      if (name === 'date') hasDate = true;
      else if (name === 'content-length') hasLength = true;
    }
    if (!hasDate) head += dateLine();
    if (!hasLength) head += 'transfer-encoding: chunked\r\n';
    this.#isChunked = !hasLength;
    const { isLast, idleMs } = this.#line;
    this.#head = `${head}${isLast ? 'connection: close' : keptFor(idleMs)}\r\n\r\n`;
  }

  flushHeaders(): void {
    this.#line.socket.write(this.#takeHead(), 'latin1');
  }

  write(bytes: Buffer): boolean {
    if (this.#isEnded) return false;
    const { socket } = this.#line;
    // A chunk without anything in it is the end of the answer.
    if (bytes.length === 0) return !socket.writableNeedDrain;
    this.#gather(socket);
    socket.write(`${this.#takeHead()}${bytes.length.toString(16)}\r\n`, 'latin1');
    socket.write(bytes);
    return socket.write('\r\n', 'latin1');
  }

  /** What is said in one go goes out in one. */
  #gather(socket: Socket): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    socket.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      socket.uncork();
    });
  }

  end(body?: Buffer): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const head = this.#takeHead();
    const { socket } = this.#line;
    if (this.#isChunked) socket.write(`${head}0\r\n\r\n`, 'latin1', this.#written);
    else if (body === undefined) socket.write(head, 'latin1', this.#written);
    else if (body.length > SMALL) {
      socket.cork();
      socket.write(head, 'latin1');
      socket.write(body, this.#written);
      socket.uncork();
    } else {
      const whole = Buffer.allocUnsafe(head.length + body.length);
      whole.write(head, 'latin1');
      body.copy(whole, head.length);
      socket.write(whole, this.#written);
    }
  }

  destroy(): void {
    this.#line.socket.destroy();
  }

  setTimeout(ms: number, listener: () => void): void {
    this.#line.socket.setTimeout(ms).once('timeout', listener);
    this.on('close', () => this.#line.socket.off('timeout', listener).setTimeout(0));
  }

  on(event: 'close' | 'drain' | 'error', listener: () => void): void {
    if (event === 'drain') this.#onDrain = listener;
    if (event !== 'close') return;
    if (this.#onClose === undefined) this.#onClose = listener;
    else if (typeof this.#onClose === 'function') this.#onClose = [this.#onClose, listener];
    else this.#onClose.push(listener);
  }

  /** The connection takes more. */
  drained(): void {
    this.#onDrain?.();
  }

  /** Nothing can be sent any more. */
  closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const listeners = this.#onClose;
    if (typeof listeners === 'function') listeners();
    else for (const listener of listeners ?? []) listener();
  }

  readonly #written = (error?: Error | null): void => {
    if (error) return; // the connection closes, and says so
    this.#isFinished = true;
    this.closed();
    this.#line.done();
  };

  #takeHead(): string {
    const head = this.#head;
    this.#head = '';
    return head;
  }
}

/** Names that were found to be names: the same few go out with every answer. */
const NAMES: Set<string> = new Set();
const MAX_NAMES = 500;

function checkName(name: string): void {
  http.validateHeaderName(name);
  if (NAMES.size < MAX_NAMES && name.length < 100) NAMES.add(name);
}

/** Up to here a copy costs less than a second piece to write. */
const SMALL = 16 * 1024;

function keptFor(idleMs: number): string {
  return `connection: keep-alive\r\nkeep-alive: timeout=${Math.floor(idleMs / 1000)}`;
}

let second = 0;
let line = '';

function dateLine(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    line = `date: ${new Date(now * 1000).toUTCString()}\r\n`;
  }
  return line;
}
