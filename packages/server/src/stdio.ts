/**
 * A stdio transport that always answers: `server.connect(guardStdio())`, or
 * `serveStdio(factory, { transport: guardStdio() })`. Works with both SDKs.
 */
import type { Readable, Writable } from 'node:stream';
import { createDrain, type Drain } from './boundary/drain.ts';
import { REJECTS, type Rejecting } from './boundary/rejecting.ts';
import { reportRefusal, unservedRequest } from './boundary/report-refusal.ts';
import { sealForCaller } from './boundary/seal.ts';
import { badLineAnswer } from './boundary/unasked.ts';
import { createLineReader, type LineReader } from './line-reader.ts';
import { type BadLine, isBadLine, parseBytes, readMessage, tooLarge, withoutExtras } from './messages.ts';
import { type GuardOptions, optionNames, type Settings, settingsFrom } from './options.ts';
import { expectKnown, expectPositive } from './options-check.ts';
import { createOutlet, type Outlet } from './outlet.ts';
import type { Message, TransportLike } from './shapes.ts';

/**
 * Where messages come from and go to. The options of `guard` may stand here too: they say how malformed and oversize lines
 * are answered, and who hears of them, where no guarded server is connected.
 */
export interface StdioOptions extends GuardOptions {
  readonly stdin?: Readable | undefined;
  readonly stdout?: Writable | undefined;
  /** The longest line that is read; what the document of `dialect` says, else 10 MiB. Longer ones are answered, and the connection goes on. */
  readonly maxLineBytes?: number | undefined;
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
const OPTIONS: readonly string[] = ['stdin', 'stdout', 'maxLineBytes', 'drainMs'];

/** Makes the transport. */
export function guardStdio(options: StdioOptions = {}): StdioTransport {
  expectKnown(options, [...OPTIONS, ...optionNames()], 'guardStdio');
  const { stdin, stdout, maxLineBytes: given, drainMs = DRAIN_MS, ...guarding } = options;
  const settings = settingsFrom(guarding);
  const maxLineBytes = given ?? settings.dialect.messageBytes ?? MAX_LINE_BYTES;
  expectPositive(maxLineBytes, 'maxLineBytes');
  expectPositive(drainMs, 'drainMs');
  return new LineTransport({ stdin, stdout, maxLineBytes, drainMs, settings }) as unknown as StdioTransport;
}

/** What the transport goes by. */
interface LineOptions extends Pick<StdioOptions, 'stdin' | 'stdout'> {
  readonly maxLineBytes: number;
  readonly drainMs: number;
  readonly settings: Settings;
}

/** Lines in, lines out, until the input has ended and everything is answered. */
class LineTransport implements TransportLike, Rejecting {
  onmessage: TransportLike['onmessage'];
  onclose: TransportLike['onclose'];
  onerror: TransportLike['onerror'];
  [REJECTS]: ((bad: BadLine) => void) | undefined;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #settings: Settings;
  readonly #drain: Drain;
  readonly #reader: LineReader;
  readonly #outlet: Outlet;
  #closed = false;

  constructor({
    stdin = process.stdin,
    stdout = process.stdout,
    maxLineBytes,
    drainMs,
    settings,
  }: LineOptions) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#settings = settings;
    this.#drain = createDrain(drainMs);
    this.#outlet = createOutlet({ stdout, patienceMs: drainMs, gone: this.#onBrokenPipe });
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
    const { dialect, language, clock } = this.#settings;
    this.onerror?.(bad.thrown);
    this.#report(bad);
    this.send(badLineAnswer(bad, dialect.id, language, clock.now())).catch(this.#onError);
  }

  #report({ thrown, id }: BadLine): void {
    const settings = this.#settings;
    const message: Message = { jsonrpc: '2.0', method: '', ...(id === undefined ? {} : { id }) };
    const request = unservedRequest(message, undefined, settings.clock.now());
    const failure = { thrown, began: false, ours: true, ofRequest: true };
    reportRefusal(settings, thrown, sealForCaller(failure, request, settings), request);
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
