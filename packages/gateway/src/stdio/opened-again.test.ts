/** A session that a server has forgotten is opened again for callers who keep none themselves, however often that takes. */
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { spokenTo } from '../../test/spoken-to.ts';
import { call, cleanUp, json, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

type Asked = {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly uri?: string; readonly level?: string };
};
type Refuse = (response: ServerResponse, asked: Asked) => unknown;

/** A server that forgets, and may refuse to be opened. */
async function forgetful() {
  const state = { known: '', opened: 0, refuse: undefined as Refuse | undefined, slowMs: 0, isMute: false };
  const log: string[] = [];
  const { url } = await upstream(async (body, response, request) => {
    if (body === '') return void response.writeHead(405).end();
    const asked = JSON.parse(body) as Asked;
    const { id, method, params } = asked;
    const session = String(request.headers['mcp-session-id'] ?? '-');
    log.push(`${method} ${session} ${params?.uri ?? params?.level ?? ''}`);
    if (method === 'initialize') {
      if (state.refuse !== undefined) return void state.refuse(response, asked);
      await setTimeout(state.slowMs);
      state.known = `s${++state.opened}`;
      const serverInfo = { name: 'bank', version: '1' };
      const capabilities = { tools: {}, logging: {}, resources: { subscribe: true } };
      const result = { protocolVersion: '2025-11-25', capabilities, serverInfo };
      return void json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': state.known });
    }
    if (session !== state.known) return void response.writeHead(404).end('Session not found');
    if (id === undefined && method === 'notifications/initialized' && state.isMute) return;
    if (id === undefined) return void response.writeHead(202).end();
    const content = [{ type: 'text', text: 'fine' }];
    return void json(response, 200, {
      jsonrpc: '2.0',
      id,
      result: method === 'tools/call' ? { content } : {},
    });
  });
  const forget = (): void => {
    state.known = 'none';
    log.length = 0;
  };
  return { url, state, log, forget };
}

async function clientOf(url: string, openTimeoutMs = 5000) {
  const bank = { url, breaker: false as const, open_timeout_ms: openTimeoutMs };
  const { ask: answerTo, say: send } = await spokenTo({ bank });
  let last = 100;
  const ask = (method: string, params: object) => answerTo(call(method, params, ++last));
  await ask('ping', {});
  return { ask, send, pay: () => ask('tools/call', { name: 'pay', arguments: {} }) };
}

const FINE = { result: { content: [{ type: 'text', text: 'fine' }] } };

const REFUSALS: readonly (readonly [name: string, kind: string, refuse: Refuse])[] = [
  ['503', 'unavailable', (response) => response.writeHead(503).end()],
  ['429', 'rate_limited', (response) => response.writeHead(429).end()],
  [
    'a page',
    'unavailable',
    (response) => response.writeHead(503, { 'content-type': 'text/html' }).end('<html>'),
  ],
  ['a reset', '', (response) => response.destroy()],
  ['401', '', (response) => response.writeHead(401).end()],
  ['404', '', (response) => response.writeHead(404).end()],
];

describe.each(REFUSALS)('an opening that is refused with %s', (_name, kind, refuse) => {
  it('is why the call was not made, and is tried again with the next', async () => {
    const { url, state, log, forget } = await forgetful();
    const { pay } = await clientOf(url);
    forget();
    state.refuse = refuse;
    for (let times = 0; times < 2; times++) {
      const told = JSON.stringify(await pay());
      expect(told).toContain(`"kind":"${kind}`);
      expect(told).toContain('"executed":"no"');
      expect(told).not.toMatch(/session/i);
      expect(told).not.toMatch(/may have happened/);
    }
    state.refuse = undefined;
    expect(await pay()).toMatchObject(FINE);
    expect(await pay()).toMatchObject(FINE);
    expect(log.filter((line) => line.startsWith('tools/call -'))).toEqual([]);
    expect(state.opened).toBe(2);
  });
});

it('a server that leaves the end of an opening unanswered holds nobody up for longer than an opening may take', async () => {
  const { url, state, forget } = await forgetful();
  const { pay } = await clientOf(url, 300);
  forget();
  state.isMute = true;
  expect(await pay()).toMatchObject(FINE);
  expect(state.opened).toBe(2);
});

it('what a server itself says to an opening is said to the call', async () => {
  const { url, state, forget } = await forgetful();
  const { pay } = await clientOf(url);
  forget();
  const error = { code: -32_603, message: 'starting' };
  state.refuse = (response, { id }) => json(response, 200, { jsonrpc: '2.0', id, error });
  expect(await pay()).toMatchObject({ error });
  state.refuse = undefined;
  expect(await pay()).toMatchObject(FINE);
});

it('an opening that is refused is not tried for each of those who wait for it', async () => {
  const { url, state, log, forget } = await forgetful();
  const { pay } = await clientOf(url);
  forget();
  state.refuse = async (response) => {
    await setTimeout(200);
    response.writeHead(503).end();
  };
  const first = pay();
  await expect.poll(() => log.join()).toContain('initialize');
  const told = await Promise.all([first, ...Array.from({ length: 20 }, pay)]);
  for (const answer of told) expect(JSON.stringify(answer)).toContain('"kind":"unavailable"');
  expect(log.filter((line) => line.startsWith('initialize')).length).toBeLessThanOrEqual(4);
  state.refuse = undefined;
  expect(await pay()).toMatchObject(FINE);
});

it.each([0, 50])(
  'calls that are under way together are all made, in one new session (%i ms)',
  async (slowMs) => {
    const { url, state, log, forget } = await forgetful();
    const { pay } = await clientOf(url);
    state.slowMs = slowMs;
    for (let loss = 1; loss <= 5; loss++) {
      forget();
      const calls: Promise<unknown>[] = [];
      for (let n = 0; n < 20; n++) {
        calls.push(pay());
        if (n % 4 === 3) await setTimeout(1);
      }
      for (const answer of await Promise.all(calls)) expect(answer).toMatchObject(FINE);
      expect(log.filter((line) => line.startsWith('tools/call -'))).toEqual([]);
      expect(state.opened).toBe(1 + loss);
    }
  },
);

it('a new session is told the level of the log and what is subscribed to', async () => {
  const { url, log, forget } = await forgetful();
  const { ask, pay } = await clientOf(url);
  await ask('logging/setLevel', { level: 'error' });
  await ask('logging/setLevel', { level: 'debug' });
  for (const uri of ['x://a', 'x://b', 'x://c']) await ask('resources/subscribe', { uri });
  await ask('resources/unsubscribe', { uri: 'x://b' });
  forget();
  expect(await pay()).toMatchObject(FINE);
  const told = log.filter((line) => / s2 /.test(line)).map((line) => line.replace(' s2 ', ' '));
  expect(told).toEqual([
    'notifications/initialized ',
    'logging/setLevel debug',
    'resources/subscribe x://a',
    'resources/subscribe x://c',
    'tools/call ',
  ]);
});

it('what is not asked is not a reason to open one', async () => {
  const { url, state, log, forget } = await forgetful();
  const { pay, send } = await clientOf(url);
  forget();
  state.refuse = (response) => response.writeHead(503).end();
  await pay();
  log.length = 0;
  send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
  await setTimeout(50);
  expect(log.filter((line) => line.startsWith('initialize'))).toEqual([]);
});

it('a call that is cancelled while the session is opened again is not made', async () => {
  const { url, state, log, forget } = await forgetful();
  const { pay, send } = await clientOf(url);
  const cancel = (requestId: number): void =>
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  forget();
  state.slowMs = 400;
  send(call('tools/call', { name: 'pay', arguments: {} }, 7));
  await expect.poll(() => log.join()).toContain('initialize');
  send(call('tools/call', { name: 'pay', arguments: {} }, 8));
  cancel(7);
  cancel(8);
  expect(await pay()).toMatchObject(FINE);
  expect(log.filter((line) => line.startsWith('tools/call s2'))).toHaveLength(1);
  expect(log.filter((line) => line.startsWith('notifications/cancelled'))).toEqual([]);
});
