/** A server that is exchanged for one that speaks otherwise, while the gateway runs. */
import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import type { SettingsFile } from '../../src/index.ts';
import { cleanUp, json, later, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

type Way = 'http' | 'sse' | 'stateless';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'ann', version: '1' } },
};
const OPENED = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's' } };
const DISCOVERED = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
};

/** What it answers in one of its ways; `undefined` where it is refused. */
function resultOf(way: Way, method: string): object | undefined {
  if (method === (way === 'stateless' ? 'server/discover' : 'initialize'))
    return way === 'stateless' ? DISCOVERED : OPENED;
  if (method === 'tools/call') return { content: [{ type: 'text', text: `over ${way}` }] };
  if (method === 'tools/list') return { tools: [{ name: 'x', inputSchema: { type: 'object' } }] };
  return method === 'server/discover' || method === 'initialize' ? undefined : {};
}

/** One server at one address, which speaks in one way at a time, and a gateway before it. */
async function serve(first: Way, more: Partial<SettingsFile> = {}) {
  let way = first;
  let stream: ServerResponse | undefined;
  const server = await upstream((body, response, request) => {
    const isPosted = request.method === 'POST';
    if (way === 'sse' && request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      stream.write('event: endpoint\ndata: /messages\n\n');
      later(() => response.end());
      return;
    }
    const isElsewhere = (request.url === '/messages') !== (way === 'sse');
    if (!isPosted || isElsewhere) return void response.writeHead(isPosted ? 404 : 405).end();
    const { id, method } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const result = resultOf(way, method);
    const isLost = way === 'http' && method !== 'initialize' && request.headers['mcp-session-id'] !== 'own';
    if (way === 'sse') {
      response.writeHead(202).end();
      stream?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    } else if (isLost)
      json(response, 404, { jsonrpc: '2.0', id, error: { code: -32001, message: 'Session?' } });
    else if (result === undefined)
      json(response, 400, { jsonrpc: '2.0', id, error: { code: -32022, message: 'Unsupported' } });
    else
      json(response, 200, { jsonrpc: '2.0', id, result }, way === 'http' ? { 'mcp-session-id': 'own' } : {});
  });
  const gateway = await open({ upstreams: { u: { url: server.url } }, ...more });
  const become = (next: Way): void => {
    way = next;
    stream?.end();
  };
  return { url: gateway.url, become, gateway };
}

async function callIn(url: string, name: string): Promise<unknown> {
  const opened = await post(url, INITIALIZE);
  expect(opened).toMatchObject({ status: 200, message: { id: 1, result: { serverInfo: {} } } });
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const params = { name, arguments: {} };
  const { message } = await post(url, { jsonrpc: '2.0', id: 2, method: 'tools/call', params }, session);
  return message.result?.['content'];
}

const over = (way: Way): unknown => [{ type: 'text', text: `over ${way}` }];

const PAIRS: readonly (readonly [Way, Way])[] = [
  ['http', 'stateless'],
  ['http', 'sse'],
  ['sse', 'http'],
  ['sse', 'stateless'],
  ['stateless', 'http'],
  ['stateless', 'sse'],
];

it.each(PAIRS)('opens sessions at its endpoint with one that was %s and is %s', async (from, to) => {
  const { url, become } = await serve(from);
  expect(await callIn(`${url}/u/mcp`, 'x')).toEqual(over(from));
  become(to);
  expect(await callIn(`${url}/u/mcp`, 'x')).toEqual(over(to));
  expect(await callIn(`${url}/u/mcp`, 'x')).toEqual(over(to));
});

it.each(PAIRS)('finding out is no failure with one that was %s and is %s', async (from, to) => {
  const { url, become, gateway } = await serve(from);
  await callIn(`${url}/u/mcp`, 'x');
  become(to);
  await callIn(`${url}/u/mcp`, 'x');
  expect(gateway.faults.list().map(({ method, original }) => [method, original])).toEqual([]);
  expect(gateway.logs.filter((line) => line.startsWith('fault '))).toEqual([]);
  const said = await fetch(`${url}/-/status`);
  const { faults, upstreams } = (await said.json()) as { faults: number; upstreams: [{ trouble?: unknown }] };
  expect([faults, upstreams[0].trouble]).toEqual([0, undefined]);
});

it('counts an opening once, however it was found out', async () => {
  const { url } = await serve('sse', { telemetry: { metrics: 'anybody' } });
  expect((await post(`${url}/u/mcp`, INITIALIZE)).status).toBe(200);
  const metrics = await (await fetch(`${url}/-/metrics`)).text();
  const counts = metrics
    .split('\n')
    .filter((line) => /^mcp_(?:server|client)_operation_duration_seconds_count.*"initialize"/.test(line));
  expect(
    counts.map((line) => [/error_type="([^"]*)"/.exec(line)?.[1] ?? '', line.split(' ').at(-1)]),
  ).toEqual([
    ['', '1'],
    ['', '1'],
  ]);
});

it.each(PAIRS)('opens sessions at /mcp with one that was %s and is %s', async (from, to) => {
  const { url, become } = await serve(from);
  expect(await callIn(`${url}/mcp`, 'u_x')).toEqual(over(from));
  become(to);
  expect(await callIn(`${url}/mcp`, 'u_x')).toEqual(over(to));
});

it.each(PAIRS)(
  'asks without a session at /mcp one that was %s and is %s, once it is known',
  async (from, to) => {
    const { url, become } = await serve(from);
    const call = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'u_x', arguments: {} } };
    const revision = { 'mcp-protocol-version': '2025-06-18' };
    expect((await post(`${url}/mcp`, call, revision)).message.result?.['content']).toEqual(over(from));
    become(to);
    await callIn(`${url}/u/mcp`, 'x');
    expect((await post(`${url}/mcp`, call, revision)).message.result?.['content']).toEqual(over(to));
  },
);
