/** The same for tasks in sessions that the gateway has with a server at a URL: `/mcp` has one for each of its own. */
import { rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Gateway, scratch, startGateway } from '../../acceptance/support/gateway.ts';
import { cleanUp, json, upstream } from '../tools.ts';
import { as, both, keyOf } from './two-workers.ts';

const folder = scratch();
const ANN = as('ann');
let gateway: Gateway;
let url: string;

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
beforeAll(async () => {
  ({ url } = await upstream(serve));
  const keys = ['ann', 'bob'].map((name) => ({ name, key: keyOf(name) }));
  gateway = await startGateway({ workers: 2, keys, upstreams: { p: { url } } }, { folder });
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  await cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

/** What waits in each session: for the result of its one task, which is what the client answers. */
const waiting = new Map<string, { readonly response: ServerResponse; readonly id: unknown }>();
let sessions = 0;

const TASK = { taskId: 'task-1', status: 'working', createdAt: 'x', lastUpdatedAt: 'x', ttl: null };
const RESULTS: { readonly [method: string]: object } = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    serverInfo: { name: 's', version: '1' },
  },
  'tools/list': { tools: [{ name: 'job', inputSchema: { type: 'object' } }] },
  'tools/call': { task: TASK },
  'tasks/list': { tasks: [TASK] },
};

function serve(body: string, response: ServerResponse, request: IncomingMessage): void {
  const { id, method, result: said } = JSON.parse(body);
  const session = String(request.headers['mcp-session-id']);
  const result = RESULTS[method];
  const asked = waiting.get(session);
  if (result !== undefined) {
    const headers = method === 'initialize' ? { 'mcp-session-id': `session-${++sessions}` } : {};
    json(response, 200, { jsonrpc: '2.0', id, result }, headers);
  } else if (method === 'tasks/result') {
    waiting.set(session, { response, id });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    sayIn(response, { id: 7, method: 'elicitation/create', params: { message: session } });
  } else {
    response.writeHead(202).end();
    if (method !== undefined || asked === undefined) return;
    const text = `${session} ${said.action}`;
    sayIn(asked.response, { id: asked.id, result: { content: [{ type: 'text', text }] } });
    asked.response.end();
  }
}

function sayIn(response: ServerResponse, message: object): void {
  response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
}

it('is put to whoever waits at another worker, and answered in the session that asks', async () => {
  const [first, second] = await both(`${gateway.url}/mcp`, ANN);
  for (const [at, from] of [
    [first, second],
    [second, first],
  ] as const) {
    const task = await at.begin();
    const coming = from.wait(task);
    const question = await coming.next('elicitation/create');
    const { message } = question.params as { message: string };
    await from.answer(question, { action: 'accept' });
    expect((await coming.next()).result.content).toEqual([{ type: 'text', text: `${message} accept` }]);
  }
  const ids = await Promise.all(
    [first, second].map(async (client) =>
      (await client.ask('tasks/list')).result.tasks.map(({ taskId }: { taskId: string }) => taskId).sort(),
    ),
  );
  expect(ids[0]).toHaveLength(2);
  expect(ids[0]).toEqual(ids[1]);
  const [bob] = await both(`${gateway.url}/mcp`, as('bob'));
  expect((await bob.ask('tasks/list')).result.tasks).toEqual([]);
});
