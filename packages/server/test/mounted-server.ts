/** Two shops of one name behind routers that cut off where they are mounted: `/<kind>/<way>/<shop>/mcp`. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guard } from '@mayday/server';
import { guardHandler, nodeHandler } from '@mayday/server/http';
import { guard as guardV1 } from '@mayday/server/v1';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import express from 'express';
import { Hono } from 'hono';

type Serve = (request: IncomingMessage & { body?: unknown }, response: ServerResponse) => unknown;

function working(shop: string) {
  let orders = 0;
  return async () => ({ content: [{ type: 'text' as const, text: `order ${++orders} of ${shop}` }] });
}

function v2(shop: string) {
  const work = working(shop);
  return createMcpHandler(() => {
    const server = guard(new McpServer({ name: 'mounted', version: '2' }));
    server.registerTool('send', {}, work);
    return server;
  });
}

function v1(shop: string): Serve {
  const work = working(shop);
  return async (request, response) => {
    const server = guardV1(new McpServerV1({ name: 'mounted', version: '1' }));
    server.registerTool('send', {}, work);
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport as never);
    await transport.handleRequest(request, response, request.body);
  };
}

const KINDS: { readonly [kind: string]: (shop: string) => Serve } = {
  sdk: (shop) => toNodeHandler(v2(shop)) as Serve,
  ours: (shop) => nodeHandler(guardHandler(v2(shop))),
  v1,
};

const app = express();
const cut = new Map<string, Serve>();
const hono = new Hono();
for (const shop of ['letters', 'parcels']) {
  for (const [kind, make] of Object.entries(KINDS)) {
    const [routed, whole, byHand] = [make(shop), make(shop), make(shop)];
    const router = express.Router();
    if (kind === 'v1') router.use(express.json());
    router.post('/mcp', (request, response) => void routed(request, response));
    app.use(`/${kind}/router/${shop}`, router);
    app.use(`/${kind}/whole/${shop}/mcp`, (request, response) => void whole(request, response));
    cut.set(`/${kind}/cut/${shop}`, byHand);
  }
  const { fetch } = v2(shop);
  hono.mount(`/hono/mount/${shop}`, (request: Request) => fetch(request));
}
const inHono = nodeHandler({ fetch: async (request) => hono.fetch(request) });

const http = createServer((request, response) => {
  const { url = '' } = request;
  const at = url.replace(/\/mcp.*$/, '');
  const byHand = cut.get(at);
  if (url.startsWith('/hono/')) return void inHono(request, response);
  if (byHand === undefined) return app(request, response);
  request.url = url.slice(at.length);
  byHand(request, response);
});
http.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (http.address() as AddressInfo).port })}\n`);
});
