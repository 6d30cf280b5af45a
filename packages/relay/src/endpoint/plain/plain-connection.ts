/**
 * A connection whose requests are answered without Node's HTTP objects, as long as each of them arrives in one piece
 * and leaves no doubt. The first that does not takes the connection to Node's parser, with every byte of it, for good.
 */
import type { Socket } from 'node:net';
import type { RequestHead } from '../request-head.ts';
import { MAX_HEAD, PlainHeads } from './plain-head.ts';
import { PlainResponse } from './plain-response.ts';

/** Who answers, and who takes what is not plain. */
export interface PlainOptions {
  readonly idleMs: number;
  readonly isClosing: () => boolean;
  /** Counts up; what was used lately is told by it. */
  readonly round: () => number;
  readonly onRequest: (head: RequestHead, body: Buffer, response: PlainResponse) => void;
  readonly handOver: (socket: Socket) => void;
}

/** One connection. */
export class PlainConnection {
  readonly socket: Socket;
  readonly #options: PlainOptions;
  readonly #onGone: () => void;
  #isUsed = false;
  /** When it was opened, or answered last. */
  #quietSince: number = performance.now();
  /** In which round it was used last. */
  #usedIn: number;
  #response: PlainResponse | undefined;
  /** What came before the last request was answered. */
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  readonly #heads = new PlainHeads();

  constructor(socket: Socket, options: PlainOptions, onGone: () => void) {
    this.socket = socket;
    this.#options = options;
    this.#onGone = onGone;
    this.#usedIn = options.round();
    socket.on('data', this.#onData);
    socket.on('drain', this.#onDrain);
    socket.on('end', this.#onEnd);
    socket.on('error', ignore);
    socket.on('close', this.#onClose);
  }

  get idleMs(): number {
    return this.#options.idleMs;
  }

  get isLast(): boolean {
    return this.#options.isClosing();
  }

  /** Ends it, unless it is used. */
  close(): void {
    if (this.#response === undefined) this.socket.destroy();
  }

  /** The same, but whoever has only just come, or been answered, may be about to ask something, and is heard. */
  closeOnceHeard(): void {
    const graceMs = this.#isUsed ? JUST_ANSWERED_MS : JUST_COME_MS;
    const leftMs = graceMs - (performance.now() - this.#quietSince);
    if (leftMs > 0) setTimeout(() => this.close(), leftMs).unref();
    else this.close();
  }

  /** Ends it, unless it was used in this round or later. */
  closeUnusedSince(round: number): void {
    if (this.#usedIn < round) this.close();
  }

  /** The answer is complete: on with what came in the meantime. */
  done(): void {
    this.#response = undefined;
    this.#usedIn = this.#options.round();
    this.#quietSince = performance.now();
    if (this.isLast) this.socket.end();
    else if (this.#waiting.length > 0) this.#leave(Buffer.concat(this.#waiting));
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#response !== undefined) {
      this.#waiting.push(chunk);
      this.#waitingBytes += chunk.length;
      // Not before: only who reads hears that a caller has left.
      if (this.#waitingBytes > MAX_WAITING) this.socket.pause();
      return;
    }
    const end = chunk.indexOf(HEAD_END);
    const head = end < 0 || end > MAX_HEAD ? undefined : this.#heads.read(chunk.toString('latin1', 0, end));
    if (head === undefined || chunk.length !== end + 4 + head.bodyBytes) {
      this.#leave(chunk);
      return;
    }
    this.#isUsed = true;
    this.#response = new PlainResponse(this);
    this.#options.onRequest(head, chunk.subarray(end + 4), this.#response);
  };

  #leave(chunk: Buffer): void {
    const { socket } = this;
    socket.off('data', this.#onData);
    socket.off('drain', this.#onDrain);
    socket.off('end', this.#onEnd);
    socket.off('error', ignore);
    socket.off('close', this.#onClose);
    this.#onGone();
    socket.unshift(chunk);
    this.#options.handOver(socket);
    socket.resume();
  }

  readonly #onDrain = (): void => this.#response?.drained();

  /** A caller that says nothing more does not wait for an answer either. */
  readonly #onEnd = (): void => {
    this.socket.end();
  };

  readonly #onClose = (): void => {
    this.#onGone();
    this.#response?.closed();
  };
}

/** Whoever opens a connection wants to ask something. */
const JUST_COME_MS = 500;
/** Whoever asks one thing after the other was not told yet that the last answer was the last. */
const JUST_ANSWERED_MS = 50;
const MAX_WAITING = 64 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');

function ignore(): void {
  // A caller that went away; `close` follows.
}
