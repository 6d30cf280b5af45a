import { createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { readFrames, writeFrame } from './frames.ts';

const VALUES = [
  { kind: 'ask', body: Buffer.from('{"a":\n"é"}'), nothing: undefined },
  { kind: 'outcome', outcome: { ok: false, bytes: Buffer.alloc(70_000, 7) } },
  { kind: 'tasks', tasks: [] },
];

function bytesOf(values: readonly unknown[]): Buffer {
  const written: Buffer[] = [];
  const socket = { write: (piece: Buffer) => written.push(piece) > 0 } as unknown as Socket;
  for (const value of values) writeFrame(socket, value);
  return Buffer.concat(written);
}

it.each([1, 3, 4, 5, 65_536, 1_000_000])('values come as they were sent, in pieces of %i bytes', (size) => {
  const bytes = bytesOf(VALUES);
  const stream = new PassThrough();
  const came: unknown[] = [];
  readFrames(stream as unknown as Socket, (value) => came.push(value));
  for (let at = 0; at < bytes.length; at += size) stream.emit('data', bytes.subarray(at, at + size));
  expect(came).toEqual(VALUES);
});

it('whoever says something else is cut off', async () => {
  const heard: unknown[] = [];
  const server = createServer((socket) => readFrames(socket, (value) => heard.push(value)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const { connect } = await import('node:net');
  const socket = connect(port, '127.0.0.1');
  socket.write(Buffer.from('\0\0\0\u0005hello'));
  await new Promise((resolve) => socket.on('close', resolve).resume());
  expect(heard).toEqual([]);
  server.close();
});
