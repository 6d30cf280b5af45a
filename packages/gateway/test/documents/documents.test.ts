/**
 * What servers of all kinds say, through the gateway, in the five documents' own codes, words and members. What a document
 * has no place for stands under one name, or nowhere.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { call, callTool, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const asking = (dialect: string): { [name: string]: string } => ({ 'mayday-dialect': dialect });
const text = (said: string): object => ({ isError: true, content: [{ type: 'text', text: said }] });

/** The answer to a call of `pay`, when the server answers it so. */
async function through(
  dialect: string,
  answer: object,
  { asked = callTool('pay'), tools = [{ name: 'pay', inputSchema: { type: 'object' } }] as object[] } = {},
) {
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    json(response, 200, {
      jsonrpc: '2.0',
      id,
      ...(method === 'tools/list' ? { result: { tools } } : answer),
    });
  });
  const gateway = await open({ upstreams: { a: { url } } });
  await post(`${gateway.url}/a/mcp`, call('tools/list'));
  return (await post(`${gateway.url}/a/mcp`, asked, asking(dialect))).message;
}

/** One that is listed is there, whatever is said of its name. */
const NOT_LISTED = { tools: [{ name: 'look', inputSchema: { type: 'object' } }] };
const UNKNOWN_TOOL = [
  { error: { code: -32602, message: 'Tool pay not found' } },
  { error: { code: -32602, message: 'MCP error -32602: Tool pay not found' } },
  { result: text('MCP error -32602: Tool pay not found') },
  { result: text('Tool pay not found') },
  { error: { code: -32002, message: 'Tool not found', data: { tool: 'pay' } } },
];
const WRONG =
  'MCP error -32602: Input validation error: Invalid arguments for tool pay: b: Invalid input: expected number, received undefined';

describe('platica', () => {
  const RAW = '{"code":404,"error":"Client not found","details":"..."}';

  it('PL-5 PL-13 PL-14 the body as it came, and parsed', async () => {
    const { result } = await through('platica', { result: text(RAW) });
    expect(result).toEqual({
      ...text(RAW),
      structuredContent: { code: 404, error: 'Client not found', details: '...' },
    });
  });

  it('PL-14 not parsed for a tool that promises another form to clients of 2025', async () => {
    const tools = [{ name: 'pay', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } }];
    expect((await through('platica', { result: text(RAW) }, { tools })).result).toEqual(text(RAW));
  });

  it.each(UNKNOWN_TOOL)('PL-15 PL-18 an unknown tool is -32602: %j', async (answer) => {
    expect((await through('platica', answer, NOT_LISTED)).error).toEqual({
      code: -32602,
      message: 'Unknown tool: pay',
    });
  });

  it('an unknown method is -32601', async () => {
    const answer = { error: { code: -32601, message: 'Method not found' } };
    const { error } = await through('platica', answer, { asked: call('no/such') });
    expect(error).toEqual({ code: -32601, message: 'Unknown method: no/such' });
  });

  it('PL-20 PL-21 PL-22 what is wrong with arguments, in Zod’s form', async () => {
    const issue = {
      path: ['b'],
      message: 'Invalid input: expected number, received undefined',
      code: 'invalid_type',
    };
    expect((await through('platica', { result: text(WRONG) })).result).toEqual({
      ...text('b: Invalid input: expected number, received undefined'),
      structuredContent: { issues: [issue] },
    });
  });

  it('speaks no other dialect’s data', async () => {
    const data = {
      type: 'https://closient.com/docs/errors/not_found',
      error_code: 'not_found',
      retryable: false,
    };
    const error = {
      code: -32200,
      message: 'Not Found',
      data: { ...data, title: 'Not Found', status: 404, detail: 'No GTIN' },
    };
    const { result } = await through('platica', { result: { ...text('No GTIN'), error } });
    expect(Object.keys(result ?? {})).toEqual(['isError', 'content', 'structuredContent']);
    expect(result?.['structuredContent']).toMatchObject({ code: 404, error: 'No GTIN' });
    expect(JSON.stringify(result)).not.toContain('closient');
  });
});

/** Words alone prove nothing about the work, and a document's code would. */
const DOUBTED = { 'dev.mayday/error': { happened: 'maybe' } };

/** The protocol layer's own refusal proves it: nothing is in doubt. */
function doubtOf(answer: object): object {
  return 'error' in answer && (answer.error as { code: number }).code === -32602 ? {} : DOUBTED;
}

describe('erlmcp', () => {
  it.each(UNKNOWN_TOOL)('ER-25 an unknown tool is -32002: %j', async (answer) => {
    const data = { tool: 'pay', ...doubtOf(answer) };
    const error = { code: -32002, message: 'Tool not found', data };
    expect((await through('erlmcp', answer, NOT_LISTED)).error).toEqual(error);
  });

  it('ER-47 names the parameter that is missing', async () => {
    const data = { tool: 'pay', details: 'Missing required parameter: b', ...DOUBTED };
    const error = { code: -32034, message: 'Invalid tool arguments', data };
    expect((await through('erlmcp', { result: text(WRONG) })).error).toEqual(error);
  });

  it('ER-21 an unknown method', async () => {
    const answer = { error: { code: -32601, message: 'Method not found' } };
    const { error } = await through('erlmcp', answer, { asked: call('no/such') });
    expect(error).toEqual({ code: -32601, message: 'Method not found', data: { method: 'no/such' } });
  });

  it('ER-44 a tool that failed, and the rest under our name', async () => {
    const answer = {
      result: { ...text('Order 7 is shipped already'), structuredContent: { order: 7, free_on: 'Friday' } },
    };
    expect((await through('erlmcp', answer)).error).toEqual({
      code: -32031,
      message: 'Tool execution failed',
      data: {
        tool: 'pay',
        reason: 'Order 7 is shipped already',
        'dev.mayday/error': { result: { structuredContent: { order: 7, free_on: 'Friday' } } },
      },
    });
  });

  it('says nothing bare of another dialect', async () => {
    const error = {
      code: 4001,
      message: 'Adapter error',
      retryable: false,
      details: { originalError: 'ORDER_NOT_FOUND' },
    };
    const { data } = (await through('erlmcp', { result: { ...text('Adapter error'), error } })).error ?? {};
    expect(Object.keys(data as object).sort()).toEqual(['dev.mayday/error', 'reason', 'tool']);
  });
});

describe('qaqnuz', () => {
  const one = (said: string): object => ({ content: [{ type: 'text', text: said }], isError: true });

  it.each(UNKNOWN_TOOL)('QA-4 QA-15 an unknown tool is out of reach: %j', async (answer) => {
    expect((await through('qaqnuz', answer, NOT_LISTED)).result).toEqual(
      one('This tool is not available for your key.'),
    );
  });

  // biome-ignore format: a table
  it.each([
    ['QA-6', text('connect ECONNREFUSED postgres://svc:hunter2@10.0.0.5:5432/prod'), 'Unavailable. It may have happened; check before you repeat a change.'],
    ['QA-13 QA-27', text('Too many requests, retry after 7 seconds'), 'The call was not completed. It may have happened; check before you repeat a change.'],
    ['QA-4', { ...text('There is no such contact'), structuredContent: { a: 1 }, _meta: { 'a.example/b': 1 } }, 'There is no such contact'],
    ['QA-4', text(WRONG), 'Invalid arguments for tool pay: b: Invalid input: expected number, received undefined'],
  ])('%s one text: %j', async (_id, result, said) => {
    expect((await through('qaqnuz', { result })).result).toEqual(one(said));
  });

  it('QA-26 a limit met by a tool that only reads is the platform’s sentence', async () => {
    const tools = [{ name: 'pay', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }];
    const result = text('Too many requests, retry after 7 seconds');
    expect((await through('qaqnuz', { result }, { tools })).result).toEqual(
      one('Rate limit exceeded. Please wait before sending more requests.'),
    );
  });
});

describe('onx', () => {
  it.each(UNKNOWN_TOOL)('EM-26 an unknown tool is -32602: %j', async (answer) => {
    const error = {
      code: -32602,
      message: 'Invalid params',
      data: { field: 'name', reason: 'unknown_tool', ...doubtOf(answer) },
    };
    expect((await through('onx', answer, NOT_LISTED)).error).toEqual(error);
  });

  it('EM-6 EM-32 a change without an answer is not to be repeated, a read may be', async () => {
    const answer = { result: text('503 Service Unavailable') };
    const change = await through('onx', answer);
    expect(change.result?.['error']).toMatchObject({ code: 4001, retryable: false });
    const tools = [{ name: 'pay', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }];
    const read = await through('onx', answer, { tools });
    expect(read.result?.['error']).toMatchObject({ code: 4002, retryable: true });
  });
});

describe('closient', () => {
  it('an unknown method is JSON-RPC’s own', async () => {
    const answer = { error: { code: -32601, message: 'Method not found' } };
    const { error } = await through('closient', answer, { asked: call('no/such') });
    expect(error).toEqual({ code: -32601, message: 'Unknown method: no/such' });
  });

  it('CL-12 nothing stands beside the error or in the problem that is not Closient’s', async () => {
    const body = { code: 404, error: 'Client not found' };
    const { result } = await through('closient', {
      result: { ...text(JSON.stringify(body)), structuredContent: body },
    });
    expect(Object.keys(result ?? {}).sort()).toEqual(['_meta', 'content', 'error', 'isError']);
    const { data } = (result?.['error'] ?? {}) as { data?: object };
    expect(Object.keys(data ?? {})).toEqual([
      'type',
      'title',
      'status',
      'detail',
      'error_code',
      'retryable',
      'timestamp',
    ]);
    expect(Object.keys(result?.['_meta'] as object)).toEqual(['dev.mayday/error']);
  });
});

describe('a method of HTTP that the server does not serve', () => {
  // biome-ignore format: a table
  it.each([
    ['erlmcp', { code: -32600, message: 'Invalid Request', data: 'Method not allowed' }],
    ['onx', { code: -32600, message: 'Invalid request', data: { reason: 'unsupported' } }],
    ['qaqnuz', { code: -32600, message: 'Method not allowed' }],
  ])('%s: 405 with a body', async (dialect, error) => {
    const { url } = await upstream((_body, response) => response.writeHead(405, { allow: 'POST' }).end());
    const gateway = await open({ upstreams: { a: { url } } });
    for (const method of ['GET', 'DELETE']) {
      const headers = { ...asking(dialect), accept: 'text/event-stream' };
      const answer = await fetch(`${gateway.url}/a/mcp`, { method, headers });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
      expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: null, error });
    }
  });

  // biome-ignore format: a table
  it.each([
    ['closient', { result: { isError: true, error: { code: -32300, data: { retryable: false } } } }],
    ['onx', { result: { isError: true, error: { code: 4001, retryable: false } } }],
    ['erlmcp', { error: { code: -32031, message: 'Tool execution failed', data: { tool: 'pay' } } }],
    ['qaqnuz', { result: { isError: true, content: [{ type: 'text', text: 'Misconfigured' }] } }],
    ['platica', { result: { isError: true, structuredContent: { error: 'Misconfigured' } } }],
  ])('%s: a call was sent as it should be, whatever method a server takes', async (dialect, told) => {
    const { url } = await upstream((_body, response) => response.writeHead(405, { allow: 'GET' }).end());
    const gateway = await open({ upstreams: { a: { url } } });
    const answer = await post(`${gateway.url}/a/mcp`, callTool('pay'), asking(dialect));
    expect([answer.status, answer.message]).toMatchObject([200, told]);
  });

  it('closient: the document has the status of the answer', async () => {
    const { url } = await upstream((_body, response) => response.writeHead(405, { allow: 'POST' }).end());
    const gateway = await open({ upstreams: { a: { url } } });
    const answer = await fetch(`${gateway.url}/a/mcp`, { headers: asking('closient') });
    expect(await answer.json()).toMatchObject({
      error: { code: -32100, data: { status: 405, error_code: 'bad_request' } },
    });
  });
});

describe('a request that the server’s transport refuses', () => {
  it.each([
    [406, { accept: 'text/html' }, 'text/html'],
    [415, { 'content-type': 'application/xml' }, 'application/xml'],
  ])('ER-36 %i names the type itself', async (status, headers, type) => {
    const data = {
      type: 'https://closient.com/docs/errors/bad_request',
      error_code: 'bad_request',
      retryable: false,
    };
    const body = { jsonrpc: '2.0', id: null, error: { code: -32100, message: 'Bad Request', data } };
    const { url } = await upstream((_body, response) => json(response, status, body));
    const gateway = await open({ upstreams: { a: { url } } });
    const answer = await post(`${gateway.url}/a/mcp`, callTool('pay'), { ...asking('erlmcp'), ...headers });
    const error = { code: -32013, message: 'Invalid content type', data: { content_type: type } };
    expect([answer.status, answer.message.error]).toEqual([status, error]);
    const platica = await post(`${gateway.url}/a/mcp`, callTool('pay'), { ...asking('platica'), ...headers });
    expect(platica.message.error).toEqual({ code: -32602, message: expect.any(String) });
  });
});

describe('whose words they are', () => {
  it.each([
    ['Amount must be positive', -32031],
    ['Invalid order number', -32031],
    [WRONG, -32034],
  ])(
    'ER-44 ER-47 a tool that says %j may have thrown: only a schema speaks of arguments',
    async (said, code) => {
      expect((await through('erlmcp', { result: text(said) })).error).toMatchObject({ code });
    },
  );

  it.each([
    { error: { code: -32001, message: 'No customer cus_99 in tenant t_4' } },
    { error: { code: -32602, message: 'stripe: amount of charge ch_77 must be positive' } },
    { error: { code: -32000, message: 'relation "invoices" has no row 12' } },
  ])('QA-4 an error is a program’s, and none of its words cross: %j', async (answer) => {
    const { result } = await through('qaqnuz', answer);
    expect(JSON.stringify(result)).not.toMatch(/cus_99|t_4|ch_77|stripe|invoices/);
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
  });
});

describe('a stream that its reader does not take, and the server therefore not gives', () => {
  // biome-ignore format: a table
  it.each([
    ['closient', { code: -32100, data: { status: 406, error_code: 'bad_request' } }],
    ['erlmcp', { code: -32013 }],
    ['onx', { code: -32600, message: 'Invalid request' }],
    ['qaqnuz', { code: -32600 }],
  ])('%s: 406 with a body', async (dialect, error) => {
    const { url } = await upstream((_body, response) => response.writeHead(406).end('{"not":"ours"}'));
    const gateway = await open({ upstreams: { a: { url } } });
    const headers = { ...asking(dialect), accept: 'application/json' };
    const answer = await fetch(`${gateway.url}/a/mcp`, { headers });
    expect(answer.status).toBe(406);
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', id: null, error });
  });
});
