/** What a server tells by itself, and who may not use what it names: at every door, in both eras. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import {
  call,
  callTool,
  cleanUp,
  INITIALIZE,
  JSON_TYPES,
  json,
  later,
  open,
  post,
  settingsOf,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

const updated = (uri: string, more: object = {}) => ({
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri, ...more },
});
const KEY = { authorization: 'Bearer ann-secret' };
const BOSS = { authorization: 'Bearer boss-secret' };
const HOUSE = {
  keys: [
    { name: 'ann', key: 'ann-secret' },
    { name: 'boss', key: 'boss-secret' },
  ],
  access: { rules: [{ deny: ['u/x://secret*', 'u/pay'], callers: ['ann'] }] },
};

/** Tells of three resources whenever it is called, and of a task as its argument has it. */
const PROCESS = {
  command: process.execPath,
  args: [
    '-e',
    `const send = (said) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...said }) + '\\n');
     const told = (method, params) => send({ method: 'notifications/' + method, params });
     require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
       const { id, method, params } = JSON.parse(line);
       const ok = (result) => send({ id, result });
       if (method === 'initialize') return ok({ protocolVersion: params.protocolVersion, serverInfo: { name: 'u', version: '1' },
         capabilities: { tools: {}, resources: { subscribe: true }, tasks: { requests: { tools: { call: {} } } } } });
       if (method === 'tools/list') return ok({ tools: ['look', 'pay'].map((name) => ({ name, inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } })) });
       if (method !== 'tools/call') return id !== undefined && ok({});
       if (params.task) return ok({ task: { taskId: params.arguments.task, status: 'working', ttl: 60000, createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' } });
       for (const uri of ['x://open', 'x://secret/plan', 'X://secret', 'x://other']) told('resources/updated', { uri });
       for (const taskId of params.arguments?.tell ?? []) told('tasks/status', { taskId, status: 'working', ttl: 60000, createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' });
       ok({ content: [] });
     });`,
  ],
};

/** A session with its standing stream, and all that comes in it. */
async function session(url: string, headers: { readonly [name: string]: string }) {
  const opened = await post(url, INITIALIZE, headers);
  const own = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, own);
  const stream = await listening(url, { headers: { ...own, accept: 'text/event-stream' } });
  return { own, stream };
}

/** What has come in a stream by now. */
async function listening(url: string, init: RequestInit) {
  const ender = new AbortController();
  later(() => ender.abort());
  const response = await fetch(url, { ...init, signal: ender.signal });
  const heard = { text: '' };
  const read = async (): Promise<void> => {
    for await (const piece of response.body ?? []) heard.text += Buffer.from(piece).toString('utf8');
  };
  read().catch(() => undefined);
  return heard;
}

/** The resources that it was told of, once the last has come. */
async function toldOf(stream: { readonly text: string }, last: string): Promise<string[]> {
  while (!stream.text.includes(last)) await pause(10);
  return [...stream.text.matchAll(/"uri":"([^"]*)"/g)].map(([, uri = '']) => uri);
}

it.each([
  ['/u/mcp', 'look'],
  ['/mcp', 'u_look'],
])('in a session with a process, at %s', async (path, look) => {
  const gateway = await open({ ...HOUSE, upstreams: { u: PROCESS } });
  for (const [who, uris] of [
    [KEY, ['x://open', 'x://other']],
    [BOSS, ['x://open', 'x://secret/plan', 'X://secret', 'x://other']],
  ] as const) {
    const { own, stream } = await session(gateway.url + path, who);
    await post(gateway.url + path, callTool(look), own);
    expect(await toldOf(stream, 'x://other')).toEqual(uris);
  }
});

it.each([
  ['/u/mcp', ''],
  ['/mcp', 'u_'],
])('of tasks whose tool their caller may no longer use, at %s', async (path, prefix) => {
  const gateway = await open({ ...HOUSE, access: { rules: [] }, upstreams: { u: PROCESS } });
  const url = gateway.url + path;
  const { own, stream } = await session(url, KEY);
  const [paid, looked] = ['b7f1c0d2-9a3e-4c58-8f66-0d5e2a7b91c4', '3e9a1d70-52cb-4f0e-9b1d-c8a6f04e7725'];
  for (const [name, task] of [
    ['pay', paid],
    ['look', looked],
  ])
    await post(url, call('tools/call', { name: `${prefix}${name}`, arguments: { task }, task: {} }), own);
  const tell = { tell: [paid, looked, 'not begun here'] };
  await post(url, callTool(`${prefix}look`, tell), own);
  while (!stream.text.includes('not begun here')) await pause(10);
  expect(stream.text).toContain(paid);
  stream.text = '';
  gateway.reload(settingsOf({ ...HOUSE, upstreams: { u: PROCESS } }));
  await post(url, callTool(`${prefix}look`, tell), own);
  while (!stream.text.includes('not begun here')) await pause(10);
  expect(stream.text).toContain(looked);
  expect(stream.text).not.toContain(paid);
});

/** A server over HTTP whose streams tell of three resources, under ids. */
async function overHttp() {
  const streams: ((uri: string) => void)[] = [];
  const { url, seen } = await upstream((body, response, request) => {
    const { id, method, params } = JSON.parse(body || '{}');
    const stream = (): void => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = id === undefined ? {} : { _meta: { 'io.modelcontextprotocol/subscriptionId': id } };
      streams.push((uri) =>
        response.write(`id: e-${uri.length}\ndata: ${JSON.stringify(updated(uri, more))}\n\n`),
      );
    };
    if (request.method === 'GET') {
      stream();
      response.write(': there\n\n');
    } else if (request.method === 'DELETE' || id === undefined) response.writeHead(202).end();
    else if (method === 'subscriptions/listen') {
      stream();
      const acknowledged = {
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: {
          _meta: { 'io.modelcontextprotocol/subscriptionId': id },
          notifications: { ...params.notifications, resourceSubscriptions: ['x://open', 'x://secret'] },
        },
      };
      response.write(`data: ${JSON.stringify(acknowledged)}\n\n`);
    } else if (method === 'initialize') {
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, resources: { subscribe: true } },
        serverInfo: { name: 'u', version: '1' },
      };
      json(
        response,
        200,
        { jsonrpc: '2.0', id, result },
        { 'mcp-session-id': 'e5d0c2f4-77aa-4b1c-9d2e-8a41f3b6c09d' },
      );
    } else if (method === 'server/discover') {
      const result = {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
        serverInfo: { name: 'u', version: '1' },
      };
      json(response, 200, { jsonrpc: '2.0', id, result });
    } else json(response, 200, { jsonrpc: '2.0', id, result: { resultType: 'complete', tools: [] } });
  });
  const tell = async (): Promise<void> => {
    while (streams.length === 0) await pause(10);
    for (const uri of ['x://open', 'x://secret/plan', 'x://other']) for (const say of streams) say(uri);
  };
  return { url, seen, tell };
}

it('in a session with a server over HTTP, also where a stream is taken up again', async () => {
  const server = await overHttp();
  const gateway = await open({ ...HOUSE, upstreams: { u: { url: server.url } } });
  const url = `${gateway.url}/u/mcp`;
  const { own, stream } = await session(url, KEY);
  await server.tell();
  expect(await toldOf(stream, 'x://other')).toEqual(['x://open', 'x://other']);
  // The place of what was not told is.
  const ids = [...stream.text.matchAll(/^id: (.+)$/gm)].map(([, id = '']) => id);
  expect(ids).toHaveLength(3);
  const again = await listening(url, {
    headers: { ...own, accept: 'text/event-stream', 'last-event-id': ids[1] ?? '' },
  });
  await server.tell();
  expect(await toldOf(again, 'x://other')).toEqual(['x://open', 'x://other']);
  expect(server.seen.at(-1)?.headers['last-event-id']).toBe('e-15');
});

const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
};

it.each(
  ['/u/mcp', '/mcp'].flatMap((path) => [
    [path, { resourceSubscriptions: ['x://open', 'x://secret'], toolsListChanged: true }] as const,
    [path, { toolsListChanged: true }] as const,
  ]),
)('in a subscription at %s to %j', async (path, notifications) => {
  const server = await overHttp();
  const gateway = await open({ ...HOUSE, upstreams: { u: { url: server.url } } });
  const stream = await listening(gateway.url + path, {
    method: 'POST',
    headers: {
      ...JSON_TYPES,
      ...KEY,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify(call('subscriptions/listen', { _meta: MODERN, notifications })),
  });
  await server.tell();
  expect(await toldOf(stream, 'x://other')).toEqual(['x://open', 'x://other']);
  expect(stream.text).toContain('"resourceSubscriptions":["x://open"]');
});
