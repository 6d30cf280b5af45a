/** A conversation on standard input and output, one message a line. Every line gets its answer, however broken it is. */
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createLineReader } from '../line-reader.ts';
import { type BadLine, isBadLine, parseBytes, tooLarge } from '../messages.ts';
import { createOutlet } from '../outlet.ts';
import type { Conversation, Refused, Send } from './conversation.ts';
import { refusing } from './sayable.ts';

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

/** A client that is behind and takes nothing for this long is gone. Nor does the end wait longer for it. */
const PATIENCE_MS = 60_000;

/** Serves one client. */
export function serveLines({ stdin, stdout, maxLineBytes, open, refuse }: LinesOptions): Lines {
  const outlet = createOutlet({ stdout, patienceMs: PATIENCE_MS, gone });
  const send = (message: object | undefined): boolean => {
    // What cannot be written is told by the stream itself.
    if (message !== undefined && stdout.writable) outlet.write(message).catch(() => {});
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
    return refusing(refuse)({ thrown, id: id ?? null, method: '', takenBack: false });
  }

  const reader = createLineReader(maxLineBytes, {
    line: (bytes) =>
      inTurn(() => {
        const line = parseBytes(bytes);
        return isBadLine(line) ? refused(line) : conversation.receive(line.value);
      }),
    oversize: ({ size, id }) => inTurn(() => refused(tooLarge(size, maxLineBytes, id))),
  });
  let over = (): void => {};
  /** Nothing more will be read from it either. */
  function gone(): void {
    outlet.stop();
    conversation.close('client_gone');
    over();
  }
  // Whoever does not read any more cannot be told about it.
  stdout.on('error', () => conversation.close('client_gone'));
  // No more is read than has had its turn and is taken.
  stdin.on('data', (chunk: Buffer) => {
    reader.push(chunk);
    stdin.pause();
    void turn.then(() => outlet.behind()).then(() => stdin.resume());
  });
  const ended = new Promise<void>((resolve) => {
    over = () => resolve(Promise.all(underWay).then(() => {}));
    stdin.once('end', () => {
      reader.end();
      over();
    });
  });
  return {
    ended,
    async stop(reason) {
      conversation.close(reason);
      await Promise.all(underWay);
      const written = new Promise<void>((resolve) => stdout.write('', () => resolve()));
      await Promise.race([written, pause(PATIENCE_MS, undefined, { ref: false })]);
    },
  };
}
