/** A stream of 2024-11-05 that breaks is the end of its session: what is opened in its place may be another server's. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client as ClientV2, SSEClientTransport as SseV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { describe, expect, it } from 'vitest';
import * as v2 from '../src/index.ts';
import * as v1 from '../src/v1.ts';

const INFO = { name: 'agent', version: '1.0.0' };
const READS = { annotations: { readOnlyHint: true } };
const OPENED = {
  protocolVersion: '2024-11-05',
  capabilities: { tools: {} },
  serverInfo: { name: 'old', version: '1' },
};

/** A server whose stream ends under the first call, and that has other tools from then on. Nobody is answered who has not said hello. */
async function restarting(before: object, after: object) {
  const streams = new Map<string, { readonly stream: ServerResponse; said: boolean }>();
  const asked: string[] = [];
  let opened = 0;
  let isOther = false;
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      const session = `s${++opened}`;
      streams.set(session, { stream: response, said: false });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`retry: 50\nevent: endpoint\ndata: /messages?sessionId=${session}\n\n`);
      return;
    }
    let text = '';
    for await (const chunk of request) text += String(chunk);
    response.writeHead(202).end();
    const session = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('sessionId') ?? '';
    const of = streams.get(session);
    const { id, method } = JSON.parse(text) as { id?: number; method: string };
    if (of === undefined || id === undefined) return;
    const say = (message: object): void => {
      of.stream.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n\n`);
    };
    if (method === 'initialize') {
      of.said = true;
      return say({ result: OPENED });
    }
    if (!of.said) return say({ error: { code: -32602, message: 'Invalid request parameters' } });
    asked.push(`${method} ${session}`);
    if (method === 'tools/list')
      return say({
        result: { tools: [{ name: 'read', inputSchema: { type: 'object' }, ...(isOther ? after : before) }] },
      });
    if (isOther) return say({ result: { content: [{ type: 'text', text: 'there' }] } });
    isOther = true;
    of.stream.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`),
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Client = Pick<v2.ResilientClient, 'connect' | 'call' | 'close'> & { listTools(): Promise<unknown> };
type Way = readonly [string, (url: URL) => { readonly client: Client; readonly given?: unknown }];

const MADE: readonly Way[] = [
  [
    'v1',
    (url) => ({
      client: v1.resilient(new ClientV1(INFO), { transport: () => new SseV1(url) }) as unknown as Client,
    }),
  ],
  [
    'v2',
    (url) => ({
      client: v2.resilient(new ClientV2(INFO), { transport: () => new SseV2(url) }) as unknown as Client,
    }),
  ],
];
const GIVEN: readonly Way[] = [
  ['v1', (url) => ({ client: v1.resilient(new ClientV1(INFO)) as unknown as Client, given: new SseV1(url) })],
  ['v2', (url) => ({ client: v2.resilient(new ClientV2(INFO)) as unknown as Client, given: new SseV2(url) })],
];

async function connected([, make]: Way, url: URL): Promise<Client> {
  const { client, given } = make(url);
  await (client.connect as (transport?: unknown) => Promise<void>)(given);
  await client.listTools();
  return client;
}

describe.each(MADE)('%s', (...way) => {
  it('a read is made again in a session of its own', async () => {
    await using server = await restarting(READS, READS);
    const client = await connected(way, server.url);
    const outcome = await client.call({ name: 'read', arguments: {} }, { deadlineMs: 5000 });
    expect(outcome).toMatchObject({ ok: true, attempts: 2 });
    expect(server.asked).toEqual(['tools/list s1', 'tools/call s1', 'tools/list s2', 'tools/call s2']);
    await client.close();
  });

  it('what the next server does not call a read is made once', async () => {
    await using server = await restarting(READS, {});
    const client = await connected(way, server.url);
    const outcome = await client.call({ name: 'read', arguments: {} }, { deadlineMs: 5000 });
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'disconnected', executed: 'maybe' } });
    expect(server.asked.filter((said) => said.startsWith('tools/call'))).toEqual(['tools/call s1']);
    await client.close();
  });
});

it.each(GIVEN)(
  '%s: a transport that was given says hello again on the stream that follows',
  async (...way) => {
    await using server = await restarting({}, {});
    const client = await connected(way, server.url);
    const lost = await client.call({ name: 'read', arguments: {} }, { deadlineMs: 1000 });
    expect(lost).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
    expect(await client.call({ name: 'read', arguments: {} }, { deadlineMs: 5000 })).toMatchObject({
      ok: true,
    });
    expect(server.asked.at(-1)).toBe('tools/call s2');
    await client.close();
  },
);
