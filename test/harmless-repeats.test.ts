/**
 * What a tool declares of a second call means the same whoever stands in between: the client alone, a guard, a gateway, or
 * both. A key that the client makes by itself costs nobody a retry that is harmless.
 */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpTransport, type ResilientClient, resilient } from '@mayday/client';
import { httpTransport as httpTransport1, resilient as resilient1 } from '@mayday/client/v1';
import { resolveSettings, startGateway } from '@mayday/gateway';
import { guard } from '@mayday/server';
import { guardHandler, nodeHandler } from '@mayday/server/http';
import { Client } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

type Upstream = NonNullable<Parameters<typeof resolveSettings>[0]['upstreams']>[string];
type Tested = Pick<ResilientClient, 'connect' | 'listTools' | 'call' | 'close'>;
type Hints = { readonly [hint: string]: boolean };

const TOOLS: { readonly [name: string]: Hints } = {
  set: { idempotentHint: true },
  look: { readOnlyHint: true },
  erase: { idempotentHint: true, destructiveHint: true },
  pay: {},
};

/** How often each tool was run, by what it was asked for. */
const ran = new Map<string, number>();
const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });

/** Each tool fails twice in a way that passes, and then works. */
function made(wrap: <S extends McpServer>(server: S) => S = (server) => server): McpServer {
  const server = wrap(new McpServer({ name: 'shop', version: '1.0.0' }));
  for (const [name, annotations] of Object.entries(TOOLS))
    for (const way of ['throws', 'returns'])
      server.registerTool(`${name}-${way}`, { annotations }, () => {
        const count = (ran.get(`${name}-${way}`) ?? 0) + 1;
        ran.set(`${name}-${way}`, count);
        if (count > 2) return text('done');
        if (way === 'throws') throw new Error('fetch failed');
        return { isError: true, ...text('fetch failed') };
      });
  return server;
}

const closers: (() => unknown)[] = [];
const urls: { [where: string]: string } = {};

async function served(handler: RequestListener): Promise<string> {
  const http = createServer(handler);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  closers.push(() => http.close());
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

async function started(shop: Upstream): Promise<string> {
  const { settings } = resolveSettings({ listen: { port: 0 }, upstreams: { shop } });
  const gateway = await startGateway(settings);
  closers.push(() => gateway.close(200));
  return `${gateway.url}/shop/mcp`;
}

/** An API that fails twice, whatever it is asked for, and then works; behind a gateway. */
async function api(): Promise<string> {
  const operation = (operationId: string) => ({ operationId, responses: { 200: { description: 'done' } } });
  const paths = { '/thing': { get: operation('read'), post: operation('write') } };
  const document = { openapi: '3.1.0', info: { title: 'Things', version: '1.0.0' }, paths };
  const http = createServer((request, response) => {
    if (request.url !== '/thing') return void response.end(JSON.stringify(document));
    const name = request.method === 'GET' ? 'read' : 'write';
    const count = (ran.get(name) ?? 0) + 1;
    ran.set(name, count);
    response.writeHead(count > 2 ? 200 : 502, { 'content-type': 'application/json' });
    response.end(count > 2 ? '{}' : '{"error":"upstream failed"}');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  closers.push(() => http.close());
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const shop = { openapi: `${origin}/openapi.json`, base_url: origin, breaker: false };
  return started(shop);
}

beforeAll(async () => {
  urls['a plain server'] = await served(toNodeHandler(createMcpHandler(() => made())) as RequestListener);
  urls['a guarded server'] = await served(nodeHandler(guardHandler(createMcpHandler(() => made(guard)))));
  urls['a gateway before a plain server'] = await started({ url: urls['a plain server'], breaker: false });
  urls['an API'] = await api();
  urls['a gateway before a guarded server'] = await started({
    url: urls['a guarded server'],
    breaker: false,
  });
});
afterEach(() => ran.clear());
afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const me = { name: 'agent', version: '1.0.0' };
const options = { baseMs: 1, upstream: { breaker: false } } as const;
const CLIENTS: readonly (readonly [string, (url: string) => Tested])[] = [
  ['v2', (url) => resilient(new Client(me), { ...options, transport: () => httpTransport(url) })],
  [
    'v1',
    (url) =>
      resilient1(new Client1(me), { ...options, transport: () => httpTransport1(url) }) as unknown as Tested,
  ],
];

const PLACES = [
  'a plain server',
  'a guarded server',
  'a gateway before a plain server',
  'a gateway before a guarded server',
];

describe.each(CLIENTS)('a client of SDK %s', (sdk, connect) => {
  async function called(where: string, tool: string, more: object = {}) {
    const client = connect(urls[where] as string);
    await client.connect();
    await client.listTools();
    const outcome = await client.call({ name: tool }, more);
    await client.close();
    return outcome;
  }

  it.each(PLACES)('repeats what does no harm on %s, however it failed', async (where) => {
    for (const tool of ['set-throws', 'set-returns', 'look-throws', 'look-returns']) {
      expect(await called(where, tool), tool).toMatchObject({ ok: true });
      expect(ran.get(tool), tool).toBe(3);
    }
  });

  it.each(PLACES.slice(1))('repeats it under a key of its caller too on %s', async (where) => {
    for (const tool of ['set-throws', 'set-returns', 'look-throws', 'look-returns']) {
      const idempotencyKey = `${where} ${tool} ${sdk}`;
      expect(await called(where, tool, { idempotencyKey }), tool).toMatchObject({ ok: true });

      expect(await called(where, tool, { idempotencyKey }), tool).toMatchObject({ ok: true });
      expect(ran.get(tool), tool).toBe(3);
    }
  });

  it.each(PLACES)('repeats nothing that may do harm on %s', async (where) => {
    for (const tool of ['erase-throws', 'erase-returns', 'pay-throws', 'pay-returns']) {
      expect(await called(where, tool), tool).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
      expect(ran.get(tool), tool).toBe(1);
    }
  });

  it.each([
    ['no key', {}],
    ['a key', { idempotencyKey: `thing ${sdk}` }],
  ])('repeats what reads an API, and nothing that writes there, with %s', async (_, more) => {
    expect(await called('an API', 'read', more)).toMatchObject({ ok: true });
    expect(await called('an API', 'write', more)).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
    expect(Object.fromEntries(ran)).toEqual({ read: 3, write: 1 });
  });
});
