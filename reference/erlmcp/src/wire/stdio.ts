/** Messages on standard input and output, one a line. Every line gets its answer, however broken it is. */
import type { Readable, Writable } from 'node:stream';
import type { App } from '../app.ts';
import { connect } from '../connection.ts';
import { refusal } from '../refusal.ts';
import { createCollector } from './collector.ts';
import { parse } from './message.ts';

const NEWLINE = 0x0a;

/** Serves one client. The session has a fixed name: its tasks are there again after a restart. */
export function serveStdio(app: App, input: Readable, output: Writable): (reason: string) => Promise<void> {
  const send = (message: object): void => void output.write(`${JSON.stringify(message)}\n`);
  const connection = connect(app, 'stdio', send);
  const collector = createCollector(app.settings.maxMessageBytes);
  const open = new Set<Promise<void>>();

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
    const served: Promise<void> = serve(line).finally(() => open.delete(served));
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

  return async (reason) => {
    connection.close(reason);
    await Promise.all(open);
    await new Promise<void>((resolve) => output.write('', () => resolve()));
  };
}
