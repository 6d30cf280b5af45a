/**
 * A stdio transport that always answers: `server.connect(guardStdio())`, or
 * `serveStdio(factory, { transport: guardStdio() })`. Works with both SDKs.
 */
import type { Readable, Writable } from 'node:stream';
import type { DialectId } from '@mayday/core';
import { createDrain } from './boundary/drain.ts';
import { REJECTS, type Rejecting } from './boundary/rejecting.ts';
import { badLineAnswer } from './boundary/unasked.ts';
import { expectKnown, expectPositive } from './options-check.ts';
import type { Message, TransportLike } from './shapes.ts';
import { type BadLine, createLineReader, isBadLine, oversizeLine, parseLine } from './stdio-lines.ts';

/** Where messages come from and go to. */
export interface StdioOptions {
  readonly stdin?: Readable | undefined;
  readonly stdout?: Writable | undefined;
  /** The longest line that is read; 10 MiB. Longer ones are answered, and the connection goes on. */
  readonly maxLineBytes?: number | undefined;
  /** How malformed and oversize lines are answered where no guarded server is connected; `mayday`. */
  readonly dialect?: DialectId | undefined;
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
const OPTIONS = ['stdin', 'stdout', 'maxLineBytes', 'dialect', 'drainMs'];

/** Makes the transport. */
export function guardStdio(options: StdioOptions = {}): StdioTransport {
  expectKnown(options, OPTIONS, 'guardStdio');
  const { stdin = process.stdin, stdout = process.stdout, dialect = 'mayday' } = options;
  const { maxLineBytes = MAX_LINE_BYTES, drainMs = DRAIN_MS } = options;
  expectPositive(maxLineBytes, 'maxLineBytes');
  expectPositive(drainMs, 'drainMs');
  const drain = createDrain(drainMs);
  let closed = false;

  const reject = (bad: BadLine): void => {
    if (transport[REJECTS] !== undefined) {
      transport[REJECTS](bad);
      return;
    }
    transport.onerror?.(bad.thrown);
    void transport.send(badLineAnswer(bad, dialect));
  };
  const reader = createLineReader(maxLineBytes, {
    line(text) {
      const parsed = parseLine(text);
      if (isBadLine(parsed)) {
        reject(parsed);
        return;
      }
      drain.noticeIncoming(parsed);
      transport.onmessage?.(parsed);
    },
    oversize: (head, tail) => reject(oversizeLine(head, tail, maxLineBytes)),
  });
  const onData = (chunk: Buffer): void => reader.push(chunk);
  const onEnd = (): void => {
    reader.end();
    drain.whenEmpty(() => void transport.close());
  };
  const onClose = (): void => {
    if (!stdin.readableEnded) void transport.close();
  };
  const onError = (error: Error): void => transport.onerror?.(error);
  const onBrokenPipe = (error: Error): void => {
    transport.onerror?.(error);
    void transport.close(); // nobody reads any more
  };

  const transport: TransportLike & Rejecting = {
    [REJECTS]: undefined,
    async start() {
      stdin.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onError);
      // Stays after closing: a write that fails late must not end the process.
      stdout.on('error', onBrokenPipe);
    },
    async send(message) {
      if (closed) throw new Error('The connection is closed');
      await written(stdout, message);
      drain.noticeOutgoing(message);
    },
    async close() {
      if (closed) return;
      closed = true;
      drain.stop();
      stdin.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onError);
      if (stdin.listenerCount('data') === 0) stdin.pause();
      transport.onclose?.();
    },
  };
  return transport as unknown as StdioTransport;
}

function written(stdout: Writable, message: Message): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
  });
}
