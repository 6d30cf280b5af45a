/** Who has told of its work had begun, wherever it has told of it and whatever it refuses with. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { cleanUp, json, later, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const LOG = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'booked' } };
const CHANGE = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'order://7' } };
const QUESTION = { jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: { message: 'Sure?' } };
const NOTHING = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
const TOLD = [
  ['a log', LOG, 'maybe', 1],
  ['a change', CHANGE, 'maybe', 1],
  ['a question', QUESTION, 'maybe', 1],
  ['nothing about work', NOTHING, 'no', 3],
] as const;

const PAID = { content: [{ type: 'text', text: 'paid' }] };
const NO_RECEIPT = { code: -32000, message: 'paid, no receipt' };
/** Answers that come where no answer belongs, by the id of the call. */
const ANSWERED = [
  ['its result', (id: number) => ({ jsonrpc: '2.0', id, result: PAID }), 'maybe', 1],
  ['its error', (id: number) => ({ jsonrpc: '2.0', id, error: NO_RECEIPT }), 'maybe', 1],
  [
    'its result, under its id as text',
    (id: number) => ({ jsonrpc: '2.0', id: `${id}`, result: PAID }),
    'maybe',
    1,
  ],
  ['an error under no id', () => ({ jsonrpc: '2.0', id: null, error: NO_RECEIPT }), 'maybe', 1],
  ['a result under no id', () => ({ jsonrpc: '2.0', id: null, result: PAID }), 'maybe', 1],
  ['the result of another', (id: number) => ({ jsonrpc: '2.0', id: id + 9000, result: PAID }), 'no', 3],
] as const;

const RESULT = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's' } };
const OPENING = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'c', version: '1' },
  },
};
const retry = { attempts: 3 };

function pay(name: string): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
}

/** Opens a session with a stream that stands, and pays in it. */
async function payIn(
  url: string,
  name: string,
  resumed: { 'last-event-id'?: string } = {},
): Promise<unknown> {
  const opened = await post(url, OPENING);
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const abort = new AbortController();
  later(() => abort.abort());
  const headers = { accept: 'text/event-stream', ...session, ...resumed };
  void fetch(url, { headers, signal: abort.signal }).catch(() => undefined);
  await sleep(300);
  const { message } = await post(url, pay(name), session);
  return message.result?._meta?.['dev.mayday/fault']?.['executed'] ?? message.error?.data?.['executed'];
}

/** A server over streamable HTTP that tells on its standing stream what it does, and says that it does not. */
async function telling(said: object | ((id: number) => object)) {
  let stream: ServerResponse | undefined;
  let paid = 0;
  const server = await upstream((body, response, request) => {
    if (request.method === 'GET') {
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      return;
    }
    if (request.method !== 'POST') return void response.writeHead(204).end();
    const { id, method } = JSON.parse(body);
    if (method === 'initialize')
      json(response, 200, { jsonrpc: '2.0', id, result: RESULT }, { 'mcp-session-id': 'own' });
    else if (id === undefined || method === undefined) response.writeHead(202).end();
    else if (method !== 'tools/call') json(response, 200, { jsonrpc: '2.0', id, result: { tools: [] } });
    else {
      paid += 1;
      stream?.write(`data: ${JSON.stringify(typeof said === 'function' ? said(id) : said)}\n\n`);
      setTimeout(() => response.writeHead(429, { 'retry-after': '0' }).end(), 200);
    }
  });
  return { url: server.url, paid: () => paid };
}

/** The same over the transport of 2024-11-05. */
async function tellingOld(said: object) {
  let paid = 0;
  const streams = new Map<string, ServerResponse>();
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'GET') {
      const name = String(streams.size + 1);
      streams.set(name, response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: /messages?s=${name}\n\n`);
      return;
    }
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const { id, method } = JSON.parse(body);
      const stream = streams.get(searchParams.get('s') ?? '');
      const say = (message: object): void => void stream?.write(`data: ${JSON.stringify(message)}\n\n`);
      if (method !== 'tools/call') {
        response.writeHead(202).end();
        const result = method === 'initialize' ? RESULT : { tools: [] };
        if (id !== undefined && method !== undefined) say({ jsonrpc: '2.0', id, result });
        return;
      }
      paid += 1;
      say(said);
      setTimeout(() => response.writeHead(429, { 'retry-after': '0' }).end(), 200);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`, paid: () => paid };
}

it.each([...TOLD, ...ANSWERED])(
  'on the standing stream of a session: %s',
  async (_, said, executed, times) => {
    const server = await telling(said);
    const gateway = await open({ upstreams: { u: { url: server.url, transport: 'http', retry } } });
    expect(await payIn(`${gateway.url}/u/mcp`, 'pay')).toBe(executed);
    expect(server.paid()).toBe(times);
  },
);

it.each(ANSWERED)('on a stream of a session that is taken up again: %s', async (_, said, executed, times) => {
  const server = await telling(said);
  const gateway = await open({ upstreams: { u: { url: server.url, transport: 'http', retry } } });
  expect(await payIn(`${gateway.url}/u/mcp`, 'pay', { 'last-event-id': 'e1' })).toBe(executed);
  expect(server.paid()).toBe(times);
});

it.each([...TOLD, ...ANSWERED])(
  'on the standing stream of the joined endpoint: %s',
  async (_, said, executed, times) => {
    const server = await telling(said);
    const gateway = await open({ upstreams: { u: { url: server.url, transport: 'http', retry } } });
    expect(await payIn(`${gateway.url}/mcp`, 'u_pay')).toBe(executed);
    expect(server.paid()).toBe(times);
  },
);

it.each(TOLD)('over HTTP+SSE: %s', async (_, said, executed, times) => {
  for (const [path, name] of [
    ['/old/mcp', 'pay'],
    ['/mcp', 'old_pay'],
  ] as const) {
    const server = await tellingOld(said);
    const gateway = await open({ upstreams: { old: { url: server.url, transport: 'sse', retry } } });
    expect(await payIn(`${gateway.url}${path}`, name)).toBe(executed);
    expect(server.paid()).toBe(times);
  }
});

it.each(TOLD)('over HTTP+SSE, without a session: %s', async (_, said, executed, times) => {
  const server = await tellingOld(said);
  const gateway = await open({ upstreams: { old: { url: server.url, transport: 'sse', retry } } });
  const { message } = await post(`${gateway.url}/old/mcp`, pay('pay'));
  expect(message.result?._meta?.['dev.mayday/fault']).toMatchObject({ executed });
  expect(server.paid()).toBe(times);
});

const PROCESS = `
  const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method === 'initialize') say({ id, result: ${JSON.stringify(RESULT)} });
    else if (method === 'tools/list') say({ id, result: { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] } });
    else if (method === 'tools/call') {
      say(JSON.parse(process.env.SAID));
      say({ id, error: { code: -32602, message: 'Invalid params' } });
    }
  });`;

it.each(TOLD)('by a process: %s', async (_, said, executed) => {
  const gateway = await open({
    upstreams: {
      p: { command: process.execPath, args: ['-e', PROCESS], env: { SAID: JSON.stringify(said) }, retry },
    },
  });
  expect(await payIn(`${gateway.url}/p/mcp`, 'pay')).toBe(executed);
  const { message } = await post(`${gateway.url}/p/mcp`, pay('pay'));
  expect(JSON.stringify(message)).toContain(`"executed":"${executed}"`);
});
