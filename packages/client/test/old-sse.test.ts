/** The transport of 2024-11-05: requests by POST, answers on a stream that stays open. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMCPClient } from '@ai-sdk/mcp';
import { Client as ClientV2, SSEClientTransport as SseV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import type { ToolSet } from 'ai';
import { expect, it } from 'vitest';
import { resilientTools } from '../src/agents/ai-sdk.ts';
import * as v2 from '../src/index.ts';
import * as v1 from '../src/v1.ts';

/** Answers the POST of each tool call with this status. */
async function oldServer(status: number, headers: object = {}, told?: object) {
  const streams = new Map<string, ServerResponse>();
  let calls = 0;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method === 'GET') {
      const id = String(streams.size);
      streams.set(id, response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: /messages?session=${id}\n\n`);
      return;
    }
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { id, method } = JSON.parse(text) as { id?: number; method: string };
    const say = (message: object): void =>
      void streams
        .get(url.searchParams.get('session') ?? '')
        ?.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    if (method === 'tools/call') {
      calls += 1;
      if (told !== undefined) say(told);
      await sleep(told === undefined ? 0 : 150);
      response.writeHead(status, { ...headers }).end();
      return;
    }
    response.writeHead(202).end();
    const tools = [{ name: 'pay', inputSchema: { type: 'object' } }];
    const serverInfo = { name: 'old', version: '1.0.0' };
    const result =
      method === 'initialize'
        ? { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo }
        : { tools };
    if (id !== undefined) say({ jsonrpc: '2.0', id, result });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`),
    calls: () => calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const INFO = { name: 'agent', version: '1.0.0' };
const QUICK = { attempts: 3, throttledBaseMs: 1, upstream: { random: () => 0 } };

const CLIENTS: readonly [string, (url: URL) => Pick<v2.ResilientClient, 'connect' | 'call' | 'close'>][] = [
  [
    'v1',
    (url) =>
      v1.resilient(new ClientV1(INFO), {
        ...QUICK,
        transport: () => new SseV1(url, { fetch: v1.mendFetch() }),
      }) as never,
  ],
  [
    'v2',
    (url) =>
      v2.resilient(new ClientV2(INFO), {
        ...QUICK,
        transport: () => new SseV2(url, { fetch: v2.mendFetch() }),
      }),
  ],
];

it.each(
  CLIENTS.flatMap(([name, make]) =>
    [
      [503, {}, 'unavailable', 'maybe', 1] as const,
      [404, { location: '/orders/7' }, 'not_found', 'maybe', 1] as const,
      [429, { 'retry-after': '0' }, 'rate_limited', 'no', 3] as const,
      [429, { 'retry-after': '0', location: '/orders/7' }, 'rate_limited', 'maybe', 1] as const,
    ].map((expected) => [name, expected, make] as const),
  ),
)('tells of a POST that failed: %s %o', async (_, [status, headers, kind, executed, calls], make) => {
  await using server = await oldServer(status, headers);
  const client = make(server.url);
  await client.connect();
  const outcome = await client.call({ name: 'pay', arguments: {} }, { deadlineMs: 5000 });
  expect(outcome).toMatchObject({ ok: false, fault: { kind, executed } });
  expect(server.calls()).toBe(calls);
  await client.close();
});

const TOLD = [
  [{ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'paid' } }, 'maybe', 1],
  [{ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'order://7' } }, 'maybe', 1],
  [{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }, 'no', 3],
] as const;

it.each(CLIENTS.flatMap(([name, make]) => TOLD.map((told) => [name, told, make] as const)))(
  'does not believe a refusal after something was told on the stream: %s %o',
  async (_, [told, executed, calls], make) => {
    await using server = await oldServer(429, { 'retry-after': '0' }, told);
    const client = make(server.url);
    await client.connect();
    const outcome = await client.call({ name: 'pay', arguments: {} }, { deadlineMs: 5000 });
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'rate_limited', executed } });
    expect(server.calls()).toBe(calls);
    await client.close();
  },
);

it('tells of it in the Vercel AI SDK too', async () => {
  await using server = await oldServer(503);
  const mcp = await createMCPClient({
    transport: { type: 'sse', url: server.url.href, fetch: v2.mendFetch() as typeof fetch },
  });
  const tools = resilientTools((await mcp.tools()) as ToolSet, { deadlineMs: 5000 });
  const paying = tools['pay']?.execute?.({}, { toolCallId: '1', messages: [], context: {} } as never);
  await expect(paying).rejects.toMatchObject({ fault: { kind: 'unavailable', executed: 'maybe' } });
  expect(server.calls()).toBe(1);
  await mcp.close();
});
