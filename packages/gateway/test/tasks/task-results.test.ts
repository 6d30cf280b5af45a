/** What a task has come to is the result of the call that began it, also where that has failed. */
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, INITIALIZE, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const RELATED = { 'io.modelcontextprotocol/related-task': { taskId: 't-1' } };
const FAILED = {
  isError: true,
  content: [
    { type: 'text', text: 'task failed: disk full' },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
  ],
  structuredContent: { free: 0 },
  _meta: RELATED,
};

/** As the extension of 2026-07-28 has a task that failed. */
const FAILED_TASK = {
  taskId: 't-1',
  status: 'failed',
  createdAt: '2026-07-28T00:00:00Z',
  lastUpdatedAt: '2026-07-28T00:00:00Z',
  ttlMs: 60_000,
  error: { code: -32603, message: 'connect ECONNREFUSED postgres://svc:hunter2x9@10.0.0.5/prod' },
};

async function server(asked: string[] = []): Promise<{ url: string }> {
  return await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body || '{}') as {
      id?: number;
      method?: string;
      params?: { task?: object };
    };
    const tasks = { requests: { tools: { call: {} } }, cancel: {}, list: {} };
    const results: { readonly [method: string]: object } = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, tasks },
        serverInfo: { name: 's', version: '1' },
      },
      'tools/list': {
        tools: [{ name: 'job', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } }],
      },
      'tools/call': params?.task === undefined ? FAILED : { task: { taskId: 't-1', status: 'working' } },
      'tasks/result': FAILED,
      'tasks/get': FAILED_TASK,
    };
    asked.push(method ?? '');
    if (id === undefined) response.writeHead(body === '' ? 405 : 202).end();
    else json(response, 200, { jsonrpc: '2.0', id, result: results[method ?? ''] ?? {} });
  });
}

async function resultAt(path: string, tool: string, dialect = 'mayday') {
  const gateway = await open({ upstreams: { a: { url: (await server()).url } } });
  const url = `${gateway.url}${path}`;
  const said = { 'mayday-dialect': dialect };
  const { headers } = await post(url, INITIALIZE, said);
  const session = { ...said, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, call('tools/list'), session);
  const begin = callTool(tool) as { params: object };
  await post(url, { ...begin, params: { ...begin.params, task: { ttl: 60_000 } } }, session);
  return await post(url, call('tasks/result', { taskId: 't-1' }), session);
}

it.each([
  ['/a/mcp', 'job'],
  ['/mcp', 'a_job'],
])('is a failing result at %s, with all that the server said', async (path, tool) => {
  const { status, message } = await resultAt(path, tool);
  expect([status, message.error]).toEqual([200, undefined]);
  expect(message.result).toMatchObject({ isError: true, structuredContent: { free: 0 }, _meta: RELATED });
  expect(message.result?.['content']).toEqual([
    { type: 'text', text: expect.stringMatching(/^task failed: disk full\. [A-Z]/) },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
  ]);
});

it.each(['mcp', 'tool-failure'])('is one in the dialect %s, too', async (dialect) => {
  const { message } = await resultAt('/a/mcp', 'job', dialect);
  expect(message.result).toMatchObject({ isError: true });
});

it.each(['onx', 'erlmcp', 'closient'])('is what %s has for a tool that failed', async (dialect) => {
  const gateway = await open({ upstreams: { a: { url: (await server()).url } } });
  const said = { 'mayday-dialect': dialect };
  const direct = await post(`${gateway.url}/a/mcp`, callTool('job'), said);
  const { message } = await resultAt('/a/mcp', 'job', dialect);
  const form = ({ error, result }: { error?: { code: number }; result?: object }): unknown[] => [
    error?.code,
    Object.keys(result ?? {}),
  ];
  expect(form(message as never)).toEqual(form(direct.message as never));
});

it('is no failure of whoever asks for the task: it is asked for once, and told what became of it', async () => {
  const asked: string[] = [];
  const gateway = await open({ upstreams: { a: { url: (await server(asked)).url } } });
  const url = `${gateway.url}/a/mcp`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  const begin = callTool('job') as { params: object };
  await post(url, { ...begin, params: { ...begin.params, task: { ttl: 60_000 } } }, session);
  const { message } = await post(url, call('tasks/get', { taskId: 't-1' }), session);
  expect(message.error).toBeUndefined();
  expect(message.result).toMatchObject({ taskId: 't-1', status: 'failed', error: { code: -32603 } });
  expect(JSON.stringify(message)).not.toContain('hunter2x9');
  expect(asked.filter((method) => method === 'tasks/get')).toHaveLength(1);
});
