/** A tool that once said, or says to others, that it only reads: its call is not repeated on that word. */
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import {
  call,
  callTool,
  cleanUp,
  INITIALIZE,
  JSON_TYPES,
  json,
  open,
  post,
  until,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

const CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
const READS = { readOnlyHint: true };
const DESTROYS = { destructiveHint: true };

/** A server whose tool `run` always fails, and whose other tools say that the list has changed. */
async function house() {
  const state = {
    annotations: READS as object,
    forReaders: undefined as object | undefined,
    retryAfter: '',
    runs: 0,
  };
  const standing: ServerResponse[] = [];
  let sessions = 0;
  const known = new Set<unknown>();
  const { url } = await upstream((body, response, { method, headers }) => {
    if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      standing.push(response);
      return;
    }
    if (method !== 'POST') {
      response.writeHead(204).end();
      return;
    }
    const said = JSON.parse(body) as { id?: unknown; method: string; params?: { name?: string } };
    const say = (result: object, more = {}): void =>
      json(response, 200, { jsonrpc: '2.0', id: said.id, result }, more);
    if (said.method === 'initialize') {
      known.add(`s${++sessions}`);
      const opened = { protocolVersion: '2025-11-25', capabilities: { tools: {} } };
      say(opened, { 'mcp-session-id': `s${sessions}` });
    } else if (said.id === undefined) response.writeHead(202).end();
    else if (!known.has(headers['mcp-session-id'])) response.writeHead(404).end();
    else if (said.method === 'tools/list') {
      const isReader = headers.authorization === 'Bearer reader';
      const annotations = (isReader ? state.forReaders : undefined) ?? state.annotations;
      say({ tools: [{ name: 'run', inputSchema: { type: 'object' }, annotations }] });
    } else if (said.params?.name === 'run') {
      state.runs += 1;
      response.writeHead(503, state.retryAfter === '' ? {} : { 'retry-after': state.retryAfter }).end();
    } else {
      state.annotations = DESTROYS;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const answer = JSON.stringify({ jsonrpc: '2.0', id: said.id, result: { content: [] } });
      response.end(`data: ${CHANGED}\n\ndata: ${answer}\n\n`);
    }
  });
  const gateway = await open({ upstreams: { a: { url, breaker: false } } });
  return { gateway, state, standing, restart: () => known.clear() };
}

/** A client in a session of its own. */
async function client(url: string, prefix: string, headers: { [name: string]: string } = {}) {
  const opened = await post(url, INITIALIZE, headers);
  const own = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, own);
  return {
    headers: own,
    list: () => post(url, call('tools/list'), own),
    use: (tool: string) => post(url, callTool(prefix + tool), own),
  };
}

describe.each([
  ['/a/mcp', ''],
  ['/mcp', 'a_'],
])('at %s', (path, prefix) => {
  it('a tool that reads is called again, and one that has become something else is not', async () => {
    const { gateway, state } = await house();
    const { list, use } = await client(gateway.url + path, prefix);
    await list();
    await use('run');
    expect(state.runs).toBe(3);
    await use('change');
    state.runs = 0;
    await use('run');
    expect(state.runs).toBe(1);
  });

  it('a new session does not live on the lists of older ones', async () => {
    const { gateway, state } = await house();
    await (await client(gateway.url + path, prefix)).list();
    state.annotations = DESTROYS;
    await (await client(gateway.url + path, prefix)).use('run');
    expect(state.runs).toBe(1);
  });

  it('nobody lives on the lists of others', async () => {
    const { gateway, state } = await house();
    state.annotations = DESTROYS;
    state.forReaders = READS;
    const writer = await client(gateway.url + path, prefix, { authorization: 'Bearer writer' });
    const reader = await client(gateway.url + path, prefix, { authorization: 'Bearer reader' });
    await writer.list();
    await reader.list();
    await writer.use('run');
    expect(state.runs).toBe(1);
  });
});

it('a list is forgotten when the standing stream says that it has changed', async () => {
  const { gateway, state, standing } = await house();
  const url = `${gateway.url}/a/mcp`;
  const { headers, list, use } = await client(url, '');
  await list();
  const response = await fetch(url, { headers: { ...JSON_TYPES, ...headers, accept: 'text/event-stream' } });
  await until(() => standing.length === 1);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  state.annotations = DESTROYS;
  standing[0]?.write(`data: ${CHANGED}\n\n`);
  await reader.read();
  await use('run');
  expect(state.runs).toBe(1);
  await reader.cancel();
});

it('a call that waits to be made again is not, once the list has changed', async () => {
  const { gateway, state, standing } = await house();
  state.retryAfter = '1';
  const url = `${gateway.url}/a/mcp`;
  const { headers, list, use } = await client(url, '');
  await list();
  const response = await fetch(url, { headers: { ...JSON_TYPES, ...headers, accept: 'text/event-stream' } });
  await until(() => standing.length === 1);
  const used = use('run');
  await until(() => state.runs === 1);
  state.annotations = DESTROYS;
  setTimeout(() => standing[0]?.write(`data: ${CHANGED}\n\n`), 100);
  expect(JSON.stringify(await used)).toContain('It may have happened');
  expect(state.runs).toBe(1);
  await response.body?.cancel();
});

it('a list is forgotten when the joined endpoint opens a server again that has forgotten it', async () => {
  const { gateway, state, restart } = await house();
  const { list, use } = await client(`${gateway.url}/mcp`, 'a_');
  await list();
  restart();
  state.annotations = DESTROYS;
  await use('run');
  expect(state.runs).toBe(1);
});
