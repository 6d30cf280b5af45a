/** An MCP endpoint beside the other routes of Fastify and Hono, as the page has it. */
import type { AddressInfo } from 'node:net';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  McpServer,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardHandler, nodeHandler } from '../src/http.ts';
import { guard } from '../src/index.ts';

const handler = guardHandler(
  createMcpHandler(() => {
    const server = guard(new McpServer({ name: 'orders', version: '1.0.0' }));
    server.registerTool('count', {}, () => ({ content: [{ type: 'text', text: 'seven' }] }));
    return server;
  }),
);

const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'count' } });
const TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const asked = (body: string, headers: { [name: string]: string } = {}): RequestInit => ({
  method: 'POST',
  headers: { ...TYPES, ...headers },
  body,
});
const said = async (answer: Response): Promise<string> => `${answer.status} ${await answer.text()}`;

describe('Fastify', () => {
  const app = fastify();
  let url: string;

  beforeAll(async () => {
    const handle = nodeHandler(handler);
    app.register(async (mcp) => {
      mcp.removeAllContentTypeParsers();
      mcp.addContentTypeParser('*', (_request, _payload, done) => done(null));
      mcp.all('/mcp', (request, reply) => {
        reply.hijack();
        return handle(request.raw, reply.raw);
      });
    });
    app.post('/other', async (request) => request.body);
    await app.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  });
  afterAll(() => app.close());

  it.each([
    ['a call', asked(CALL), /^200 [\s\S]*"text":"seven"/],
    ['what is no JSON', asked('{bad'), /^400 .*"kind":"parse_error"/],
    ['another type', asked(CALL, { 'content-type': 'text/plain' }), /^415 .*"kind":"unsupported_media"/],
    ['what is too large', asked('x'.repeat(5_000_000)), /^413 .*"kind":"too_large"/],
    ['a page of elsewhere', asked(CALL, { origin: 'https://evil.example' }), /^403 .*"kind":"forbidden"/],
  ])('%s', async (_what, request, answer) => {
    expect(await said(await fetch(`${url}/mcp`, request))).toMatch(answer);
  });

  it('other routes read their bodies as before', async () => {
    expect(await said(await fetch(`${url}/other`, asked('{"a":1}')))).toBe('200 {"a":1}');
  });
});

describe('Hono', () => {
  const HOSTS = ['localhost', 'orders.example'];
  const app = new Hono();
  app.all(
    '/mcp',
    ({ req }) =>
      hostHeaderValidationResponse(req.raw, HOSTS) ??
      originValidationResponse(req.raw, HOSTS) ??
      handler.fetch(req.raw),
  );

  it.each([
    ['a call', asked(CALL, { host: 'localhost' }), /^200 [\s\S]*"text":"seven"/],
    ['what is no JSON', asked('{bad', { host: 'orders.example' }), /^400 .*"kind":"parse_error"/],
    ['a page of elsewhere', asked(CALL, { host: 'localhost', origin: 'https://evil.example' }), /^403 /],
    ['a name of somebody else', asked(CALL, { host: 'evil.example' }), /^403 /],
  ])('%s', async (_what, request, answer) => {
    expect(await said(await app.request('http://localhost/mcp', request))).toMatch(answer);
  });

  it('has no such check by itself', async () => {
    const bare = new Hono().all('/mcp', ({ req }) => handler.fetch(req.raw));
    const request = asked(CALL, { host: 'evil.example', origin: 'https://evil.example' });
    expect(await said(await bare.request('http://localhost/mcp', request))).toMatch(/^200 /);
  });
});
