/** Messages on standard input and output, one a line. Every line gets its answer, however broken it is. */
import type { Readable, Writable } from 'node:stream';
import type { App } from '../app.ts';
import { connect } from '../connection.ts';
import { refusal } from '../refusal.ts';
import { createCollector } from './collector.ts';
import { parse } from './message.ts';

const NEWLINE = 0x0a;

/** A client on standard streams. */
export interface StdioService {
  /** Settles when the input has ended and everything that came by it is answered. */
  readonly ended: Promise<void>;
  stop(reason: string): Promise<void>;
}

/** Serves one client. The session has a fixed name: its tasks are there again after a restart. */
export function serveStdio(app: App, input: Readable, output: Writable): StdioService {
  const send = (message: object): boolean => {
    output.write(`${JSON.stringify(message)}\n`);
    return output.writable;
  };
  const connection = connect(app, 'stdio', send);
  const collector = createCollector(app.settings.maxMessageBytes);
  const open = new Set<Promise<void>>();
  // Answers that nothing is waited for come in the order of their questions, however many a line holds.
  let turn = Promise.resolve();

  async function serve(line: Buffer): Promise<void> {
    try {
      const answer = await connection.receive(parse(line));
      if (answer !== undefined) send(answer);
    } catch (reason) {
      send(refusal(app, reason, null));
    }
  }

  function endOfLine(): void {
    const line = collector.take();
    if (line === undefined) return;
    if (!Buffer.isBuffer(line)) {
      send(refusal(app, line.error, line.id));
      return;
    }
    const served: Promise<void> = turn.then(() => serve(line)).finally(() => open.delete(served));
    turn = turn.then(nextTurn);
    open.add(served);
  }

  input.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      collector.push(chunk.subarray(start, end));
      endOfLine();
      start = end + 1;
    }
    if (start < chunk.length) collector.push(chunk.subarray(start));
  });

  const ended = new Promise<void>((resolve) => {
    input.once('end', () => {
      endOfLine(); // a last line needs no newline
      resolve(Promise.all(open).then(() => {}));
    });
  });
  return {
    ended,
    async stop(reason) {
      connection.close(reason);
      await Promise.all(open);
      await new Promise<void>((resolve) => output.write('', () => resolve()));
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
