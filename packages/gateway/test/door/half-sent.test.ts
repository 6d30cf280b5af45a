/** Those who are not let in are heard as long as that costs little: nobody waits for many, or for long. */
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, later, open, post, STDIO_SERVER, until } from '../tools.ts';

afterEach(cleanUp);

interface HalfSent {
  said: string;
  isClosed: boolean;
  /** Sends more. */
  goOn: (bytes: number) => void;
}

/** Announces a body, and sends a part of it. */
function halfSent(url: string, announced: number, host?: string): HalfSent {
  const { port } = new URL(url);
  const state: HalfSent = { said: '', isClosed: false, goOn: () => undefined };
  const socket = connect(Number(port), '127.0.0.1');
  later(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    state.said += String(chunk);
  });
  socket.on('close', () => {
    state.isClosed = true;
  });
  socket.write(
    `POST /a/mcp HTTP/1.1\r\nhost: ${host ?? `127.0.0.1:${port}`}\r\ncontent-type: application/json\r\n` +
      `accept: application/json, text/event-stream\r\ncontent-length: ${announced}\r\n\r\n{"a":"`,
  );
  state.goOn = (bytes) => void socket.write('x'.repeat(bytes));
  return state;
}

it.each([
  ['large ones', 64_000, 100, 65],
  ['many', 100, 300, 256],
])(
  'waits for a few at a time, and not for long: %s',
  async (_, announced, sent, heard) => {
    const gateway = await open({
      keys: [{ name: 'ann', key: 'ann-key-0001' }],
      upstreams: { a: STDIO_SERVER },
    });
    const began = performance.now();
    const all = Array.from({ length: sent }, () => halfSent(gateway.url, announced));
    const answered = (): HalfSent[] => all.filter(({ said }) => said !== '');
    await until(() => answered().length >= sent - heard);
    expect(answered().length).toBe(sent - heard);
    // Others are heard all the same: what has come whole takes no room.
    const { status, message } = await post(`${gateway.url}/a/mcp`, call('tools/call', { name: 'echo' }));
    expect([status, message.error?.data]).toMatchObject([401, { kind: 'unauthenticated' }]);
    await until(() => all.every(({ isClosed }) => isClosed));
    expect(performance.now() - began).toBeLessThan(20_000);
    for (const { said } of all) {
      expect(said).toMatch(/^HTTP\/1\.1 401 /);
      expect(said).toContain('"executed":"maybe"');
    }
    // The room is free again.
    const again = halfSent(gateway.url, announced);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(again.said).toBe('');
  },
  60_000,
);

it.each([
  ['a stranger with more than is read of one', 70_000, undefined, 401],
  ['a stranger with far more', 5_000_000, undefined, 401],
  ['somebody who wants to go elsewhere', 1000, 'elsewhere.example', 403],
])(
  'who is answered before the body has come is not waited for: %s',
  async (_who, announced, host, status) => {
    const gateway = await open({
      keys: [{ name: 'ann', key: 'ann-key-0001' }],
      upstreams: { a: STDIO_SERVER },
    });
    const silent = halfSent(gateway.url, announced, host);
    const dripping = halfSent(gateway.url, announced, host);
    const whole = halfSent(gateway.url, announced, host);
    const drip = setInterval(() => dripping.goOn(1), 100);
    later(() => clearInterval(drip));
    const all = [silent, dripping, whole];
    await until(() => all.every(({ said }) => said !== ''));
    const answeredAt = performance.now();
    for (const { said } of all) expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    // What was announced comes after the answer, which is heard all the same; the connection can be used again.
    whole.goOn(announced - '{"a":"'.length);
    await until(() => silent.isClosed && dripping.isClosed);
    expect(performance.now() - answeredAt).toBeLessThan(20_000);
    expect(whole.isClosed).toBe(false);
  },
  60_000,
);
