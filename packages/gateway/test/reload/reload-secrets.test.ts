/** A session that stays with its server after a reload is told nothing of what that server was given, either. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import type { SettingsFile } from '../../src/index.ts';
import { call, callTool, cleanUp, INITIALIZE, json, open, post, settingsOf, upstream } from '../tools.ts';

afterEach(cleanUp);

const OLD = 'qzorbatulaim77';
const NEW = 'vexilomantra55';

/** Says the key that it was started with in all that it says: failures, messages, tasks, errors. */
const PROCESS = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const text = 'Login with ' + process.env.MY_API_KEY + ' failed';
  const tasks = { list: {}, requests: { tools: { call: {} } } };
  const opened = { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {}, tasks }, serverInfo: { name: 's', version: '1' } };
  const now = new Date().toISOString();
  const task = { taskId: 'T1', status: 'failed', statusMessage: text, createdAt: now, lastUpdatedAt: now, ttl: 60000 };
  if (method === 'initialize') return say({ id, result: opened });
  if (method === 'tools/list')
    return say({ id, result: { tools: [{ name: 'x', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } }] } });
  if (params.task) return say({ id, result: { task: { ...task, status: 'working', statusMessage: 'begun' } } });
  if (method === 'tasks/get') return say({ id, result: task });
  if (method === 'tasks/list') return say({ id, result: { tasks: [task] } });
  console.error(text);
  say({ method: 'notifications/message', params: { level: 'error', data: text } });
  say({ id, result: { isError: true, content: [{ type: 'text', text }] } });
});`;

const processWith = (env: { readonly [name: string]: string }): SettingsFile => ({
  upstreams: { a: { command: process.execPath, args: ['-e', PROCESS], env } },
});

async function session(url: string) {
  const { headers } = await post(url, INITIALIZE);
  const id = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, id);
  let asked = 1;
  return (method: string, params: object = {}) => post(url, call(method, params, ++asked), id);
}

it.each([
  ['exchanged', processWith({ MY_API_KEY: NEW })],
  ['taken away', processWith({})],
])('where the key of a process is %s: answers, messages, tasks, the log', async (_how, after) => {
  const gateway = await open(processWith({ MY_API_KEY: OLD }));
  const ask = await session(`${gateway.url}/a/mcp`);
  await ask('tools/list');
  const begun = await ask('tools/call', { name: 'x', arguments: {}, task: { ttl: 60_000 } });
  expect(begun.text).toContain('T1');
  gateway.reload(settingsOf(after));
  const failed = await ask('tools/call', { name: 'x', arguments: {} });
  expect(failed.message.result?.['content']).toEqual([
    { type: 'text', text: expect.stringContaining('Login with [hidden] failed') },
  ]);
  expect(failed.text).toContain('"data":"Login with [hidden] failed"');
  for (const [method, params] of [
    ['tasks/get', { taskId: 'T1' }],
    ['tasks/list', {}],
    ['tasks/result', { taskId: 'T1' }],
  ] as const) {
    const { text } = await ask(method, params);
    expect(text, method).toContain('Login with [hidden] failed');
    expect(text, method).not.toContain(OLD);
  }
  const faults = await (await fetch(`${gateway.url}/-/faults`)).text();
  await expect.poll(() => gateway.logs.join('\n')).toContain('stderr: Login with [hidden] failed');
  expect(failed.text + faults + gateway.logs.join('\n')).not.toContain(OLD);
});

it('where the key of a process was exchanged twice', async () => {
  const gateway = await open(processWith({ MY_API_KEY: OLD }));
  const ask = await session(`${gateway.url}/a/mcp`);
  for (const key of [NEW, 'ombracelesti99']) gateway.reload(settingsOf(processWith({ MY_API_KEY: key })));
  const { text } = await ask('tools/call', { name: 'x', arguments: {} });
  expect(text).toContain('Login with [hidden] failed');
  expect(text).not.toContain(OLD);
});

/** An API, and a server over HTTP+SSE, that refuse a key by saying it. */
async function refusing() {
  let stream: ServerResponse | undefined;
  const bad = (headers: IncomingHttpHeaders): string => `bad key ${String(headers['x-api-key'])}`;
  const served = await upstream((body, response, { url = '', method, headers }) => {
    const document = {
      openapi: '3.0.0',
      info: { title: 'x', version: '1' },
      servers: [{ url: served.url.replace('/mcp', '') }],
      paths: { '/thing': { get: { operationId: 'x', responses: {} } } },
    };
    if (url.endsWith('/document')) return json(response, 200, document);
    if (url.endsWith('/thing')) return json(response, 400, { error: bad(headers) });
    if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /said\n\n');
      stream = response;
      return;
    }
    response.writeHead(202).end();
    const asked = JSON.parse(body) as { id?: number; method: string };
    const opened = {
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '1' },
    };
    const failed = { isError: true, content: [{ type: 'text', text: bad(headers) }] };
    const result = asked.method === 'initialize' ? opened : failed;
    if (asked.id !== undefined)
      stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: asked.id, result })}\n\n`);
  });
  const root = served.url.replace('/mcp', '');
  const withKey = (key: string): SettingsFile => ({
    upstreams: {
      api: { openapi: `${root}/document`, headers: { 'x-api-key': key } },
      sse: { url: `${root}/sse`, transport: 'sse', headers: { 'x-api-key': key } },
    },
  });
  return withKey;
}

it.each(['api', 'sse'])('where a header is exchanged: %s', async (name) => {
  const withKey = await refusing();
  const gateway = await open(withKey(OLD));
  const ask = await session(`${gateway.url}/${name}/mcp`);
  gateway.reload(settingsOf(withKey(NEW)));
  const { text } = await ask('tools/call', (callTool('x') as { params: object }).params);
  expect(text).toContain('bad key [hidden]');
  const faults = await (await fetch(`${gateway.url}/-/faults`)).text();
  expect(text + faults + gateway.logs.join('\n')).not.toContain(OLD);
});
