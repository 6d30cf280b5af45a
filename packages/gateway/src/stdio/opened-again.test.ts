/** A server that has forgotten the session: it is opened again, once for everybody, as often as it takes. */
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { spokenTo } from '../../test/spoken-to.ts';
import { call, cleanUp, json, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

const READ = { name: 'look', arguments: {} };

/** Knows the session that it opened last until it is told to forget it, and opens one as `opening` says. */
async function forgetful() {
  let sessions = 0;
  let known = '';
  const seen: { method: string; session: string | undefined; params: unknown }[] = [];
  const state = { opening: async (_response: ServerResponse, _id: unknown): Promise<boolean> => true };
  const { url } = await upstream(async (asked, response, request) => {
    const { id, method = request.method, params } = JSON.parse(asked === '' ? '{}' : asked);
    const session = request.headers['mcp-session-id'] as string | undefined;
    seen.push({ method, session, params });
    if (method === 'initialize') {
      if (!(await state.opening(response, id))) return;
      known = `s${++sessions}`;
      const serverInfo = { name: 'bank', version: '1' };
      const capabilities = { tools: {}, logging: {}, resources: { subscribe: true } };
      const result = { protocolVersion: '2025-11-25', capabilities, serverInfo };
      return json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': known });
    }
    if (session !== known) {
      const error = { code: -32_001, message: 'Session not found' };
      return json(response, 404, { jsonrpc: '2.0', id: null, error });
    }
    if (id === undefined) return response.writeHead(request.method === 'GET' ? 405 : 202).end();
    json(response, 200, {
      jsonrpc: '2.0',
      id,
      result: method === 'tools/list' ? { tools: [] } : { content: [] },
    });
  });
  const asked = (method: string): typeof seen => seen.filter((one) => one.method === method);
  const forget = (): void => {
    known = '';
  };
  return { url, asked, state, forget };
}

const refusing = async (response: ServerResponse): Promise<boolean> => {
  response.writeHead(503).end();
  return false;
};

/** How, and a word of what is told. */
const refusals: readonly [string, (response: ServerResponse, id: unknown) => Promise<boolean>, string][] = [
  ['503', refusing, 'unavailable'],
  [
    'a page',
    async (response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html><body>Bad gateway</body></html>');
      return false;
    },
    'upstream_failed',
  ],
  [
    'an error under 200',
    async (response, id) => {
      json(response, 200, { jsonrpc: '2.0', id, error: { code: -32_603, message: 'starting' } });
      return false;
    },
    'starting',
  ],
  [
    'a broken connection',
    async (response) => {
      response.destroy();
      return false;
    },
    'disconnected',
  ],
];

describe('a session that cannot be opened at once', () => {
  it.each(refusals)(
    'is told for what it is, and tried again with the next call: %s',
    async (_, opening, word) => {
      const server = await forgetful();
      const bank = { url: server.url, breaker: false as const, retry: { attempts: 2 } };
      const { ask } = await spokenTo({ bank });
      server.forget();
      const opens = server.state.opening;
      server.state.opening = opening;
      const told = JSON.stringify(await ask(call('tools/call', READ, 5)));
      expect(told).toContain(word);
      expect(told).not.toContain('Session not found');
      server.state.opening = opens;
      expect(await ask(call('tools/call', READ, 6))).toMatchObject({ id: 6, result: { content: [] } });
      expect(await ask(call('tools/call', READ, 7))).toMatchObject({ id: 7, result: { content: [] } });
      expect(server.asked('tools/call').every(({ session }) => session !== undefined)).toBe(true);
    },
  );
});

it('is opened once for all calls that are under way', async () => {
  const server = await forgetful();
  const { ask } = await spokenTo({ bank: { url: server.url } });
  for (let round = 1; round <= 5; round++) {
    server.forget();
    const ids = Array.from({ length: 20 }, (_, i) => round * 100 + i);
    const answers = await Promise.all(
      ids.map(async (id) => {
        await setTimeout(id % 8);
        return await ask(call('tools/call', READ, id));
      }),
    );
    expect(answers).toEqual(ids.map((id) => ({ jsonrpc: '2.0', id, result: { content: [] } })));
    expect(server.asked('initialize')).toHaveLength(round + 1);
  }
  expect(server.asked('tools/call').filter(({ session }) => session === undefined)).toEqual([]);
  expect(server.asked('DELETE')).toEqual([]);
});

it('tells a new session the level of the log, and what the client hears about', async () => {
  const server = await forgetful();
  const { ask } = await spokenTo({ bank: { url: server.url } });
  await ask(call('logging/setLevel', { level: 'warning' }, 5));
  await ask(call('resources/subscribe', { uri: 'order://1' }, 6));
  await ask(call('resources/subscribe', { uri: 'order://2' }, 7));
  await ask(call('resources/unsubscribe', { uri: 'order://1' }, 8));
  server.forget();
  await ask(call('tools/call', READ, 9));
  await expect.poll(() => server.asked('resources/subscribe')).toHaveLength(3);
  expect(server.asked('logging/setLevel')).toMatchObject([
    { session: 's1', params: { level: 'warning' } },
    { session: 's2', params: { level: 'warning' } },
  ]);
  expect(server.asked('resources/subscribe').at(-1)).toMatchObject({
    session: 's2',
    params: { uri: 'order://2' },
  });
});

it('makes no call that was cancelled while the session was opened, and goes on with the others', async () => {
  const server = await forgetful();
  const { ask, say, heard } = await spokenTo({ bank: { url: server.url } });
  await ask(call('tools/list', {}, 4));
  server.forget();
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  server.state.opening = async () => {
    await held;
    return true;
  };
  const before = server.asked('initialize').length;
  say(call('tools/call', { name: 'pay', arguments: {} }, 5));
  await expect.poll(() => server.asked('initialize').length).toBe(before + 1);
  say(call('tools/call', { name: 'refund', arguments: {} }, 6)); // waits at the door
  const kept = ask(call('tools/call', READ, 7));
  for (const requestId of [5, 6]) {
    say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  }
  await setTimeout(50);
  goOn();
  expect(await kept).toMatchObject({ id: 7, result: { content: [] } });
  await setTimeout(100);
  const names = server
    .asked('tools/call')
    .map(({ session, params }) => [session, (params as { name: string }).name]);
  expect(names).toEqual([
    ['s1', 'pay'],
    ['s2', 'look'],
  ]);
  expect(heard().filter(({ id }) => id === 5 || id === 6)).toEqual([]);
});
