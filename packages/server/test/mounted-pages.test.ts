/** The pages behind `type`, mounted as the docs mount them. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import express from 'express';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { pages as expressPages } from '../src/express.ts';
import { pages as honoPages } from '../src/hono.ts';
import { guardHandler, nodeFaultPages, nodeHandler } from '../src/http.ts';
import { guard } from '../src/index.ts';

const PAGE = '/docs/errors/not_found';
const ROW = { code: -32200, name: 'not_found' };

async function got(listener: RequestListener, path: string): Promise<{ status: number; body: unknown }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  const body: unknown = await answer.json();
  server.close();
  return { status: answer.status, body };
}

it('node:http, beside the MCP endpoint', async () => {
  const options = { dialect: 'closient' };
  const make = () => guard(new McpServer({ name: 'orders', version: '1.0.0' }), options);
  const mcp = nodeHandler(guardHandler(createMcpHandler(make), options), options);
  const pages = nodeFaultPages({ dialect: 'closient' });
  const listener: RequestListener = (request, response) =>
    (request.url?.startsWith('/docs/errors/') ? pages : mcp)(request, response);
  expect(await got(listener, PAGE)).toMatchObject({ status: 200, body: ROW });
  expect((await got(listener, '/mcp')).status).toBe(405);
});

it('Express 5', async () => {
  const app = express();
  app.use('/docs/errors', expressPages({ dialect: 'closient' }));
  expect(await got(app, PAGE)).toMatchObject({ status: 200, body: ROW });
});

it('Hono', async () => {
  const app = new Hono();
  app.get('/docs/errors/*', honoPages({ dialect: 'closient' }));
  expect(await (await app.request(PAGE)).json()).toMatchObject(ROW);
});
