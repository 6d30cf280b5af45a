/**
 * A stdio transport that always answers: `server.connect(guardStdio())`, or
 * `serveStdio(factory, { transport: guardStdio() })`. Works with both SDKs.
 */
import type { Readable, Writable } from 'node:stream';
import { type DialectId, write } from '@mayday/core';
import { expectPositive } from './options-check.ts';
import type { Message, TransportLike } from './shapes.ts';
import { type BadLine, isBadLine, oversizeLine, parseLine } from './stdio-lines.ts';

/** Where messages come from and go to. */
export interface StdioOptions {
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  /** The longest line that is read; 10 MiB. Longer ones are answered, and the connection goes on. */
  readonly maxLineBytes?: number;
  /** How malformed and oversize lines are answered; `mayday`. */
  readonly dialect?: DialectId;
}

/** The transport that `guardStdio` makes. Both SDKs' servers connect to it. */
export interface StdioTransport {
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

const MAX_LINE_BYTES = 10 * 1024 * 1024;
const SEEN_ENDS = 512;
const NEWLINE = 10;
const INVALID_REQUEST = -32600;

/** Makes the transport. */
export function guardStdio(options: StdioOptions = {}): StdioTransport {
  const {
    stdin = process.stdin,
    stdout = process.stdout,
    maxLineBytes = MAX_LINE_BYTES,
    dialect = 'mayday',
  } = options;
  expectPositive(maxLineBytes, 'maxLineBytes');
  let closed = false;

  const answer = ({ thrown, code, id }: BadLine): void => {
    const wire = write(thrown.fault, dialect, { method: 'ping', ...(id === undefined ? {} : { id }) })
      .wire as Message;
    const said = wire.error ?? { code: INVALID_REQUEST, message: thrown.message };
    const error = code === undefined ? said : { ...said, code };
    transport.onerror?.(thrown);
    void transport.send({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error } as Message);
  };
  const onData = lineReader(maxLineBytes, {
    line(text) {
      const parsed = parseLine(text);
      if (isBadLine(parsed)) answer(parsed);
      else transport.onmessage?.(parsed);
    },
    oversize: (head, tail) => answer(oversizeLine(head, tail, maxLineBytes)),
  });
  const onEnd = (): void => void transport.close();
  const onError = (error: Error): void => transport.onerror?.(error);

  const transport: TransportLike = {
    async start() {
      stdin.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onError);
      // Stays after closing: a write that fails late must not end the process.
      stdout.on('error', onError);
    },
    send(message) {
      return new Promise((resolve, reject) => {
        if (closed) reject(new Error('The connection is closed'));
        else stdout.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
      });
    },
    async close() {
      if (closed) return;
      closed = true;
      stdin.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError);
      if (stdin.listenerCount('data') === 0) stdin.pause();
      transport.onclose?.();
    },
  };
  return transport as unknown as StdioTransport;
}

interface LineSink {
  line(text: string): void;
  oversize(head: string, tail: string): void;
}

/** Splits a stream into lines, and never holds more than one of the allowed length. */
function lineReader(maxBytes: number, sink: LineSink): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  let size = 0;
  let head: string | undefined;
  let tail = '';
  const push = (piece: Buffer): void => {
    size += piece.length;
    if (head === undefined && size <= maxBytes) {
      held.push(piece);
      return;
    }
    head ??= Buffer.concat([...held, piece]).toString('utf8', 0, SEEN_ENDS);
    held = [];
    tail = (tail + piece.toString('utf8', Math.max(0, piece.length - SEEN_ENDS))).slice(-SEEN_ENDS);
  };
  const flush = (): void => {
    if (head !== undefined) sink.oversize(head, tail);
    else {
      const text = Buffer.concat(held).toString('utf8').trim();
      if (text !== '') sink.line(text);
    }
    held = [];
    size = 0;
    head = undefined;
    tail = '';
  };
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      push(chunk.subarray(start, end));
      flush();
      start = end + 1;
    }
    if (start < chunk.length) push(chunk.subarray(start));
  };
}
