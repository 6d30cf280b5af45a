/**
 * A stdio transport that always answers: `server.connect(guardStdio())`, or
 * `serveStdio(factory, { transport: guardStdio() })`. Works with both SDKs.
 */
import type { Readable, Writable } from 'node:stream';
import { type DialectId, type Language, language } from '@mayday/core';
import { createDrain, type Drain } from './boundary/drain.ts';
import { REJECTS, type Rejecting } from './boundary/rejecting.ts';
import { badLineAnswer } from './boundary/unasked.ts';
import { createLineReader, type LineReader } from './line-reader.ts';
import { type BadLine, isBadLine, parseBytes, readMessage, tooLarge, withoutExtras } from './messages.ts';
import { expectKnown, expectLanguage, expectPositive } from './options-check.ts';
import { createOutlet, type Outlet } from './outlet.ts';
import type { Message, TransportLike } from './shapes.ts';

/** Where messages come from and go to. */
export interface StdioOptions {
  readonly stdin?: Readable | undefined;
  readonly stdout?: Writable | undefined;
  /** The longest line that is read; what the document of `dialect` says, else 10 MiB. Longer ones are answered, and the connection goes on. */
  readonly maxLineBytes?: number | undefined;
  /** How malformed and oversize lines are answered where no guarded server is connected; `mayday`. */
  readonly dialect?: DialectId | undefined;
  /** The dialects there are; all that come with `@mayday/core`. */
  readonly language?: Language | undefined;
  /** How long calls under way may go on after the input has ended; a minute. */
  readonly drainMs?: number | undefined;
}

/** The transport that `guardStdio` makes. Servers of both SDKs connect to it. */
export interface StdioTransport {
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: each SDK has types of its own for what comes in here
  onmessage?: (message: any, extra?: any) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
}

const MAX_LINE_BYTES = 10 * 1024 * 1024;
const DRAIN_MS = 60_000;
const OPTIONS = ['stdin', 'stdout', 'maxLineBytes', 'dialect', 'language', 'drainMs'];

/** Makes the transport. */
export function guardStdio(options: StdioOptions = {}): StdioTransport {
  expectKnown(options, OPTIONS, 'guardStdio');
  expectLanguage(options.language);
  const { dialect = 'mayday', language: spoken = language, drainMs = DRAIN_MS } = options;
  const { maxLineBytes = spoken.dialect(dialect).messageBytes ?? MAX_LINE_BYTES } = options;
  expectPositive(maxLineBytes, 'maxLineBytes');
  expectPositive(drainMs, 'drainMs');
  return new LineTransport({ ...options, maxLineBytes, drainMs }) as unknown as StdioTransport;
}

/** Lines in, lines out, until the input has ended and everything is answered. */
class LineTransport implements TransportLike, Rejecting {
  onmessage: TransportLike['onmessage'];
  onclose: TransportLike['onclose'];
  onerror: TransportLike['onerror'];
  [REJECTS]: ((bad: BadLine) => void) | undefined;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #dialect: DialectId;
  readonly #language: Language;
  readonly #drain: Drain;
  readonly #reader: LineReader;
  readonly #outlet: Outlet;
  #closed = false;

  constructor(options: StdioOptions & { readonly maxLineBytes: number; readonly drainMs: number }) {
    const { stdin = process.stdin, stdout = process.stdout, dialect = 'mayday', maxLineBytes } = options;
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#dialect = dialect;
    this.#language = options.language ?? language;
    this.#drain = createDrain(options.drainMs);
    this.#outlet = createOutlet({ stdout, patienceMs: options.drainMs, gone: this.#onBrokenPipe });
    this.#reader = createLineReader(maxLineBytes, {
      line: (bytes) => this.#take(bytes),
      oversize: ({ size, id }) => this.#reject(tooLarge(size, maxLineBytes, id)),
    });
  }

  async start(): Promise<void> {
    const { stdin, stdout } = { stdin: this.#stdin, stdout: this.#stdout };
    stdin
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('close', this.#onClose)
      .on('error', this.#onError);
    // Stays after closing: a write that fails late must not end the process.
    stdout.on('error', this.#onBrokenPipe);
  }

  async send(message: Message): Promise<void> {
    if (this.#closed) throw new Error('The connection is closed');
    await this.#outlet.write(message);
    this.#drain.noticeOutgoing(message);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#drain.stop();
    this.#outlet.stop();
    const stdin = this.#stdin;
    stdin
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('close', this.#onClose)
      .off('error', this.#onError);
    if (stdin.listenerCount('data') === 0) stdin.pause();
    this.onclose?.();
  }

  #take(bytes: Buffer): void {
    const line = parseBytes(bytes);
    const parsed = isBadLine(line) ? line : readMessage(line.value);
    if (isBadLine(parsed)) {
      this.#reject(parsed);
      return;
    }
    this.#drain.noticeIncoming(parsed);
    this.onmessage?.(withoutExtras(parsed));
  }

  /** A guarded server answers in its own dialect, and reports. Without one, the answer is ours. */
  #reject(bad: BadLine): void {
    if (this[REJECTS] !== undefined) {
      this[REJECTS](bad);
      return;
    }
    this.onerror?.(bad.thrown);
    this.send(badLineAnswer(bad, this.#dialect, this.#language)).catch(this.#onError);
  }

  /** Who leaves too much unread is not read from either. */
  readonly #onData = (chunk: Buffer): void => {
    this.#reader.push(chunk);
    const caughtUp = this.#outlet.behind();
    if (caughtUp === undefined || this.#closed) return;
    this.#stdin.pause();
    void caughtUp.then(() => {
      if (!this.#closed) this.#stdin.resume();
    });
  };

  readonly #onEnd = (): void => {
    this.#reader.end();
    this.#drain.whenEmpty(() => void this.close());
  };

  readonly #onClose = (): void => {
    if (!this.#stdin.readableEnded) void this.close();
  };

  readonly #onError = (error: Error): void => this.onerror?.(error);

  /** Nobody reads any more. */
  readonly #onBrokenPipe = (error: Error): void => {
    this.onerror?.(error);
    void this.close();
  };
}
