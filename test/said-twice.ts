/** One server that fails, in a sentence or with a fault: guarded by the kit, and behind a gateway. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolveSettings, startGateway } from '@mayday/gateway';
import { guard } from '@mayday/server';
import { InMemoryTransport, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import * as z from 'zod';

/** An answer. */
export interface Message {
  readonly id?: unknown;
  readonly result?: { readonly [key: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** How a sentence is said: thrown or returned by a tool that changes something, thrown by one that reads, and outside of tools. */
export const WAYS = ['throws', 'returns', 'reads', 'resource', 'prompt'] as const;
export type Way = (typeof WAYS)[number];

/** Asks one side for one failure. */
export type Ask = (way: Way, sentence: number) => Promise<Message>;

const closers: (() => unknown)[] = [];

/** Closes everything that was opened. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

/** A sentence, or what makes the fault that an author throws. */
export type Said = string | (() => Error);

/** Which failure is asked for by its number: what is no argument of the caller's cannot be taken for one. */
function saying(failures: readonly Said[], server: McpServer): McpServer {
  const fail = (n: unknown): never => {
    const said = failures[Number(n)] ?? '';
    throw typeof said === 'string' ? new Error(said) : said();
  };
  const inputSchema = z.object({ n: z.number() });
  server.registerTool('throws', { inputSchema }, ({ n }) => fail(n));
  server.registerTool('returns', { inputSchema }, ({ n }) => ({
    isError: true,
    content: [{ type: 'text', text: String(failures[n] ?? '') }],
  }));
  server.registerTool('reads', { inputSchema, annotations: { readOnlyHint: true } }, ({ n }) => fail(n));
  const template = new ResourceTemplate('x://{n}', { list: undefined });
  server.registerResource('resource', template, {}, (_uri, { n }) => fail(n));
  server.registerPrompt('prompt', { argsSchema: z.object({ n: z.string() }) }, ({ n }) => fail(n));
  return server;
}

function request(way: Way, n: number): { readonly method: string; readonly params: object } {
  if (way === 'resource') return { method: 'resources/read', params: { uri: `x://${n}` } };
  if (way === 'prompt') return { method: 'prompts/get', params: { name: way, arguments: { n: `${n}` } } };
  return { method: 'tools/call', params: { name: way, arguments: { n } } };
}

/** Sends a message to a server in this process. */
async function connected(server: McpServer): Promise<(method: string, params: object) => Promise<Message>> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const waiting = new Map<unknown, (message: Message) => void>();
  near.onmessage = (message) => waiting.get((message as Message).id)?.(message as Message);
  await server.connect(far);
  await near.start();
  closers.push(() => near.close());
  let last = 0;
  const ask = (method: string, params: object): Promise<Message> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      void near.send({ jsonrpc: '2.0', id: last, method, params } as never);
    });
  const clientInfo = { name: 'c', version: '1' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  await near.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return ask;
}

/** The server on the kit. */
export async function byKit(failures: readonly Said[], dialect: string): Promise<Ask> {
  const send = await connected(
    saying(failures, guard(new McpServer({ name: 's', version: '1' }), { dialect })),
  );
  return (way, n) => {
    const { method, params } = request(way, n);
    return send(method, params);
  };
}

/** The server behind a gateway, which holds nothing back and tries nothing again: plain, or guarded too. */
export async function byGateway(
  failures: readonly Said[],
  { guarded = false }: { readonly guarded?: boolean } = {},
): Promise<(dialect: string, way: Way, sentence: number) => Promise<Message>> {
  const plain = new McpServer({ name: 's', version: '1' });
  const send = await connected(saying(failures, guarded ? guard(plain) : plain));
  const upstream = createServer(async (incoming, response) => {
    let body = '';
    for await (const piece of incoming) body += String(piece);
    const asked =
      incoming.method === 'POST'
        ? (JSON.parse(body) as { id?: unknown; method: string; params?: object })
        : undefined;
    if (asked?.id === undefined) return void response.writeHead(asked === undefined ? 405 : 202).end();
    const answer = await send(asked.method, asked.params ?? {});
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...answer, id: asked.id }));
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  closers.push(
    () => upstream.close(),
    () => upstream.closeAllConnections(),
  );
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp`;
  const { settings } = resolveSettings({
    listen: { port: 0 },
    upstreams: { said: { url, breaker: false, retry: { attempts: 1 } } },
  });
  const gateway = await startGateway(settings);
  closers.push(() => gateway.close(200));
  const post = async (message: object, headers: object = {}): Promise<Message> => {
    const accept = 'application/json, text/event-stream';
    const response = await fetch(`${gateway.url}/said/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    });
    return (await response.json()) as Message;
  };
  await post({ method: 'tools/list', params: {} });
  return (dialect, way, n) => post(request(way, n), { 'mayday-dialect': dialect });
}
