/** A conversation on standard input and output, one message a line. Every line gets its answer, however broken it is. */
import type { Readable, Writable } from 'node:stream';
import { createLineReader } from '../line-reader.ts';
import { type BadLine, isBadLine, parseBytes, tooLarge } from '../messages.ts';
import type { Conversation, Refused, Send } from './conversation.ts';

/** What is served, and on which streams. */
export interface LinesOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** The longest line that is read. Longer ones are answered, and the conversation goes on. */
  readonly maxLineBytes: number;
  open(send: Send): Pick<Conversation, 'receive' | 'close'>;
  /** The answer to a line that holds no value. */
  refuse(refused: Refused): object | undefined;
}

/** A client on standard streams. */
export interface Lines {
  /** Settles when the input has ended and everything that came by it is answered. */
  readonly ended: Promise<void>;
  /** Stops what runs, and waits until that is told. */
  stop(reason: string): Promise<void>;
}

/** Serves one client. */
export function serveLines({ stdin, stdout, maxLineBytes, open, refuse }: LinesOptions): Lines {
  const send = (message: object | undefined): boolean => {
    if (message !== undefined && stdout.writable) stdout.write(`${JSON.stringify(message)}\n`);
    return stdout.writable;
  };
  const conversation = open(send);
  const underWay = new Set<Promise<void>>();
  let turn = Promise.resolve();

  /** Answers that nothing is waited for come in the order of their questions, however many a chunk holds. */
  function inTurn(answer: () => object | undefined | Promise<object | undefined>): void {
    const answered: Promise<void> = turn
      .then(answer)
      .then((said) => void send(said))
      .finally(() => underWay.delete(answered));
    turn = turn.then(() => new Promise((resolve) => setImmediate(resolve)));
    underWay.add(answered);
  }

  function refused({ thrown, id }: BadLine): object | undefined {
    return refuse({ thrown, id: id ?? null, method: '', takenBack: false });
  }

  const reader = createLineReader(maxLineBytes, {
    line: (bytes) =>
      inTurn(() => {
        const line = parseBytes(bytes);
        return isBadLine(line) ? refused(line) : conversation.receive(line.value);
      }),
    oversize: ({ size, id }) => inTurn(() => refused(tooLarge(size, maxLineBytes, id))),
  });
  // Whoever does not read any more cannot be told about it.
  stdout.on('error', () => conversation.close('client_gone'));
  stdin.on('data', (chunk: Buffer) => reader.push(chunk));
  const ended = new Promise<void>((resolve) => {
    stdin.once('end', () => {
      reader.end();
      resolve(Promise.all(underWay).then(() => {}));
    });
  });
  return {
    ended,
    async stop(reason) {
      conversation.close(reason);
      await Promise.all(underWay);
      await new Promise<void>((resolve) => stdout.write('', () => resolve()));
    },
  };
}
