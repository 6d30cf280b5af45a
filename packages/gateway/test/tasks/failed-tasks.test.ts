/** A task of 2026-07-28 tells in its own object how it has failed: that is a failure of its tool, as any other. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const SECRET = 'postgres://svc:hunter2x9@10.0.0.5/prod';
const TASK = {
  resultType: 'complete',
  taskId: 't-1',
  statusMessage: `could not reach ${SECRET}`,
  createdAt: '2026-07-28T00:00:00Z',
  lastUpdatedAt: '2026-07-28T00:00:00Z',
  ttlMs: 60_000,
};
const THROWN = {
  ...TASK,
  status: 'failed',
  error: { code: -32603, message: `connect ECONNREFUSED ${SECRET}` },
};
const SAID = {
  ...TASK,
  status: 'completed',
  result: { isError: true, content: [{ type: 'text', text: `Order 7 not found at ${SECRET}` }] },
};
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

interface SaidOf {
  readonly result: {
    readonly taskId: string;
    readonly status: string;
    readonly error?: { readonly code: number; readonly data?: unknown };
    readonly result?: {
      readonly isError?: boolean;
      readonly error?: { readonly code: number };
      readonly _meta?: { readonly [key: string]: object };
    };
  };
}

async function asked(ended: object, path: string, dialect = 'mayday', args: object = {}) {
  const { url } = await upstream((body, response) => {
    const { id, method = '' } = JSON.parse(body || '{}') as { id?: number; method?: string };
    const { statusMessage: _words, ...begun } = TASK;
    const results: { readonly [method: string]: object } = {
      'server/discover': {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
        serverInfo: { name: 's', version: '1' },
      },
      'tools/list': { resultType: 'complete', tools: [{ name: 'job', inputSchema: { type: 'object' } }] },
      'tools/call': { ...begun, resultType: 'task', status: 'working' },
      'tasks/get': ended,
    };
    json(response, 200, { jsonrpc: '2.0', id, result: results[method] ?? {} });
  });
  const gateway = await open({ upstreams: { a: { url } } });
  const ask = (method: string, params: { readonly [name: string]: unknown }) =>
    post(`${gateway.url}${path}`, call(method, { ...params, _meta: ENVELOPE }), {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': String(params['name'] ?? params['taskId'] ?? ''),
      'mayday-dialect': dialect,
    });
  await ask('tools/call', { name: path === '/mcp' ? 'a_job' : 'job', arguments: args });
  const reply = await ask('tasks/get', { taskId: 't-1' });
  const faults = (await (await fetch(`${gateway.url}/-/faults`)).json()) as { faults: readonly object[] };
  return { reply, task: (reply.message as SaidOf).result, faults: faults.faults, logs: gateway.logs };
}

describe.each(['/a/mcp', '/mcp'])('at %s', (path) => {
  it('an error stays in its task, read, without secrets, and is recorded of its tool', async () => {
    const { reply, task, faults, logs } = await asked(THROWN, path);
    expect(reply.status).toBe(200);
    expect(task).toMatchObject({ taskId: 't-1', status: 'failed', ttlMs: 60_000, resultType: 'complete' });
    expect(task.error).toMatchObject({ code: -32603, data: { kind: 'unavailable', executed: 'maybe' } });
    expect(faults).toMatchObject([{ upstream: 'a', method: 'tasks/get', target: 'job' }]);
    expect(logs.join('\n')).toContain('job');
    expect(JSON.stringify([reply.message, faults, logs])).not.toContain('hunter2x9');
  });

  it('so does a failing result', async () => {
    const { task, faults, reply } = await asked(SAID, path);
    expect(task).toMatchObject({ taskId: 't-1', status: 'completed', result: { isError: true } });
    expect(task.result?._meta?.['dev.mayday/fault']).toMatchObject({ kind: 'not_found', executed: 'maybe' });
    expect(faults).toHaveLength(1);
    expect(JSON.stringify(reply.message)).not.toContain('hunter2x9');
  });

  it('a task that has not failed stays as it came', async () => {
    const done = { ...TASK, status: 'completed', result: { content: [{ type: 'text', text: 'fine' }] } };
    const { task, faults } = await asked(done, path);
    expect(task).toEqual(done);
    expect(faults).toEqual([]);
  });

  it.each([
    ['closient', 'completed', [undefined, -32300]],
    ['erlmcp', 'failed', [-32031, undefined]],
    ['problem', 'failed', [-32603, undefined]],
  ])('is said in the words of %s', async (dialect, status, codes) => {
    const { task, reply } = await asked(THROWN, path, dialect);
    expect([reply.status, task.taskId, task.status]).toEqual([200, 't-1', status]);
    expect([task.error?.code, task.result?.error?.code]).toEqual(codes);
  });

  it('what the call was sent with stands beside its failure as little as in it', async () => {
    const password = 'q7Rmb2Kx9WzT';
    const words = `value ${password} refused`;
    for (const ended of [
      { ...TASK, status: 'failed', statusMessage: words },
      { ...THROWN, statusMessage: words, error: { code: -32603, message: words } },
      { ...SAID, statusMessage: words },
    ]) {
      const { reply } = await asked(ended, path, 'mayday', { password });
      expect(reply.text).toContain('"statusMessage":"value [hidden] refused"');
      expect(reply.text).not.toContain(password);
    }
  });

  it.each(['platica', 'qaqnuz'])('says no more beside it than %s lets cross', async (dialect) => {
    const { task } = await asked({ ...THROWN, statusMessage: 'at db.js:12 in /srv/app' }, path, dialect);
    expect(task.taskId).toBe('t-1');
    expect(JSON.stringify(task)).not.toContain('/srv/app');
  });
});
