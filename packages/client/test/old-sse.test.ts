/** The transport of 2024-11-05: requests by POST, answers on a stream that stays open. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMCPClient } from '@ai-sdk/mcp';
import { Client as ClientV2, SSEClientTransport as SseV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import type { ToolSet } from 'ai';
import { expect, it } from 'vitest';
import { resilientTools } from '../src/agents/ai-sdk.ts';
import * as v2 from '../src/index.ts';
import * as v1 from '../src/v1.ts';
import { BUSY, BUSY_RESULT } from './declared.ts';

const WAITS = { ...BUSY, kind: 'rate_limited', retry: { when: 'after_wait', after_ms: 300 } };
const REFUSED = { ...BUSY_RESULT, _meta: { 'dev.mayday/fault': WAITS } };

/** Answers the POST of each tool call with this status, after it has said this on the stream; or before, by `behindMs`. */
async function oldServer(
  status: number,
  headers: object = {},
  told: readonly string[] = [],
  behindMs?: number | undefined,
) {
  const streams = new Map<string, ServerResponse>();
  let calls = 0;
  let opened = 0;
  let gone = { status: 404, words: '' };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method === 'GET') {
      const id = String(opened++);
      streams.set(id, response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: /messages?session=${id}\n\n`);
      return;
    }
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (!streams.has(url.searchParams.get('session') ?? '')) {
      response.writeHead(gone.status).end(gone.words);
      return;
    }
    const { id, method } = JSON.parse(text) as { id?: number; method: string };
    if (method === 'tools/call') {
      calls += 1;
      if (told.includes('end')) {
        response.writeHead(202).end();
        setTimeout(() => streams.get(url.searchParams.get('session') ?? '')?.end(), 50);
        return;
      }
      if (behindMs !== undefined) response.writeHead(status, { ...headers }).end();
      if (status === 202 && behindMs !== undefined) {
        const stream = streams.get(url.searchParams.get('session') ?? '');
        const refusal = { jsonrpc: '2.0', id, result: REFUSED };
        stream?.write(`data: ${JSON.stringify(refusal)}\n\n`);
      }
      if (behindMs !== undefined) await sleep(behindMs);
      if (told.includes('$kill')) return void streams.get(url.searchParams.get('session') ?? '')?.destroy();
      if (told.includes('$end')) return void streams.get(url.searchParams.get('session') ?? '')?.end();
      for (const event of told)
        streams
          .get(url.searchParams.get('session') ?? '')
          ?.write(`${event.replace('"$id"', String(id))}\n\n`.replace(/\$half\n\n$/, ''));
      if (behindMs !== undefined) return;
      if (told.length > 0) await sleep(100);
      response.writeHead(status, { ...headers }).end();
      return;
    }
    response.writeHead(202).end();
    const tools = [{ name: 'pay', inputSchema: { type: 'object' } }];
    const serverInfo = { name: 'old', version: '1.0.0' };
    const result =
      method === 'initialize'
        ? { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo }
        : { tools };
    const message = JSON.stringify({ jsonrpc: '2.0', id, result });
    if (id !== undefined)
      streams.get(url.searchParams.get('session') ?? '')?.write(`event: message\ndata: ${message}\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`),
    calls: () => calls,
    /** All sessions end; who comes in one of them is told so. */
    forget(said: typeof gone) {
      gone = said;
      for (const stream of streams.values()) stream.destroy();
      streams.clear();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const INFO = { name: 'agent', version: '1.0.0' };
const QUICK = { attempts: 3, throttledBaseMs: 1, upstream: { random: () => 0 } };

const CLIENTS: readonly [string, (url: URL) => Pick<v2.ResilientClient, 'connect' | 'call' | 'close'>][] = [
  [
    'v1',
    (url) =>
      v1.resilient(new ClientV1(INFO), {
        ...QUICK,
        transport: () => new SseV1(url, { fetch: v1.mendFetch() }),
      }) as never,
  ],
  [
    'v2',
    (url) =>
      v2.resilient(new ClientV2(INFO), {
        ...QUICK,
        transport: () => new SseV2(url, { fetch: v2.mendFetch() }),
      }),
  ],
];

it.each(
  CLIENTS.flatMap(([name, make]) =>
    [
      [503, {}, 'unavailable', 'maybe', 1] as const,
      [404, { location: '/orders/7' }, 'unavailable', 'maybe', 1] as const,
      [429, { 'retry-after': '0' }, 'rate_limited', 'no', 3] as const,
      [429, { 'retry-after': '0', location: '/orders/7' }, 'rate_limited', 'maybe', 1] as const,
    ].map((expected) => [name, expected, make] as const),
  ),
)('tells of a POST that failed: %s %o', async (_, [status, headers, kind, executed, calls], make) => {
  await using server = await oldServer(status, headers);
  const client = make(server.url);
  await client.connect();
  const outcome = await client.call({ name: 'pay', arguments: {} }, { deadlineMs: 5000 });
  expect(outcome).toMatchObject({ ok: false, fault: { kind, executed } });
  expect(server.calls()).toBe(calls);
  await client.close();
});

const PAID = 'event: message\ndata: {"jsonrpc":"2.0","id":"$id","result":{"content":[]}}';

it.each(
  CLIENTS.flatMap(([name, make]) =>
    [
      { status: 404, words: 'Session not found' },
      { status: 400, words: 'No transport found for sessionId' },
    ].map((said) => [name, said, make] as const),
  ),
)('opens a new session when the server does not know the old one: %s %o', async (_, said, make) => {
  await using server = await oldServer(202, {}, [PAID]);
  const client = make(server.url);
  await client.connect();
  server.forget(said);
  await sleep(200); // until the client knows that the stream has ended: under a call that would say more
  expect(await client.call({ name: 'pay', arguments: {} }, { deadlineMs: 10_000 })).toMatchObject({
    ok: true,
  });
  expect(server.calls()).toBe(1);
  await client.close();
});

it('tells of it in the Vercel AI SDK too', async () => {
  await using server = await oldServer(503);
  const mcp = await createMCPClient({
    transport: { type: 'sse', url: server.url.href, fetch: v2.mendFetch() as typeof fetch },
  });
  const tools = resilientTools((await mcp.tools()) as ToolSet, { deadlineMs: 5000 });
  const paying = tools['pay']?.execute?.({}, { toolCallId: '1', messages: [], context: {} } as never);
  await expect(paying).rejects.toMatchObject({ fault: { kind: 'unavailable', executed: 'maybe' } });
  expect(server.calls()).toBe(1);
  await mcp.close();
});

const LOG =
  'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"booked"}}';
const CHANGED =
  'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}';

const NAMELESS = 'data: {"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"paid, no receipt"}}';
/** It has no end: nothing is written behind it. */
const HALF = 'data: {"jsonrpc":"2.0","id":"$id","result":{"con$half';
const NAMED = 'event: message\n$half';

const TOLD: readonly (readonly [string, string, 'no' | 'maybe', number])[] = [
  ['a log', LOG, 'maybe', 1],
  ['an event of its own', 'event: receipt\ndata: pay_991', 'maybe', 1],
  ['an error under no id', NAMELESS, 'maybe', 1],
  ['half its result', HALF, 'maybe', 1],
  ['the name of its event', NAMED, 'maybe', 1],
  ['other tools', CHANGED, 'no', 3],
  ['a comment', ': keep alive', 'no', 3],
  ['a heartbeat', 'event: ping\ndata: {}', 'no', 3],
];

it.each(CLIENTS.flatMap(([name, make]) => TOLD.map((told) => [name, told, make] as const)))(
  'a refusal after the server has told of work proves nothing: %s %o',
  async (_, [, event, executed, calls], make) => {
    await using server = await oldServer(429, { 'retry-after': '0' }, [event]);
    const client = make(server.url);
    await client.connect();
    const outcome = await client.call({ name: 'pay', arguments: {} }, { deadlineMs: 20_000 });
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'rate_limited', executed } });
    expect(server.calls()).toBe(calls);
    await client.close();
  },
);

const BEHIND: readonly (readonly [string, string, object, number])[] = [
  ['its result', PAID, { ok: true, result: { content: [] } }, 1],
  [
    'its error',
    'data: {"jsonrpc":"2.0","id":"$id","error":{"code":-32000,"message":"paid, no receipt"}}',
    { ok: false, fault: { executed: 'maybe' } },
    1,
  ],
  ['a log', LOG, { ok: false, fault: { executed: 'maybe' } }, 1],
  ['an error under no id', NAMELESS, { ok: false, fault: { executed: 'maybe' } }, 1],
  ['half its result', HALF, { ok: false, fault: { executed: 'maybe' } }, 1],
  ['the name of its event', NAMED, { ok: false, fault: { executed: 'maybe' } }, 1],
  ['other tools', CHANGED, { ok: false, fault: { executed: 'no' } }, 3],
  [
    'the result of another',
    'data: {"jsonrpc":"2.0","id":0,"result":{}}',
    { ok: false, fault: { executed: 'maybe' } },
    1,
  ],
  ['its end', '$end', { ok: false, fault: { executed: 'maybe' } }, 1],
  [
    'another address',
    'event: endpoint\ndata: /messages?session=0&paid=991',
    { ok: false, fault: { executed: 'maybe' } },
    1,
  ],
  [
    'the same address',
    'event: endpoint\ndata: /messages?session=0',
    { ok: false, fault: { executed: 'no' } },
    3,
  ],
];

it.each(
  CLIENTS.flatMap(([name, make]) =>
    BEHIND.flatMap((told) => [0, 300].map((ms) => [name, ms, told, make] as const)),
  ),
)('what comes behind a refusal counts until the call is made again: %s %i ms %o', async (...row) => {
  const [, behindMs, [, event, outcome, calls], make] = row;
  await using server = await oldServer(429, { 'retry-after': '1' }, [event], behindMs);
  const client = make(server.url);
  await client.connect();
  expect(await client.call({ name: 'pay', arguments: {} }, { deadlineMs: 20_000 })).toMatchObject(outcome);
  expect(server.calls()).toBe(calls);
  await client.close();
});

it.each(TOLD)('nor in the Vercel AI SDK: %s', async (_, event, executed, calls) => {
  await using server = await oldServer(429, { 'retry-after': '0' }, [event]);
  const mcp = await createMCPClient({
    transport: { type: 'sse', url: server.url.href, fetch: v2.mendFetch() as typeof fetch },
  });
  const tools = resilientTools((await mcp.tools()) as ToolSet, { ...QUICK, deadlineMs: 20_000 });
  const paying = tools['pay']?.execute?.({}, { toolCallId: '1', messages: [], context: {} } as never);
  await expect(paying).rejects.toMatchObject({ fault: { kind: 'rate_limited', executed } });
  expect(server.calls()).toBe(calls);
  await mcp.close();
});

const ANSWERS = [
  ['an error', 'maybe', { error: { code: -32602, message: 'Invalid params' } }],
  [
    'a declared fault',
    'maybe',
    {
      result: BUSY_RESULT,
    },
  ],
] as const;

it.each(CLIENTS.flatMap(([name, make]) => ANSWERS.map((answer) => [name, ...answer, make] as const)))(
  'nor does one on the stream: %s %s',
  async (_, __, executed, answer, make) => {
    const said = `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: '$id', ...answer })}`;
    await using server = await oldServer(202, {}, [LOG, said]);
    const client = make(server.url);
    await client.connect();
    const outcome = await client.call({ name: 'pay', arguments: {} }, { deadlineMs: 20_000 });
    expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { executed } });
    await client.close();
  },
);

it.each(ANSWERS)('nor there in the Vercel AI SDK: %s', async (_, executed, answer) => {
  const said = `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: '$id', ...answer })}`;
  await using server = await oldServer(202, {}, [LOG, said]);
  const mcp = await createMCPClient({
    transport: { type: 'sse', url: server.url.href, fetch: v2.mendFetch() as typeof fetch },
  });
  const tools = resilientTools((await mcp.tools()) as ToolSet, { ...QUICK, deadlineMs: 20_000 });
  const paying = tools['pay']?.execute?.({}, { toolCallId: '1', messages: [], context: {} } as never);
  await expect(paying).rejects.toMatchObject({ fault: { executed } });
  expect(server.calls()).toBe(1);
  await mcp.close();
});

it.each(CLIENTS)('a stream that ends before the answer ends the call: %s', async (_, make) => {
  await using server = await oldServer(202, {}, ['end']);
  const client = make(server.url);
  await client.connect();
  const outcome = await client.call({ name: 'pay', arguments: {} }, { deadlineMs: 25_000 });
  expect(outcome).toMatchObject({
    ok: false,
    attempts: 1,
    fault: { kind: 'disconnected', executed: 'maybe' },
  });
  await client.close();
});

const TRACES: readonly (readonly [string, string, 'no' | 'maybe', number])[] = [
  ['its end', '$end', 'maybe', 1],
  ['its break', '$kill', 'maybe', 1],
  ['text', 'data: booked', 'maybe', 1],
  ['text between other line ends', 'data: booked\r\r', 'maybe', 1],
  ['the name of an event, and nothing else', 'event: booked', 'maybe', 1],
  ['a field that no reader knows', 'order: 991', 'maybe', 1],
  ['an id that names a thing', 'id: order-991', 'maybe', 1],
  ['a comment that tells of work', ': order 991 booked', 'maybe', 1],
  ['a list with a log', `data: [${LOG.slice(LOG.indexOf('{'))}]`, 'maybe', 1],
  ['a log behind a byte order mark', `\uFEFF${LOG.slice(LOG.indexOf('data:'))}`, 'maybe', 1],
  ['a zero byte', 'data: \0', 'maybe', 1],
  ['a message of another version', 'data: {"jsonrpc":"1.0","method":"x"}', 'maybe', 1],
  ['half a message', 'data: {"jsonrpc":"2.0","meth$half', 'maybe', 1],
  ['a comment', ': keep alive', 'no', 3],
  ['a heartbeat', 'event: ping\ndata: {}', 'no', 3],
];

it.each(
  CLIENTS.flatMap(([name, make]) =>
    TRACES.flatMap((trace) => [0, 80].map((ms) => [name, ms, trace, make] as const)),
  ),
)('nor does a refusal on the stream with something behind it: %s %i ms %o', async (...row) => {
  const [, behindMs, [, event, executed, calls], make] = row;
  await using server = await oldServer(202, {}, [event], behindMs);
  const client = make(server.url);
  await client.connect();
  const outcome = await client.call({ name: 'pay', arguments: {} }, { deadlineMs: 20_000 });
  expect(outcome).toMatchObject({ ok: false, fault: { kind: 'rate_limited', executed } });
  expect(server.calls()).toBe(calls);
  await client.close();
});
