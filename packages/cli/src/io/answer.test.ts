import { expect, test } from 'vitest';
import { answerInput } from './answer.ts';
import type { Io } from './io.ts';

async function* chunksOf(lines: readonly string[], taken: string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) {
    taken.push(line);
    yield Buffer.from(`${line}\n`);
  }
}

function ioOf(input: AsyncIterable<Uint8Array>, write: Io['write']): Io {
  return {
    input,
    inputIsTerminal: false,
    write,
    serve: () => undefined,
    note: () => undefined,
    colours: false,
    columns: 100,
  };
}

test('takes no more input while the reader of the answers is busy', async () => {
  const taken: string[] = [];
  let ready: () => void = () => undefined;
  const io = ioOf(
    chunksOf(['1', '2', '3'], taken),
    () =>
      new Promise((resolve) => {
        ready = resolve;
      }),
  );
  const done = answerInput(io, { command: 'read', jsonl: true, compact: true, answer: (value) => value });
  await new Promise((resolve) => setImmediate(resolve));
  expect(taken).toEqual(['1']);
  for (const _ of taken.concat('2', '3')) {
    ready();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await done).toBe(0);
  expect(taken).toEqual(['1', '2', '3']);
});

test('answers the other lines when one meets a bug of ours, and says so with its status', async () => {
  const written: string[] = [];
  const io = ioOf(chunksOf(['1', '2', '3'], []), async (text) => {
    written.push(text);
  });
  const answer = (value: unknown): unknown => {
    if (value === 2) throw new Error('a secret of the input');
    return value;
  };
  expect(await answerInput(io, { command: 'read', jsonl: true, compact: true, answer })).toBe(70);
  expect(written.join('')).toBe(
    '1\n{"error":{"kind":"internal","line":2,"message":"Line 2 could not be answered because of a bug in mayday",' +
      '"advice":"Send this line alone, without --jsonl, and report what it prints."}}\n3\n',
  );
});
