/** Whatever ends while somebody waits for a task: who waits is told that it may have been done. */
import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import {
  call,
  cleanUp,
  faultIn,
  INITIALIZE,
  json,
  open,
  post,
  settingsOf,
  until,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

/** Never gives the result of a task; its state says how many wait for that. */
const SERVER = `let waiting = 0;
const task = () => ({ taskId: 'T' + process.pid, status: 'working', statusMessage: String(waiting), createdAt: 'x', lastUpdatedAt: 'x', ttl: null });
const results = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } }, serverInfo: { name: 's', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'job', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ task: task() }),
  'tasks/get': task,
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'tasks/result' && params.taskId === task().taskId) waiting += 1;
  else if (method.startsWith('tasks/') && params.taskId !== task().taskId)
    console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32602, message: 'Task not found' } }));
  else console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.() ?? {} }));
});`;

const P = { command: process.execPath, args: ['-e', SERVER] };
const Q = { command: process.execPath, args: ['-e', SERVER, 'another'] };
const OWN = { authorization: 'Bearer of-ann' };

type Headers = { readonly [name: string]: string };

async function session(url: string): Promise<Headers> {
  const { headers } = await post(url, INITIALIZE, OWN);
  const own = { ...OWN, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, own);
  return own;
}

/** A task, and three who wait for it: in the session that began it, in another one, and in none. */
async function house(path: string, name: string) {
  const gateway = await open({ upstreams: { p: P, q: Q } });
  const url = gateway.url + path;
  const [first, second] = [await session(url), await session(url)];
  const { message } = await post(url, call('tools/call', { name, arguments: {}, task: {} }), first);
  const taskId = String((message.result?.['task'] as { taskId: string } | undefined)?.taskId);
  const ask = (method: string, headers: Headers) => post(url, call(method, { taskId }), headers);
  const waiting = [first, second, OWN].map((headers) => ask('tasks/result', headers));
  const seen = async () => (await ask('tasks/get', first)).message.result?.['statusMessage'];
  await until(async () => (await seen()) === '3');
  const waited = Promise.all(waiting).then((all) => all.map(faultIn));
  return {
    gateway,
    waited,
    pid: Number(taskId.slice(1)),
    again: () => ask('tasks/get', second).then(faultIn),
  };
}

const MAYBE = { kind: 'disconnected', executed: 'maybe' };
const OVER = { ...MAYBE, reaction: 'terminal', retryable: false, retry: { when: 'never' } };

const PLACES = [
  ['/p/mcp', 'job'],
  ['/mcp', 'p_job'],
] as const;

it.each(PLACES)('the gateway, at %s', async (path, name) => {
  const { gateway, waited } = await house(path, name);
  await gateway.close(200);
  expect(await waited).toMatchObject([MAYBE, MAYBE, MAYBE]);
});

it.each(PLACES)('the process, at %s: it does not come back', async (path, name) => {
  const { waited, pid, again } = await house(path, name);
  process.kill(pid, 'SIGKILL');
  expect(await waited).toMatchObject([OVER, OVER, OVER]);
  expect(await again()).toMatchObject(OVER);
});

it.each(PLACES)('the gateway after a reload without its server, at %s', async (path, name) => {
  const { gateway, waited } = await house(path, name);
  await gateway.reload(settingsOf({ upstreams: { q: Q } }));
  await gateway.close(200);
  expect(await waited).toMatchObject([MAYBE, MAYBE, MAYBE]);
});

it.each([
  ['/u/mcp', 'job', 'auto'],
  ['/u/mcp', 'job', 'http'],
  ['/mcp', 'u_job', 'http'],
] as const)('the server at a URL, at %s (%s, %s)', async (path, name, transport) => {
  const held: ServerResponse[] = [];
  const task = {
    taskId: 'b5f1c0de-0001-4000-8000-0123456789ab',
    status: 'working',
    createdAt: 'x',
    lastUpdatedAt: 'x',
    ttl: null,
  };
  let isGone = false;
  const { url } = await upstream((body, response, request) => {
    if (isGone) return void response.destroy();
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body);
    const results: { [method: string]: object } = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, tasks: {} },
        serverInfo: { name: 's', version: '1' },
      },
      'tools/list': { tools: [{ name: 'job', inputSchema: { type: 'object' } }] },
      'tools/call': { task },
    };
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'tasks/result') return void held.push(response);
    json(response, 200, { jsonrpc: '2.0', id, result: results[method] ?? {} }, { 'mcp-session-id': 's-1' });
  });
  const gateway = await open({ upstreams: { u: { url, transport } } });
  const at = gateway.url + path;
  const own = await session(at);
  await post(at, call('tools/call', { name, arguments: {}, task: {} }), own);
  const waited = post(at, call('tasks/result', { taskId: task.taskId }), own);
  await until(() => held.length === 1);
  isGone = true;
  held[0]?.destroy();
  expect(faultIn(await waited)).toMatchObject(MAYBE);
});
