/** Callers who only speak the transport of 2024-11-05, as the official SDK v1 does it. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { COMPILE_CACHE } from '../../../../test/compile-cache.ts';
import { cleanUp, later, open } from '../tools.ts';

let gateway: Awaited<ReturnType<typeof open>>;
const KEYS = { ann: 'ann-key-123456', bob: 'bob-key-123456' };

beforeAll(async () => {
  gateway = await open({
    keys: [
      { name: 'ann', key: KEYS.ann, role: 'operator' },
      { name: 'bob', key: KEYS.bob, upstreams: ['v1'] },
    ],
    upstreams: {
      v1: {
        command: process.execPath,
        args: [new URL('v1-server.ts', import.meta.url).pathname],
        env: COMPILE_CACHE,
      },
    },
  });
});
afterAll(cleanUp);

async function connect(path: string, key = KEYS.ann): Promise<Client> {
  const client = new Client(
    { name: 'old', version: '1' },
    { capabilities: { sampling: {}, elicitation: {} } },
  );
  const headers = { authorization: `Bearer ${key}` };
  const transport = new SSEClientTransport(new URL(`${gateway.url}${path}`), { requestInit: { headers } });
  later(() => client.close());
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'ann' } }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'sampled' },
  }));
  await client.connect(transport);
  return client;
}

async function status(): Promise<{ sessions: number; processes: number }> {
  const response = await fetch(`${gateway.url}/-/status`, {
    headers: { authorization: `Bearer ${KEYS.ann}` },
  });
  const { upstreams } = (await response.json()) as { upstreams: { sessions: number; processes: number }[] };
  return upstreams[0] ?? { sessions: -1, processes: -1 };
}

it('serves an upstream to them, with all that a session has', async () => {
  const client = await connect('/v1/sse');
  const logged: unknown[] = [];
  const changed = vi.fn();
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }) => void logged.push(params.data),
  );
  client.setNotificationHandler(ToolListChangedNotificationSchema, changed);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
  expect(await client.callTool({ name: 'echo', arguments: { say: 'hi' } })).toMatchObject({
    content: [{ text: 'hi' }],
  });
  expect(await client.readResource({ uri: 'note://1' })).toMatchObject({ contents: [{ text: 'one' }] });
  expect((await client.getPrompt({ name: 'greet' })).messages).toHaveLength(1);
  const steps: number[] = [];
  await client.callTool({ name: 'progress' }, undefined, {
    onprogress: ({ progress }) => steps.push(progress),
  });
  expect(steps).toEqual([1, 2]);
  await client.callTool({ name: 'log' });
  await vi.waitFor(() => expect(logged).toEqual(['logged']));
  expect(await client.callTool({ name: 'elicit' })).toMatchObject({ content: [{ text: '{"name":"ann"}' }] });
  expect(JSON.stringify(await client.callTool({ name: 'sample' }))).toContain('sampled');
  await client.callTool({ name: 'grow' });
  await vi.waitFor(() => expect(changed).toHaveBeenCalled());
});

it('tells them of failures in the one language', async () => {
  const client = await connect('/v1/sse');
  const failed = await client.callTool({ name: 'fails' });
  expect(failed).toMatchObject({ isError: true, _meta: { 'dev.mayday/fault': { executed: 'maybe' } } });
});

it('serves all upstreams joined', async () => {
  const client = await connect('/sse');
  expect(await client.callTool({ name: 'v1_echo', arguments: { say: 'joined' } })).toMatchObject({
    content: [{ text: 'joined' }],
  });
});

it('ends the session, its process and what runs in it when the stream ends', async () => {
  const before = await status();
  const client = await connect('/v1/sse');
  const calling = client.callTool({ name: 'slow' }).catch((error: unknown) => error);
  await vi.waitFor(async () => expect((await status()).sessions).toBe(before.sessions + 1));
  await client.close();
  await calling;
  await vi.waitFor(async () => expect(await status()).toEqual(before), { timeout: 5000 });
});

it('cancels a call at the server', async () => {
  const client = await connect('/v1/sse');
  const abort = new AbortController();
  const calling = client.callTool({ name: 'slow' }, undefined, { signal: abort.signal });
  setTimeout(() => abort.abort('enough'), 200);
  await expect(calling).rejects.toThrow(/enough/);
  expect(await client.callTool({ name: 'echo', arguments: { say: 'on' } })).toMatchObject({
    content: [{ text: 'on' }],
  });
});

/** The stream of a conversation, read by hand. */
async function stream(path: string, key: string): Promise<{ endpoint: string; next(): Promise<string> }> {
  const abort = new AbortController();
  later(() => abort.abort());
  const response = await fetch(`${gateway.url}${path}`, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
    signal: abort.signal,
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = async (): Promise<string> => (await reader?.read())?.value ?? '';
  const [, endpoint = ''] = /^event: endpoint\ndata: (.*)\n\n$/.exec(await next()) ?? [];
  return { endpoint, next };
}

function send(path: string, body: string, key: string, headers = {}): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  });
}

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

it('binds a conversation to the caller and the endpoint that opened it', async () => {
  const { endpoint } = await stream('/v1/sse', KEYS.ann);
  expect(endpoint).toMatch(/^\/v1\/messages\?sessionId=[0-9a-f-]{36}$/);
  expect((await send(endpoint, PING, KEYS.ann)).status).toBe(202);
  expect((await send(endpoint, PING, KEYS.bob)).status).toBe(404);
  expect((await send(endpoint, PING, 'nobody-12345')).status).toBe(401);
  expect((await send(endpoint.replace('/v1', ''), PING, KEYS.ann)).status).toBe(404);
  expect((await send('/v1/messages', PING, KEYS.ann)).status).toBe(404);
  expect((await send(endpoint, '{"jsonrpc":"2.0"', KEYS.ann)).status).toBe(400);
  expect((await send(endpoint, PING, KEYS.ann, { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await send('/v1/sse', PING, KEYS.ann)).status).toBe(405);
  expect((await send(endpoint, PING, KEYS.ann, { 'mayday-dialect': 'problem' })).status).toBe(400);
});

it('ends the session before when a conversation is opened once more', async () => {
  const before = await status();
  const { endpoint, next } = await stream('/v1/sse', KEYS.ann);
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
  for (const id of [1, 2, 3]) {
    const opening = JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params });
    expect((await send(endpoint, opening, KEYS.ann)).status).toBe(202);
    expect(await next()).toContain(`"id":${id}`);
  }
  const one = { sessions: before.sessions + 1, processes: before.processes + 1 };
  await vi.waitFor(async () => expect(await status()).toMatchObject(one), { timeout: 5000 });
  expect((await send(endpoint, '{"jsonrpc":"2.0","id":4,"method":"tools/list"}', KEYS.ann)).status).toBe(202);
  expect(await next()).toContain('"id":4');
});

it('does not let those in who may not use an endpoint', async () => {
  const get = (path: string, key: string): Promise<Response> =>
    fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  expect((await get('/sse', KEYS.bob)).status).toBe(403);
  expect((await get('/sse', 'nobody-12345')).status).toBe(401);
  expect((await get('/nothing/sse', KEYS.ann)).status).toBe(404);
});

it('answers over the stream, under the id of the request, what is refused on the way', async () => {
  const { endpoint, next } = await stream('/v1/sse', KEYS.ann);
  expect((await send(endpoint, '{"jsonrpc":"2.0","id":7,"method":"nothing/here"}', KEYS.ann)).status).toBe(
    202,
  );
  const said = await next();
  expect(said).toMatch(/^event: message\ndata: \{.*\}\n\n$/);
  expect(JSON.parse(said.slice(said.indexOf('{')))).toMatchObject({ id: 7, error: { code: -32601 } });
});
