import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { answerPlainly, type PlainConnections } from './plain-connections.ts';
import type { PlainResponse } from './plain-response.ts';

const IDLE_MS = 160;
const REQUEST = 'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}';

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** A server that answers at once, or leaves it to the test. */
async function serve(
  answers: boolean,
  onData: (socket: Socket) => void = () => {},
): Promise<{ port: number; plain: PlainConnections; got: PlainResponse[] }> {
  const server = createServer();
  const got: PlainResponse[] = [];
  const plain = answerPlainly(server, IDLE_MS, (_head, _body, response) => {
    got.push(response);
    if (answers) answer(response);
  });
  server.on('connection', (socket: Socket) => socket.on('data', () => onData(socket)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(plain, server);
  return { port: (server.address() as AddressInfo).port, plain, got };
}

function answer(response: PlainResponse): void {
  response.writeHead(200, { 'content-length': '2' });
  response.end(Buffer.from('{}'));
}

async function call(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  return socket;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it('ends a connection that nobody uses, whether it was ever used or not', async () => {
  const { port } = await serve(true);
  const silent = await call(port);
  const used = await call(port);
  used.write(REQUEST);
  await once(used, 'data');
  const began = performance.now();
  await Promise.all([silent, used].map((socket) => once(socket.resume(), 'close')));
  expect(performance.now() - began).toBeLessThan(IDLE_MS * 20);
});

it('ends none before its time', async () => {
  const { port } = await serve(true);
  const socket = await call(port);
  for (let i = 0; i < 6; i++) {
    socket.write(REQUEST);
    await once(socket, 'data');
    await wait(IDLE_MS / 4);
  }
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

it('ends none whose answer is waited for, and begins to count with the answer', async () => {
  const { port, got } = await serve(false);
  const socket = await call(port);
  socket.write(REQUEST);
  await wait(IDLE_MS * 3);
  expect(socket.destroyed).toBe(false);
  const [response] = got;
  answer(response as PlainResponse);
  const [said] = (await once(socket, 'data')) as [Buffer];
  expect(said.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\{\}$/);
  await once(socket.resume(), 'close');
});

it('meets nobody who has left before all that came was read', async () => {
  const { port, got } = await serve(true, (socket) => socket.destroy());
  const gone = await call(port);
  gone.write(REQUEST);
  await once(gone.resume(), 'close');
  await wait(20);
  expect(got).toEqual([]);
});
