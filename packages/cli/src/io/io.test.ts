import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { processIo } from './io.ts';

/** A process with streams that only know whether they are terminals. */
function processWith(env: NodeJS.ProcessEnv, isTTY: boolean): Parameters<typeof processIo>[0] {
  const stream = (): unknown => Object.assign(new EventEmitter(), { isTTY, columns: 300, write: () => true });
  return { stdin: stream(), stdout: stream(), stderr: stream(), env, exit: () => undefined } as never;
}

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ TERM: 'dumb' }, true, false],
])('with %j and a terminal: %s, colours are %s', (env, isTTY, colours) => {
  expect(processIo(processWith(env, isTTY)).colours).toBe(colours);
});

test('keeps prose at a readable width', () => {
  expect(processIo(processWith({}, true)).columns).toBe(100);
});

test('reports an input that breaks as wrong usage', async () => {
  const broken = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(Object.assign(new Error('read EIO'), { code: 'EIO' })),
    }),
  };
  const io = processIo({ ...processWith({}, false), stdin: broken as never });
  await expect(io.input[Symbol.asyncIterator]().next()).rejects.toThrow(
    'standard input cannot be read (EIO); pipe a message into it',
  );
});

test.each([
  ['an answer', () => undefined, [0]],
  ['a server', (io: ReturnType<typeof processIo>) => io.serve(), []],
])('a reader that went away from %s', (_, before, exits) => {
  const codes: number[] = [];
  const process = { ...processWith({}, false), exit: (code: number) => codes.push(code) as never };
  before(processIo(process));
  process.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  expect(codes.slice(0, 1)).toEqual(exits); // nothing comes after the first in a process
});
