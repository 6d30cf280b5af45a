/**
 * One process with every server that a test file calls: `serve.ts <dialect>`. On standard streams is a server of SDK v1,
 * with its SDK's own transport; over HTTP there is one at `/<sdk>/<variant>/mcp`; on a second port a connection that
 * says `<sdk> <variant>` first gets a server behind `guardStdio`. Both ports are on standard error.
 */
import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { createServer as createSocket, type Socket } from 'node:net';
import { digestKey, type GuardOptions, guard, keys, rateLimit, scopes } from '@mayday/server';
import { guardHandler, type NodeHandlerOptions, nodeHandler } from '@mayday/server/http';
import { guardStdio } from '@mayday/server/stdio';
import { guard as guardV1 } from '@mayday/server/v1';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport as StdioServerTransportV1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { registerRest, registerTools } from './tools.ts';
import type { Wire } from './wire.ts';

const dialect = process.argv[2] as NonNullable<GuardOptions['dialect']>;
const digest = digestKey('good-key-of-ada');
const byKey = keys({ lookup: (asked) => (asked === digest ? { principal: 'ada', scopes: [] } : undefined) });

/** Fresh guards for each server: a limit that two share would count for both. */
const VARIANTS: Record<string, () => GuardOptions['guards']> = {
  open: () => [],
  limited: () => [rateLimit({ limit: 1, windowMs: 60_000 })],
  keyed: () => [byKey],
  scoped: () => [scopes({ required: { book: ['orders.write'] } })],
  ordered: () => [byKey, rateLimit({ limit: 2, windowMs: 60_000 }), scopes({ required: { book: ['w'] } })],
};

function optionsOf(variant: string): NodeHandlerOptions {
  return { dialect, deadlineMs: 300, maxBodyBytes: 65_536, guards: VARIANTS[variant]?.() };
}

function buildV2(options: GuardOptions): McpServer {
  const server = guard(new McpServer({ name: 'stage', version: '1.0.0' }), options);
  registerTools(server);
  registerRest(server, 'v2');
  return server;
}

function buildV1(options: GuardOptions): McpServerV1 {
  const server = guardV1(new McpServerV1({ name: 'stage', version: '1.0.0' }), options);
  registerTools(server);
  registerRest(server, 'v1');
  return server;
}

type Listener = ReturnType<typeof nodeHandler>;

function listenerOf(sdk: string, variant: string): Listener {
  const { maxBodyBytes, ...options } = optionsOf(variant);
  const handler =
    sdk === 'v2'
      ? createMcpHandler(() => buildV2(options))
      : { fetch: (asked: Request) => v1(asked, options) };
  return nodeHandler(guardHandler(handler, options), { ...options, maxBodyBytes });
}

async function v1(request: Request, options: GuardOptions): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await buildV1(options).connect(transport as Wire);
  return transport.handleRequest(request);
}

const listeners = new Map<string, Listener>();
const http = createHttp((request, response) => {
  const [, sdk = '', variant = ''] = (request.url ?? '').split('/');
  const name = `${sdk} ${variant}`;
  const listener = listeners.get(name) ?? listenerOf(sdk, variant);
  listeners.set(name, listener);
  void listener(request, response);
});

const lines = createSocket((socket) => void serveLines(socket));

async function serveLines(socket: Socket): Promise<void> {
  socket.on('error', () => undefined);
  const [first] = (await once(socket, 'data')) as [Buffer];
  const end = first.indexOf('\n');
  const [sdk, variant = 'open'] = first.subarray(0, end).toString().split(' ');
  socket.pause();
  const { maxBodyBytes: maxLineBytes, ...options } = optionsOf(variant);
  const server: Wire = sdk === 'v2' ? buildV2(options) : buildV1(options);
  await server.connect(guardStdio({ stdin: socket, stdout: socket, dialect, maxLineBytes }));
  if (end + 1 < first.length) socket.unshift(first.subarray(end + 1));
  socket.resume();
}

const { maxBodyBytes: _unused, ...options } = optionsOf('open');
await buildV1(options).connect(new StdioServerTransportV1());
http.listen(0, '127.0.0.1', () => {
  lines.listen(0, '127.0.0.1', () => {
    const ports = [http, lines].map((server) => (server.address() as { port: number }).port);
    process.stderr.write(`ports ${ports.join(' ')}\n`);
  });
});
