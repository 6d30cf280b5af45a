/** What is said of a call whose key cannot be looked up, over HTTP, where another process on the same store may have made it. */
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { createMemoryIdempotency, guard } from '../src/index.ts';
import { KEY } from './till.ts';
import { answerOf, faultIn, httpRequest } from './wire.ts';

const store = { claim: () => Promise.reject(new Error('down')), finish() {}, free() {} };

async function faultOf(name: 'pay' | 'list', meta: object = {}) {
  const { fetch } = createMcpHandler(() => {
    const server = guard(new McpServer({ name: 'shop', version: '1' }), { idempotency: { store } });
    server.registerTool('pay', {}, async () => ({ content: [] }));
    server.registerTool('list', { annotations: { readOnlyHint: true } }, async () => ({ content: [] }));
    return server;
  });
  const params = { name, arguments: {}, _meta: { [KEY]: 'k', ...meta } };
  const answer = await answerOf(fetch(httpRequest('2026-07-28', 'tools/call', params)));
  return faultIn(answer?.message);
}

it('may have been made, and a change is not to be repeated unseen', async () => {
  expect(await faultOf('pay')).toMatchObject({
    kind: 'unavailable',
    executed: 'maybe',
    advice: expect.stringContaining('It may have happened; check before you repeat a change.'),
  });
});

it('was not, by the word of whoever made the key', async () => {
  const counted = { 'dev.mayday/attempt': 1, 'dev.mayday/executed': 'no' };
  expect(await faultOf('pay', counted)).toMatchObject({ kind: 'unavailable', executed: 'no' });
  expect(await faultOf('pay', { ...counted, 'dev.mayday/executed': 'maybe' })).toMatchObject({
    kind: 'unavailable',
    executed: 'maybe',
  });
});

it('may have been made before both sides were started anew: a count begins with 1 again', async () => {
  expect(await faultOf('pay', { 'dev.mayday/attempt': 1 })).toMatchObject({ executed: 'maybe' });
});

it('is made by the next attempt, as it would have been by the one that met a store that is down', async () => {
  const kept = createMemoryIdempotency();
  let isDown = true;
  const paid: unknown[] = [];
  const store: typeof kept = {
    async claim(asked) {
      if (isDown) throw new Error('down');
      return kept.claim(asked);
    },
    finish: (done) => kept.finish(done),
    free: (key, token) => kept.free(key, token),
  };
  const { fetch } = createMcpHandler(() => {
    const server = guard(new McpServer({ name: 'shop', version: '1' }), { idempotency: { store } });
    server.registerTool('pay', {}, async () => {
      paid.push(1);
      return { content: [] };
    });
    return server;
  });
  const ask = (meta: object) => {
    const params = { name: 'pay', arguments: {}, _meta: { [KEY]: 'k', 'dev.mayday/call': 'c', ...meta } };
    const headers = { authorization: 'Bearer abcdefghijklmnopqrstuvwxyz0123456789' };
    return answerOf(fetch(httpRequest('2026-07-28', 'tools/call', params, headers)));
  };
  await ask({ 'dev.mayday/attempt': 1 });
  expect(paid).toHaveLength(0);
  isDown = false;
  await ask({ 'dev.mayday/attempt': 2, 'dev.mayday/executed': 'maybe' });
  expect(paid).toHaveLength(1);
});

it('has changed nothing where the tool only reads', async () => {
  expect(await faultOf('list')).toMatchObject({ kind: 'unavailable', executed: 'no' });
});
