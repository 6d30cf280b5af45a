/** The error that a task ends with is what its call would have been answered: it is judged and told as the tool's. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, callTool, cleanUp, faultIn, INITIALIZE, json, open, post, upstream } from '../test/tools.ts';

afterEach(cleanUp);

const DONE = 'Payment booked as pay_991, but the receipt mail failed: 503';
const PARTLY = 'A part of it was done. Find out which; do not repeat the call.';
const LIMIT = 'Rate limit exceeded';

interface SaidOf {
  readonly error?: { readonly code: number; readonly message: string; readonly data?: object };
  readonly result?: {
    readonly isError?: boolean;
    readonly content: readonly [{ readonly text: string }];
    readonly error?: { readonly code: number; readonly data: { readonly retryable: boolean } };
  };
}

interface Asked {
  readonly path?: string;
  readonly tool?: string;
  readonly dialect?: string;
  readonly annotations?: object;
  /** What became of the task, in place of an error. */
  readonly result?: object;
  readonly methods?: string[];
}

/** What is answered when the result of a task is asked for that has ended with this error. */
async function ended(error: object, asked: Asked = {}) {
  const { path = '/a/mcp', tool = 'pay', dialect = 'mayday', annotations, result, methods = [] } = asked;
  const { url } = await upstream((body, response) => {
    const { id, method = '' } = JSON.parse(body || '{}') as { id?: number; method?: string };
    methods.push(method);
    const results: { readonly [method: string]: object } = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
        serverInfo: { name: 's', version: '1' },
      },
      'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' }, annotations }] },
      'tools/call': { task: { taskId: 't-1', status: 'working', createdAt: 'x', ttl: null } },
    };
    if (id === undefined) response.writeHead(body === '' ? 405 : 202).end();
    else if (method === 'tasks/result' && result === undefined)
      json(response, 200, { jsonrpc: '2.0', id, error });
    else
      json(response, 200, {
        jsonrpc: '2.0',
        id,
        result: method === 'tasks/result' ? result : (results[method] ?? {}),
      });
  });
  const gateway = await open({ upstreams: { a: { url, dialect } } });
  const at = `${gateway.url}${path}`;
  const { headers } = await post(at, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '', 'mayday-dialect': dialect };
  await post(at, call('tools/list'), session);
  const begin = callTool(tool) as { params: object };
  await post(at, { ...begin, params: { ...begin.params, task: { ttl: 60_000 } } }, session);
  const reply = await post(at, call('tasks/result', { taskId: 't-1' }), session);
  return { reply, said: reply.message as SaidOf };
}

const THROWN = { code: -32603, message: DONE };
const LIMITED = { code: -32603, message: LIMIT };

describe('of work that was done', () => {
  it('invites nobody in Closient (CL-25)', async () => {
    const { said } = await ended(THROWN, { dialect: 'closient' });
    expect([said.result?.error?.code, said.result?.error?.data.retryable]).toEqual([-32300, false]);
    expect(said.result?.content[0].text).toBe(`${DONE}. ${PARTLY}`);
  });

  it('is the failure of its tool in erlmcp (ER-41)', async () => {
    const { said } = await ended(THROWN, { dialect: 'erlmcp' });
    expect(said.error).toMatchObject({ code: -32031, data: { tool: 'pay', reason: DONE } });
  });

  it('invites nobody in Platica (PL-4)', async () => {
    const { said } = await ended(THROWN, { dialect: 'platica' });
    expect(JSON.parse(said.result?.content[0].text ?? '')).toMatchObject({ details: PARTLY });
  });

  it('invites nobody in onX, in an error or in a result (EM-20)', async () => {
    const failed = { isError: true, content: [{ type: 'text', text: DONE }] };
    const ways = [{}, { result: failed }].map((way) => ended(THROWN, { dialect: 'onx', ...way }));
    for (const { said } of await Promise.all(ways)) {
      expect(JSON.stringify(said)).toContain(PARTLY);
      expect(JSON.stringify(said)).toContain('"retryable":false');
    }
  });

  it('invites nobody in our own', async () => {
    const { reply } = await ended(THROWN);
    expect(faultIn(reply)).toMatchObject({ executed: 'maybe', retryable: false, advice: PARTLY });
  });
});

describe('of a limit', () => {
  it('is none to wait out in Closient (CL-19)', async () => {
    const { said } = await ended(LIMITED, { dialect: 'closient' });
    expect([said.result?.error?.code, said.result?.error?.data.retryable]).toEqual([-32300, false]);
  });

  it('is none to wait out in erlmcp (ER-33)', async () => {
    const { said } = await ended(LIMITED, { dialect: 'erlmcp' });
    expect(said.error?.code).toBe(-32031);
  });

  it('has no words that the client of qaqnuz waits out (QA-11)', async () => {
    const { said } = await ended(LIMITED, { dialect: 'qaqnuz' });
    expect(said.result?.isError).toBe(true);
    expect(JSON.stringify(said)).not.toMatch(/rate[ -]?limit/i);
  });

  it('is one to wait out where the tool only reads', async () => {
    const { said } = await ended(LIMITED, { dialect: 'closient', annotations: { readOnlyHint: true } });
    expect([said.result?.error?.code, said.result?.error?.data.retryable]).toEqual([-32003, true]);
  });
});

it.each([
  ['/a/mcp', 'pay'],
  ['/mcp', 'a_pay'],
])('is final at %s: nobody asks for it again', async (path, tool) => {
  const methods: string[] = [];
  const { reply } = await ended(
    { code: -32603, message: 'Service unavailable: 503' },
    { path, tool, methods },
  );
  expect(methods.filter((method) => method === 'tasks/result')).toHaveLength(1);
  expect(faultIn(reply)).toMatchObject({ executed: 'maybe' });
});

it.each([
  { code: -32602, message: 'Task not found: t-1' },
  { code: -32602, message: 'Failed to retrieve task: Task has expired' },
  { code: -32601, message: 'Method not found' },
])('is none of the tool where it is about the question: $message', async (error) => {
  const { reply } = await ended(error, { dialect: 'mayday' });
  expect((reply.message as SaidOf).error?.code).toBe(error.code);
});

it("is the tool's where its schema did not take the arguments", async () => {
  const message = 'Input validation error: Invalid arguments for tool pay: amount: Required';
  const { said } = await ended({ code: -32602, message }, { dialect: 'erlmcp' });
  expect(said.error).toMatchObject({ code: -32034, data: { tool: 'pay' } });
});
