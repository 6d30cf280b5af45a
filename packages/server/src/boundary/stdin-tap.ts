/**
 * The SDK's stdio transport drops lines that are not JSON, so that a client waits for ever, and forgets what
 * is under way when the input ends. A second listener on the same stream sees both.
 */

import { createLineReader, type LineReader } from '../line-reader.ts';
import { isBadLine, parseLine, withoutExtras } from '../messages.ts';
import type { Message, TransportLike } from '../shapes.ts';
import type { Boundary } from './boundary.ts';
import { createDrain, type Drain } from './drain.ts';

const DRAIN_MS = 60_000;
const NEWLINE = 10;

/** Watches the process's input, if that is what the transport reads. */
export function tapStdin(boundary: Boundary, transport: TransportLike): void {
  const tap = new StdinTap(boundary, transport);
  const { start, send } = { start: transport.start.bind(transport), send: transport.send.bind(transport) };
  transport.send = (message, options) => tap.sending(message, send(message, options));
  transport.close = () => tap.close();
  transport.start = () => tap.start(start);
}

/** One tap, from the start of its transport to its end. */
class StdinTap {
  readonly drain: Drain = createDrain(DRAIN_MS);
  readonly #boundary: Boundary;
  readonly #transport: TransportLike;
  readonly #close: () => Promise<void>;
  readonly #reader: LineReader;
  #lines: string[] = [];
  /** How many of them the SDK made a message of. */
  #delivered = 0;
  /** The answer that was sent last. */
  #lastSent: Promise<void> = Promise.resolve();
  /** The stream stands at the beginning of a line. */
  #atStart = true;
  #ended = false;
  /** An event of the stream is being told to its listeners, the SDK's among them. */
  #inEvent = false;

  constructor(boundary: Boundary, transport: TransportLike) {
    this.#boundary = boundary;
    this.#transport = transport;
    this.#close = transport.close.bind(transport);
    this.#reader = createLineReader(Number.POSITIVE_INFINITY, {
      line: (bytes) => this.#lines.push(bytes.toString('utf8')),
      oversize: () => {}, // there is no limit of ours; the SDK has its own
    });
  }

  async start(start: () => Promise<void>): Promise<void> {
    const { stdin } = process;
    const before = stdin.listenerCount('data');
    const deliver = this.#transport.onmessage;
    this.#transport.onmessage = (message, extra) => {
      this.#delivered++;
      this.drain.noticeIncoming(message);
      deliver?.(message, extra);
    };
    stdin.on('end', this.#enterEvent).on('close', this.#enterEvent);
    await start();
    // The transport may have been given other streams, which are not ours to touch.
    if (stdin.listenerCount('data') === before) {
      stdin.off('end', this.#enterEvent).off('close', this.#enterEvent);
      return;
    }
    stdin.on('data', this.#onData).on('end', this.#leaveEvent).on('close', this.#leaveEvent);
    const onclose = this.#transport.onclose;
    this.#transport.onclose = () => {
      this.#stop();
      onclose?.();
    };
  }

  /** An answer is on its way. Only once the input has ended does anybody wait for it to be out. */
  sending(message: Message, sent: Promise<void>): Promise<void> {
    if (!this.#ended) {
      this.drain.noticeOutgoing(message);
      this.#lastSent = sent;
      return sent;
    }
    return sent.then(() => this.drain.noticeOutgoing(message));
  }

  /** The SDK closes at the end of the input, before anything under way is answered; then it has to wait. */
  async close(): Promise<void> {
    if (!this.#inEvent) await this.#close();
  }

  #stop(): void {
    const { stdin } = process;
    this.drain.stop();
    stdin.off('data', this.#onData).off('end', this.#leaveEvent).off('close', this.#leaveEvent);
    stdin.off('end', this.#enterEvent).off('close', this.#enterEvent);
    if (stdin.listenerCount('data') === 0) stdin.pause();
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#isTaken(chunk)) {
      this.#delivered = 0;
      return;
    }
    this.#reader.push(chunk);
    this.#atStart = chunk.at(-1) === NEWLINE;
    // Lines are only counted as long as every one became a message.
    if (this.#lines.length > this.#delivered) for (const line of this.#lines) this.#retake(line);
    this.#lines = [];
    this.#delivered = 0;
  };

  /** Whole lines of which the SDK has made as many messages: almost every chunk, which nobody has to read twice. */
  #isTaken(chunk: Buffer): boolean {
    const last = chunk.length - 1;
    if (!this.#atStart || chunk[last] !== NEWLINE) return false;
    let lines = 1;
    for (let at = chunk.indexOf(NEWLINE); at < last; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
    return lines <= this.#delivered;
  }

  /** The SDK has taken all messages but those with members that it does not know, or with a mark before them. */
  #retake(line: string): void {
    const message = this.#parse(line);
    const known = message === undefined ? undefined : withoutExtras(message);
    if (known === undefined) return;
    if (known !== message || !isJson(line)) this.#transport.onmessage?.(known);
  }

  /** The listeners of the SDK's stand between these two. */
  readonly #enterEvent = (): void => {
    this.#inEvent = true;
  };

  readonly #leaveEvent = (): void => {
    this.#inEvent = false;
    if (process.stdin.readableEnded) this.#end();
    else void this.#close();
  };

  /** What is left is a line, and what is under way is answered, before the connection closes. */
  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#reader.end();
    const last = this.#lines.pop();
    const message = last === undefined ? undefined : this.#parse(last);
    if (message !== undefined) this.#transport.onmessage?.(withoutExtras(message));
    const drain = (): void => this.drain.whenEmpty(() => void this.#close());
    this.#lastSent.then(drain, drain);
  }

  /** The message in a line; one that has none is answered. */
  #parse(line: string): Message | undefined {
    const parsed = parseLine(line.trim());
    if (!isBadLine(parsed)) return parsed;
    this.#boundary.reject(parsed);
    return undefined;
  }
}

/** A byte order mark, and spaces that are none of JSON's, are trimmed here and not by the SDK. */
function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
