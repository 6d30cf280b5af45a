/** An upstream that restarts forgets the sessions that the gateway holds with it: nobody in front of it notices. */
import { fileURLToPath } from 'node:url';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { afterEach, expect, it } from 'vitest';
import { type SessionServer, serveSessions } from '../../test/sdk-server.ts';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  json,
  open,
  type Posted,
  post,
  STDIO_SERVER,
  upstream as scripted,
  takeEvents,
  until,
} from '../../test/tools.ts';
import type { Gateway } from '../index.ts';

afterEach(cleanUp);

let added = 0;
function adder(): McpServer {
  const server = new McpServer({ name: 'adder', version: '1' });
  server.registerTool('add', {}, async () => {
    added += 1;
    return { content: [{ type: 'text', text: 'three' }] };
  });
  return server;
}

interface House {
  readonly upstream: SessionServer;
  readonly gateway: Gateway;
  readonly url: string;
  readonly session: { readonly [name: string]: string };
  add(as: { readonly [name: string]: string }): Promise<Posted>;
}

async function house(unknown: 400 | 404 = 404): Promise<House> {
  added = 0;
  const upstream = await serveSessions(adder, unknown);
  const gateway = await open({ upstreams: { a: { url: upstream.url }, other: STDIO_SERVER } });
  const url = `${gateway.url}/mcp`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const add: House['add'] = (as) => post(url, callTool('a_add'), as);
  return { upstream, gateway, url, session, add };
}

it.each([400, 404] as const)('is opened again after a restart (%i)', async (unknown) => {
  const { upstream, url, session, add } = await house(unknown);
  expect((await add(session)).text).toContain('three');
  expect((await add({})).text).toContain('three');
  await upstream.stop();
  await upstream.start();
  for (const as of [session, {}]) {
    expect((await add(as)).text).toContain('three');
    const { message } = await post(url, call('tools/list'), as);
    expect(message.result?._meta).toBeUndefined();
  }
  expect(added).toBe(4);
});

it('is opened once for many, and every call is made once', async () => {
  const { upstream, add } = await house();
  await add({});
  await upstream.stop();
  await upstream.start();
  const answers = await Promise.all(Array.from({ length: 20 }, () => add({})));
  for (const { text } of answers) expect(text).toContain('three');
  expect([added, upstream.opened()]).toEqual([21, 1]);
});

it('shows its trouble while it lasts', async () => {
  const { upstream, gateway, session, add } = await house();
  const trouble = async (): Promise<unknown> => {
    const status = (await (await fetch(`${gateway.url}/-/status`)).json()) as {
      upstreams: { trouble?: { kind: string } }[];
    };
    return status.upstreams[0]?.trouble?.kind;
  };
  await add(session);
  await upstream.stop();
  expect(faultIn(await add(session))).toMatchObject({ kind: 'unavailable' });
  expect(await trouble()).toBe('unavailable');
  await upstream.start();
  await until(async () => (await add(session)).text.includes('three'));
  expect(await trouble()).toBeUndefined();
});

it('tells a client that only listens what came after', async () => {
  const { upstream, url, session } = await house();
  const standing = await fetch(url, { headers: { ...session, accept: 'text/event-stream' } });
  await until(() => upstream.streams() === 1);
  await upstream.stop();
  await upstream.start();
  const events = await takeEvents(standing, 1);
  expect(events[0]).toContain('list_changed');
  expect(upstream.opened()).toBe(1);
});

it('is told again what lasts: the level of the log, and what is subscribed to', async () => {
  const heard: string[] = [];
  let known = 'first';
  const { url: server } = await scripted((body, response, { headers, method: verb }) => {
    const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
    const isKnown = method === 'initialize' || headers['mcp-session-id'] === known;
    if (verb !== 'POST') response.writeHead(405).end();
    else if (!isKnown)
      json(response, 404, { jsonrpc: '2.0', id, error: { code: -32001, message: 'Session not found' } });
    else {
      heard.push(`${known} ${method}`);
      const capabilities = { resources: { subscribe: true }, logging: {} };
      const opening = {
        protocolVersion: '2025-11-25',
        capabilities,
        serverInfo: { name: 's', version: '1' },
      };
      const result = method === 'initialize' ? opening : method === 'tools/call' ? { content: [] } : {};
      if (id === undefined) response.writeHead(202).end();
      else json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': known });
    }
  });
  const gateway = await open({ upstreams: { a: { url: server } } });
  const url = `${gateway.url}/mcp`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, call('logging/setLevel', { level: 'debug' }), session);
  for (const uri of ['a://1', 'a://2']) await post(url, call('resources/subscribe', { uri }), session);
  await post(url, call('resources/unsubscribe', { uri: 'a://1' }), session);
  known = 'second';
  expect((await post(url, callTool('a_add'), session)).message.result).toEqual({ content: [] });
  await until(() => heard.filter((line) => line.startsWith('second')).length >= 5);
  expect(heard.filter((line) => line.startsWith('second')).sort()).toEqual([
    'second initialize',
    'second logging/setLevel',
    'second notifications/initialized',
    'second resources/subscribe',
    'second tools/call',
  ]);
});

it('asks a caller who never had a session for nothing but another attempt', async () => {
  let known = 1;
  const { url: server } = await scripted((body, response, { headers, method: verb }) => {
    const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
    const isKnown = method === 'initialize' || headers['mcp-session-id'] === `s${known}`;
    if (verb !== 'POST') response.writeHead(405).end();
    else if (id === undefined) response.writeHead(202).end();
    else if (!isKnown) response.writeHead(404).end('Session not found');
    else
      json(response, 200, { jsonrpc: '2.0', id, result: { content: [] } }, { 'mcp-session-id': `s${known}` });
  });
  const retry = { attempts: 1 };
  const gateway = await open({ upstreams: { a: { url: server, retry, breaker: { failures: 2 } } } });
  const url = `${gateway.url}/mcp`;
  const { headers } = await post(url, INITIALIZE);
  for (const as of [{ 'mcp-session-id': headers.get('mcp-session-id') ?? '' }, {}]) {
    expect((await post(url, callTool('a_add'), as)).message.result).toEqual({ content: [] });
    for (let round = 0; round < 3; round += 1) {
      known += 1;
      const told = await post(url, callTool('a_add'), as);
      expect([told.status, faultIn(told)]).toEqual([
        200,
        expect.objectContaining({
          kind: 'unavailable',
          origin: 'gateway',
          executed: 'no',
          retryable: true,
          subject: { type: 'upstream', id: 'a' },
        }),
      ]);
      expect(told.text).not.toContain('expired');
      expect((await post(url, callTool('a_add'), as)).message.result).toEqual({ content: [] });
    }
  }
});

/** A server of the official SDK that ends when it is told to. */
const MORTAL = `
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
const server = new McpServer({ name: 'mortal', version: '1' });
server.registerTool('die', {}, () => process.exit(3));
server.registerTool('live', {}, () => ({ content: [{ type: 'text', text: 'alive' }] }));
await server.connect(new StdioServerTransport());
`;

it('is the same with a process that ended', async () => {
  const args = ['--input-type=module', '-e', MORTAL];
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const upstreams = { mortal: { command: process.execPath, args, cwd }, other: STDIO_SERVER };
  const gateway = await open({ upstreams });
  const url = `${gateway.url}/mcp`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  for (const as of [session, {}]) {
    expect((await post(url, callTool('mortal_live'), as)).text).toContain('alive');
    expect(faultIn(await post(url, callTool('mortal_die'), as))).toMatchObject({ kind: 'disconnected' });
    expect((await post(url, callTool('mortal_live'), as)).text).toContain('alive');
  }
});
