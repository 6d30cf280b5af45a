/** A client that does not read its answers is not read from either, and its answers are kept for it within bounds. */
import { PassThrough, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createConversation, type Send, serveLines } from '@mayday/server/rpc';
import { guardStdio } from '@mayday/server/stdio';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

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

describe.each(['guardStdio', 'serveLines'])('by the number of short answers: %s', (by) => {
  /** Asks 20,000 times, in chunks of a thousand, of a server that answers at once. */
  async function ask(stdout: Writable) {
    const stdin = new PassThrough();
    let asked = 0;
    if (by === 'guardStdio') {
      const transport = guardStdio({ stdin, stdout });
      onTestFinished(() => transport.close());
      transport.onmessage = ({ id }: { id: number }) => {
        asked += 1;
        void transport.send({ jsonrpc: '2.0', id, result: {} }).catch(() => undefined);
      };
      await transport.start();
    } else {
      const answer = () => ({ asked: ++asked });
      const open = (send: Send) =>
        createConversation({ answer, send, refuse: () => undefined, notified: () => undefined });
      serveLines({ stdin, stdout, maxLineBytes: 1000, open, refuse: () => undefined });
    }
    for (let chunk = 0; chunk < 20; chunk++) {
      const lines = Array.from(
        { length: 1000 },
        (_, i) => `{"jsonrpc":"2.0","id":${chunk * 1000 + i},"method":"ping"}\n`,
      );
      stdin.write(lines.join(''));
    }
    return () => asked;
  }

  it('is not read from, loses nothing, and is asked for the rest', async () => {
    const taken: number[] = [];
    let go: (() => void) | undefined;
    let isReading = false;
    const stdout = new Writable({
      highWaterMark: 1024 * 1024 * 1024, // whose buffer is never full
      write(chunk: Buffer, _encoding, done) {
        taken.push(JSON.parse(`${chunk}`).id);
        if (isReading) done();
        else go = done;
      },
    });
    const asked = await ask(stdout);
    await vi.waitFor(() => expect(asked()).toBeGreaterThan(999));
    await pause(200);
    expect(asked()).toBeLessThan(4000);
    isReading = true;
    go?.();
    await vi.waitFor(() => expect(taken).toHaveLength(20_000), 20_000);
    expect(taken).toEqual(Array.from({ length: 20_000 }, (_, id) => id));
  });
});
