/** docs/gateway.md: SIGTERM lets calls in flight finish, and answers the rest with a fault. Over connections that are open, all of the rest. */
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const BODY = JSON.stringify(call('tools/list'));
const HEAD = [
  'POST /a/mcp HTTP/1.1',
  'host: localhost',
  'content-type: application/json',
  'accept: application/json, text/event-stream',
  `content-length: ${BODY.length}`,
  '\r\n',
].join('\r\n');

/** A gateway with a call under way, which the test answers. */
async function busy() {
  const held: ServerResponse[] = [];
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body || '{}') as { readonly id?: number; readonly method?: string };
    if (method === 'tools/call') held.push(response);
    else json(response, 200, { jsonrpc: '2.0', id, result: { tools: [] } });
  });
  const gateway = await open({ upstreams: { a: { url } } });
  const running = post(`${gateway.url}/a/mcp`, callTool('pay', {}, 7));
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(1);
  const finish = (): void => {
    for (const response of held.splice(0))
      json(response, 200, { jsonrpc: '2.0', id: 7, result: { content: [] } });
  };
  return { gateway, port: Number(new URL(gateway.url).port), running, finish };
}

async function come(port: number): Promise<{ socket: Socket; said: () => string; over: Promise<unknown> }> {
  const socket = connect({ port, host: '127.0.0.1' });
  let said = '';
  socket.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const over = new Promise((resolve) => {
    socket.on('error', resolve);
    socket.on('close', () => resolve('closed'));
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  return { socket, said: () => said, over };
}

/** Waits until nobody else gets in. */
async function shut(port: number): Promise<void> {
  const knock = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => resolve(false));
      socket.on('error', () => resolve(true));
      socket.on('connect', () => socket.destroy());
    });
  while (!(await knock())) await sleep(5);
}

const TOLD = /^HTTP\/1\.1 503 .*connection: close\r\n.*"kind":"unavailable"/is;

it.each([
  ['in one piece', [HEAD + BODY]],
  ['in two pieces', [HEAD, BODY]],
])(
  'a request %s while a call is under way is told so, and that the connection ends',
  async (_how, pieces) => {
    const { gateway, port, running, finish } = await busy();
    const { socket, said, over } = await come(port);
    const closed = gateway.close(5000);
    for (const piece of pieces) {
      socket.write(piece);
      await sleep(50);
    }
    expect(await over).toBe('closed');
    expect(said()).toMatch(TOLD);
    finish();
    expect((await running).status).toBe(200);
    await closed;
  },
);

it.each([
  ['in one piece', [HEAD + BODY]],
  ['in two pieces', [HEAD, BODY]],
])('whoever has only just come when all is done is told so %s', async (_how, pieces) => {
  const { gateway, port, running, finish } = await busy();
  const closed = gateway.close(5000);
  const { socket, said, over } = await come(port);
  finish();
  await running;
  await shut(port);
  for (const piece of pieces) {
    socket.write(piece);
    await sleep(20);
  }
  expect(await over).toBe('closed');
  expect(said()).toMatch(TOLD);
  await closed;
});

it('waits for nobody who has nothing to ask', async () => {
  const { gateway, port, finish, running } = await busy();
  const quiet = await come(port);
  finish();
  await running;
  await sleep(600);
  const began = performance.now();
  await gateway.close(5000);
  expect(await quiet.over).toBe('closed');
  expect(performance.now() - began).toBeLessThan(1500);
});
