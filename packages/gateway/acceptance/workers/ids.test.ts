/** A server is asked under no id twice, whoever asks, at whichever endpoint, and whichever worker takes the call. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { post, words } from '../support/http.ts';
import { call } from '../support/messages.ts';

const KEYS = { ann: 'ann-key-0123456789abcdef', bob: 'bob-key-0123456789abcdef' };

/** Finds the connection of an answer by the id of its request alone, as some servers do: the last to ask gets it. */
const open = new Map<unknown, { end(text: string): void }>();
const asked: unknown[] = [];
let server: Server;
let gateway: Gateway;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse((await text(request)) || '{}');
    response.setHeader('content-type', 'application/json');
    const answer = (result: object): string => JSON.stringify({ jsonrpc: '2.0', id, result });
    if (method !== 'tools/call') {
      const tools = [{ name: 'balance', inputSchema: { type: 'object' } }];
      return void response.end(answer({ tools, protocolVersion: '2025-11-25', capabilities: { tools: {} } }));
    }
    asked.push(id);
    open.set(id, response);
    await sleep(100);
    open.get(id)?.end(answer({ content: [{ type: 'text', text: `balance of ${params.arguments.of}` }] }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  gateway = await startGateway({
    workers: 2,
    keys: Object.entries(KEYS).map(([name, key]) => ({ name, key })),
    upstreams: { bank: { url: `http://127.0.0.1:${port}/mcp`, retry: { attempts: 1 } } },
    virtual: { desk: { tools: ['bank/balance'] } },
  });
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  server.closeAllConnections();
  server.close();
});

const PLACES = [
  ['bank/mcp', 'balance'],
  ['mcp', 'bank_balance'],
  ['desk/mcp', 'bank_balance'],
] as const;

it('asks under ids that are used once, so that everybody gets the own answer', async () => {
  const calls = PLACES.flatMap(([path, tool]) =>
    Array.from({ length: 8 }, () =>
      Object.entries(KEYS).map(([of, key]) => ({ path, tool, of, key })),
    ).flat(),
  );
  const answers = await Promise.all(
    calls.map(async ({ path, tool, of, key }) => {
      const { message } = await post(`${gateway.url}/${path}`, call(tool, { of }), { key });
      return words(message).trim();
    }),
  );
  expect(answers).toEqual(calls.map(({ of }) => `balance of ${of}`));
  expect(asked).toHaveLength(48);
  expect(new Set(asked).size).toBe(48);
});
