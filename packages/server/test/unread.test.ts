/** A client that does not read its answers is not read from either, and its answers are kept for it within bounds. */
import { PassThrough, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { guardStdio } from '@mayday/server/stdio';
import { expect, it, onTestFinished } from 'vitest';

const ANSWER = 'x'.repeat(4 * 1024 * 1024);

/** A server that answers everything at length, before a reader that takes nothing until it is told to. */
async function before(drainMs: number) {
  const stdin = new PassThrough();
  const taken: string[] = [];
  let take: (() => void) | undefined;
  let isReading = false;
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      taken.push(`${chunk}`.slice(0, 24));
      if (isReading) done();
      else take = done;
    },
  });
  const transport = guardStdio({ stdin, stdout, drainMs });
  onTestFinished(() => transport.close());
  const asked: number[] = [];
  const errors: string[] = [];
  let isClosed = false;
  transport.onerror = ({ message }) => errors.push(message);
  transport.onclose = () => {
    isClosed = true;
  };
  transport.onmessage = ({ id }: { id: number }) => {
    asked.push(id);
    void transport.send({ jsonrpc: '2.0', id, result: ANSWER }).catch(() => undefined);
  };
  await transport.start();
  for (let id = 1; id <= 12; id++) {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`);
    await pause(0);
  }
  const read = (): void => {
    isReading = true;
    take?.();
  };
  return { asked, taken, errors, read, isClosed: () => isClosed };
}

it('is asked for more once it has read, and loses nothing', async () => {
  const { asked, taken, read } = await before(60_000);
  expect(asked.length).toBeGreaterThan(3);
  expect(asked.length).toBeLessThan(8);
  read();
  while (taken.length < 12) await pause(5);
  expect(taken).toEqual(Array.from({ length: 12 }, (_, i) => `{"jsonrpc":"2.0","id":${i + 1},`.slice(0, 24)));
});

it('is given up when it takes nothing for as long as calls may go on', async () => {
  const { errors, isClosed } = await before(50);
  while (!isClosed()) await pause(5);
  expect(errors).toEqual(['Nobody reads the answers']);
});
