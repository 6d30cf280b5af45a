/** Endpoints behind mounts that hide where they are, without an HTTP server of Node's that could tell. */
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { guardHandler } from '../src/http.ts';
import { guard } from '../src/index.ts';
import { KEY } from './till.ts';
import { answerOf, httpRequest, textOf } from './wire.ts';

let orders = 0;
const endpoint = (shop: string) =>
  guardHandler(
    createMcpHandler(() => {
      const server = guard(new McpServer({ name: 'hidden', version: '1' }));
      const work = async () => ({
        content: [{ type: 'text' as const, text: `order ${++orders} of ${shop}` }],
      });
      server.registerTool('send', {}, work);
      return server;
    }),
  );

const app = new Hono();
for (const shop of ['letters', 'parcels', 'cards']) {
  const { fetch } = endpoint(shop);
  app.mount(`/${shop}`, (request: Request) => fetch(request));
}

const order = async (
  path: string,
  key: string,
  serve: (request: Request) => Response | Promise<Response>,
) => {
  const request = httpRequest('2026-07-28', 'tools/call', { name: 'send', _meta: { [KEY]: key } });
  return textOf(await answerOf(Promise.resolve(serve(new Request(`http://localhost${path}`, request)))));
};

it('endpoints that are there before the first request do not answer for each other', async () => {
  const paths = ['/letters/mcp', '/parcels/mcp', '/cards/mcp', '/parcels/mcp', '/letters/mcp'];
  const said: string[] = [];
  for (const path of paths) said.push(await order(path, 'order-1', app.fetch));
  expect(said).toEqual([
    'order 1 of letters',
    'order 2 of parcels',
    'order 3 of cards',
    'order 2 of parcels',
    'order 1 of letters',
  ]);
});

it('endpoints that are made anew for each request are one', async () => {
  const anew = (request: Request) => endpoint('letters').fetch(request);
  const first = await order('/mcp', 'order-2', anew);
  expect(first).toMatch(/^order \d of letters$/);
  expect(await order('/mcp', 'order-2', anew)).toBe(first);
});
