import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { cleanUp, json, later, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const MIB = 1024 * 1024;
const LARGE = 16 * MIB;
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'big', arguments: {} } };
const SMALL_CALL = { ...CALL, params: { name: 'small', arguments: {} } };

/** Sends a call and reads nothing. */
function sendUnread(url: string, key: string): Socket {
  const { port, pathname } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1').pause();
  later(() => socket.destroy());
  socket.on('error', () => undefined);
  const body = JSON.stringify(CALL);
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${key}\r\n` +
      'accept: application/json, text/event-stream\r\ncontent-type: application/json\r\n' +
      `content-length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

/** Reads what is there, until it ends or nothing more comes. */
async function bytesOf(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  socket.resume();
  for (let before = -1; before !== bytes || bytes === 0; ) {
    before = bytes;
    await sleep(300);
    if (socket.destroyed) break;
  }
  return bytes;
}

it('holds back at their server the answers that a caller does not read, and cuts none', async () => {
  const waiting: (() => void)[] = [];
  const { url } = await upstream((body, response) => {
    const { id, params } = JSON.parse(body);
    const text = 'x'.repeat(params.name === 'big' ? LARGE : 1);
    const answer = (): void =>
      json(response, 200, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
    if (params.name === 'big') waiting.push(answer);
    else answer();
  });
  const gateway = await open({
    limits: { caller_bytes: 40 * MIB },
    keys: [
      { name: 'ann', key: 'ann-key-0001' },
      { name: 'bob', key: 'bob-key-0001' },
    ],
    upstreams: { shop: { url } },
  });
  const endpoint = `${gateway.url}/shop/mcp`;
  const as = (key: string) => ({ authorization: `Bearer ${key}` });
  const unread = Array.from({ length: 6 }, () => sendUnread(endpoint, 'ann-key-0001'));
  while (waiting.length < 6) await sleep(20);
  for (const answer of waiting) {
    answer();
    await sleep(400);
  }

  const next = await post(endpoint, SMALL_CALL, as('bob-key-0001'));
  expect(next.status).toBe(200);
  // Whoever holds so much asks for nothing more meanwhile.
  expect((await post(endpoint, SMALL_CALL, as('ann-key-0001'))).status).toBe(429);
  expect(gateway.logs.join('\n')).toContain('refused status=429 POST /shop/mcp caller=ann kind=overloaded');

  const read = await Promise.all(unread.map(bytesOf));
  expect(read.filter((bytes) => bytes > LARGE)).toHaveLength(6);
  expect((await post(endpoint, SMALL_CALL, as('ann-key-0001'))).status).toBe(200);
});
