/** What callers over HTTP+SSE may hold: a post is answered before what it asks, and counts until that is. */
import type { ServerResponse } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import { cleanUp, json, later, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const MIB = 1024 * 1024;
/** On a busy machine a megabyte takes its time. */
const SOON = { timeout: 20_000 };
const OPENED = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } };
const call = (id: number, name: string, text = '') =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { text } } });
const initialize = (text = '') =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 'i',
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: text, version: '1' } },
  });
const cancel = (requestId: number) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

/** A server that answers what is named `ok`, and nothing else before it is told to. */
async function start(callerBytes: number): Promise<{
  readonly url: string;
  readonly waiting: ServerResponse[];
  stream(): Promise<{
    readonly end: () => void;
    readonly said: string[];
    send(body: string): Promise<number>;
  }>;
}> {
  const waiting: ServerResponse[] = [];
  const { url } = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body);
    if (method === 'initialize' && params.clientInfo.name !== 'slow')
      json(response, 200, { jsonrpc: '2.0', id, result: OPENED });
    else if (id === undefined) response.writeHead(202).end();
    else if (params.name === 'ok') json(response, 200, { jsonrpc: '2.0', id, result: { content: [] } });
    else waiting.push(response);
  });
  const gateway = await open({
    limits: { caller_bytes: callerBytes },
    upstreams: { shop: { url, transport: 'http', retry: { attempts: 1 } } },
  });
  return {
    url: `${gateway.url}/shop/mcp`,
    waiting,
    async stream() {
      const abort = new AbortController();
      later(() => abort.abort());
      const response = await fetch(`${gateway.url}/shop/sse`, { signal: abort.signal });
      const said: string[] = [];
      void response.body
        ?.pipeThrough(new TextDecoderStream())
        .pipeTo(new WritableStream({ write: (text) => void said.push(text) }))
        .catch(() => undefined);
      await vi.waitFor(() => expect(said.join('')).toContain('sessionId='), SOON);
      const messages = /data: (.*)/.exec(said.join(''))?.[1] ?? '';
      const send = async (body: string): Promise<number> => {
        const posted = await fetch(`${gateway.url}${messages}`, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json' },
        });
        await posted.arrayBuffer();
        return posted.status;
      };
      return { said, send, end: () => abort.abort() };
    },
  };
}

/** Sends calls of 1 MiB until one is refused, 30 at most, and says how many were taken. */
async function fill(send: (body: string) => Promise<number>): Promise<number> {
  for (let sent = 0; sent < 30; sent++)
    if ((await send(call(1000 + sent, 'hang', 'x'.repeat(MIB)))) === 429) return sent;
  return 30;
}

it('counts posts that wait until others are answered, until they are asked, cancelled, or nobody wants them', async () => {
  const { url, waiting, stream } = await start(12 * MIB);
  const { send, end } = await stream();
  expect(await send(initialize())).toBe(202);
  for (let id = 0; id < 200; id++) expect(await send(call(id, 'hang'))).toBe(202);
  await vi.waitFor(() => expect(waiting).toHaveLength(200), SOON);
  const taken = await fill(send); // 200 calls hold 16 KiB each, so 8.8 MiB are left
  expect(taken).toBe(8);
  expect((await post(url, JSON.parse(call(1, 'ok', 'x'.repeat(MIB))))).status).toBe(429);
  expect(await send(cancel(1000))).toBe(202);
  expect(await send(call(2000, 'hang', 'x'.repeat(MIB)))).toBe(202);
  expect(await send(call(2001, 'hang', 'x'.repeat(MIB)))).toBe(429);
  end(); // the server has not ended the 200 yet
  const large = call(1, 'ok', 'x'.repeat(8 * MIB));
  const { timeout } = SOON;
  await vi.waitFor(async () => expect((await post(url, large)).status).toBe(200), { timeout, interval: 250 });
});

it('counts posts that wait until the conversation is open', async () => {
  const { waiting, stream } = await start(12 * MIB);
  const { send, said } = await stream();
  expect(await send(initialize('slow'))).toBe(202);
  await vi.waitFor(() => expect(waiting).toHaveLength(1), SOON);
  expect(await fill(send)).toBe(11);
  const opening = waiting.shift();
  if (opening !== undefined) json(opening, 200, { jsonrpc: '2.0', id: 'i', result: OPENED });
  await vi.waitFor(() => expect(waiting).toHaveLength(11), SOON);
  expect(said.join('')).not.toContain('overloaded');
});

it('counts what opened a conversation, for as long as it may have to be opened again', async () => {
  const { waiting, stream } = await start(12 * MIB);
  const { send, said } = await stream();
  expect(await send(initialize('x'.repeat(8 * MIB)))).toBe(202);
  await vi.waitFor(() => expect(said.join('')).toContain('"i"'), SOON);
  expect(await fill(send)).toBe(3);
  await vi.waitFor(() => expect(waiting).toHaveLength(3), SOON);
});

it('counts a message once that is passed on at once', async () => {
  const { stream } = await start(12 * MIB);
  const { send, said } = await stream();
  expect(await send(initialize())).toBe(202);
  expect(await send(call(7, 'ok', 'x'.repeat(10 * MIB)))).toBe(202);
  await vi.waitFor(() => expect(said.join('')).toContain('"id":7,"result"'), SOON);
});

it('counts answers that come in', async () => {
  const { url, waiting, stream } = await start(12 * MIB);
  const { send, said } = await stream();
  expect(await send(initialize())).toBe(202);
  for (const id of [1, 2]) expect(await send(call(id, 'hang'))).toBe(202);
  await vi.waitFor(() => expect(waiting).toHaveLength(2), SOON);
  for (const [at, response] of waiting.entries()) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(`{"jsonrpc":"2.0","id":${at + 1},"result":{"content":[],"x":"${'x'.repeat(7 * MIB)}`);
  }
  const ask = async (): Promise<number> => (await post(url, JSON.parse(call(1, 'ok')))).status;
  await vi.waitFor(async () => expect(await ask()).toBe(429), SOON);
  for (const response of waiting) response.end('"}}');
  await vi.waitFor(() => expect(said.join('')).toMatch(/"id":[12],"result".*"id":[12],"result"/s), SOON);
  await vi.waitFor(async () => expect(await ask()).toBe(200), SOON);
});
