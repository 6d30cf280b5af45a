/** The error that a task ends with is what its call would have been answered: it is judged and told as the tool's. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, callTool, cleanUp, faultIn, INITIALIZE, json, open, post, upstream } from '../tools.ts';

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
  /** What the server is said to speak. */
  readonly from?: string;
  readonly annotations?: object;
  /** What became of the task, in place of an error. */
  readonly result?: object;
  readonly methods?: string[];
}

/** What is answered when the result of a task is asked for that has ended with this error. */
async function ended(error: object, asked: Asked = {}) {
  const {
    path = '/a/mcp',
    tool = 'pay',
    dialect = 'mayday',
    from,
    annotations,
    result,
    methods = [],
  } = asked;
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
  const gateway = await open({ upstreams: { a: { url, dialect, from } } });
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

describe('of a limit that a named document defines', () => {
  const ERLMCP = { code: -32010, message: LIMIT, data: { limit: 1, window: 1, retry_after: 1 } };
  const CLOSIENT = {
    code: -32003,
    message: 'Rate Limited',
    data: { title: 'Rate Limited', status: 429, error_code: 'rate_limited', retryable: true, retry_after: 1 },
  };
  const DRAFT = { code: -32023, message: 'Rate limited', data: { retryAfterMs: 100 } };

  it.each<[string, object, Asked]>([
    ['erlmcp', ERLMCP, {}],
    ['closient', CLOSIENT, {}],
    ['closient', CLOSIENT, { result: { content: [], error: CLOSIENT } }],
    ['mcp@draft', DRAFT, {}],
  ])('%s: the work had begun', async (from, error, way) => {
    const asked = await Promise.all([
      ended(error, { from, ...way }),
      ended(error, { from, ...way, path: '/mcp', tool: 'a_pay' }),
    ]);
    expect(asked.map(({ reply }) => faultIn(reply)?.['executed'])).toEqual(['maybe', 'maybe']);
  });

  it('is not one to wait out in any other document (ER-33, CL-19)', async () => {
    const erlmcp = await ended(ERLMCP, { from: 'erlmcp', dialect: 'erlmcp' });
    expect(JSON.stringify(erlmcp.said.error)).toContain('"happened":"maybe"');
    const closient = await ended(ERLMCP, { from: 'erlmcp', dialect: 'closient' });
    expect([closient.said.result?.error?.code, closient.said.result?.error?.data.retryable]).toEqual([
      -32300,
      false,
    ]);
  });
});

it.each([
  { code: -32602, message: 'amount is required' },
  { code: -32601, message: 'Method not found' },
])('proves nothing, whatever its number: $message', async (error) => {
  const { reply } = await ended(error);
  expect(faultIn(reply)).toMatchObject({ executed: 'maybe' });
});

it('is believed where the server declares in our own form that nothing was done', async () => {
  const fault = { kind: 'rate_limited', executed: 'no', retryable: true, message: 'Busy', origin: 'server' };
  const document = { ...fault, reaction: 'retryable', retry: { when: 'after_wait', after_ms: 100 } };
  const result = {
    isError: true,
    content: [{ type: 'text', text: 'Busy' }],
    _meta: { 'dev.mayday/fault': document },
  };
  const { reply } = await ended({}, { result });
  expect(faultIn(reply)).toMatchObject({ executed: 'no' });
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
