/** Answers that come packed although nobody asked for that: they cannot be read, and prove nothing. */
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { callTool, cleanUp, faultIn, INITIALIZE, json, open, type Posted, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const RESULTS: { readonly [method: string]: object } = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 's', version: '1' },
  },
  'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
  ping: {},
};

interface Answering {
  readonly status: number;
  readonly message: object;
  /** What is said of the body; it is packed only if it `isPacked`. */
  readonly coding?: string;
  readonly isPacked?: boolean;
  /** The body has no end. */
  readonly isOpen?: boolean;
  readonly headers?: { readonly [name: string]: string };
}

/** A server with sessions that books a payment and answers so, and what it has booked. */
async function paying({
  status,
  message,
  coding = 'gzip',
  isPacked = true,
  isOpen = false,
  headers = {},
}: Answering) {
  let booked = 0;
  const codings: unknown[] = [];
  const { url } = await upstream((body, response, request) => {
    codings.push(request.headers['accept-encoding']);
    const { id, method = '' } = JSON.parse(body || '{}') as { id?: number; method?: string };
    const result = RESULTS[method];
    const session = { 'mcp-session-id': 'own-1' };
    if (id === undefined) response.writeHead(body === '' ? 405 : 202).end();
    else if (result !== undefined) json(response, 200, { jsonrpc: '2.0', id, result }, session);
    else {
      booked += 1;
      const plain = JSON.stringify({ jsonrpc: '2.0', id, ...message });
      const type = { 'content-type': 'application/json', 'content-encoding': coding };
      response.writeHead(status, { ...type, ...headers }).write(isPacked ? gzipSync(plain) : plain);
      if (!isOpen) response.end();
    }
  });
  const gateway = await open({ upstreams: { a: { url, breaker: false } } });
  return { url: gateway.url, booked: () => booked, codings };
}

/** As a client of no SDK sends it, which names no coding of its own. */
async function pay(endpoint: string, tool: string): Promise<Posted> {
  const { headers } = await post(endpoint, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(endpoint, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  return post(endpoint, callTool(tool), session);
}

const ENDPOINTS = [
  ['/a/mcp', 'pay'],
  ['/mcp', 'a_pay'],
] as const;
const BUSY = { error: { code: -32000, message: 'Too many requests' } };
const GONE = { error: { code: -32001, message: 'Session not found' } };
const AGAIN = { 'retry-after': '0' };

describe.each(ENDPOINTS)('at %s', (path, tool) => {
  it.each([
    ['packed', { status: 429, message: BUSY, headers: AGAIN }],
    ['packed otherwise', { status: 429, message: BUSY, headers: AGAIN, coding: 'br' }],
    ['only said to be packed', { status: 429, message: BUSY, headers: AGAIN, isPacked: false }],
    ['packed, under 503', { status: 503, message: BUSY, headers: AGAIN }],
    [
      'packed, under 400',
      { status: 400, message: { error: { code: -32602, message: 'Unknown tool: pay' } } },
    ],
    ['packed, under 404', { status: 404, message: GONE }],
    ['only said to be packed, under 404', { status: 404, message: GONE, isPacked: false }],
    ['only said to be packed, under 403', { status: 403, message: BUSY, isPacked: false }],
  ] as [string, Answering][])('a refusal that is %s proves nothing', async (_, answering) => {
    const { url, booked } = await paying(answering);
    const posted = await pay(url + path, tool);
    expect(booked()).toBe(1);
    expect(faultIn(posted)).toMatchObject({ executed: 'maybe' });
    const { coding = 'gzip', status } = answering;
    expect(faultIn(posted)?.['message']).toMatch(
      new RegExp(`compressed \\(${coding}\\), which it was not asked for`),
    );
    expect(JSON.stringify(posted.message)).toContain(String(status));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what is packed begins so
    expect(JSON.stringify(posted.message)).not.toMatch(/\ufffd|\u001f|\\u001f/);
  });

  it.each([true, false])('an answer under 200 is none (packed: %s)', async (isPacked) => {
    const { url, booked } = await paying({ status: 200, message: { result: { content: [] } }, isPacked });
    const posted = await pay(url + path, tool);
    expect(booked()).toBe(1);
    expect(faultIn(posted)).toMatchObject({
      kind: 'invalid_output',
      executed: 'maybe',
      message:
        'The server answered a request with HTTP 200 and something that is not a JSON-RPC response: it is compressed (gzip), which it was not asked for',
    });
    expect(JSON.stringify(posted.message)).not.toMatch(/\ufffd/);
  });

  it('nothing packed is asked for', async () => {
    const { url, codings } = await paying({ status: 200, message: { result: { content: [] } } });
    await pay(url + path, tool);
    expect(new Set(codings)).toEqual(new Set(['identity']));
  });

  it.each([false, true])('a stream that is packed is no answer (open: %s)', async (isOpen) => {
    const { url, booked } = await paying({
      status: 200,
      message: { result: { content: [] } },
      isOpen,
      headers: { 'content-type': 'text/event-stream' },
    });
    expect(faultIn(await pay(url + path, tool))).toMatchObject({
      kind: 'invalid_output',
      executed: 'maybe',
      message:
        'The server answered a request with HTTP 200 and something that is not a JSON-RPC response: it is compressed (gzip), which it was not asked for',
    });
    expect(booked()).toBe(1);
  });

  it('one that says it is as it is, is read', async () => {
    const message = { result: { content: [{ type: 'text', text: 'paid' }] } };
    const { url } = await paying({ status: 200, message, isPacked: false, coding: 'identity' });
    expect((await pay(url + path, tool)).message).toMatchObject(message);
  });
});

const PACKED_STREAM = { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' };

it('a packed stream of the transport of 2024-11-05 is none', async () => {
  const { url } = await upstream((_, response) => {
    response.writeHead(200, PACKED_STREAM).write(gzipSync('event: endpoint\ndata: /messages\n\n'));
  });
  const gateway = await open({ upstreams: { a: { url, transport: 'sse' } } });
  expect(faultIn(await post(`${gateway.url}/a/mcp`, callTool('pay')))).toMatchObject({
    kind: 'misconfigured',
    executed: 'no',
    message:
      'The server did not answer with a stream of events that can be read: it is compressed (gzip), which it was not asked for; its `url` or `transport` may have to change',
  });
});

it('a packed stream that stands is not offered', async () => {
  const { url } = await upstream((_, response, request) => {
    expect(request.method).toBe('GET');
    response.writeHead(200, PACKED_STREAM).write(gzipSync('data: {}\n\n'));
  });
  const gateway = await open({ upstreams: { a: { url } } });
  const response = await fetch(`${gateway.url}/a/mcp`, { headers: { accept: 'text/event-stream' } });
  expect(response.status).toBe(405);
});
