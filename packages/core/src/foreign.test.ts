import { describe, expect, it } from 'vitest';
import { heard, NOW } from '../test/helpers.ts';
import { parseRetryAfter } from './entries/http.ts';
import { read } from './index.ts';

function thrown(value: object): ReturnType<typeof heard> {
  return heard({ thrown: value });
}

describe('exceptions of the SDKs', () => {
  it.each([
    [
      'v1 timeout',
      {
        name: 'McpError',
        code: -32001,
        message: 'MCP error -32001: Request timed out',
        data: { timeout: 60_000 },
      },
      'timeout',
      'local',
    ],
    [
      'v1 closed',
      { name: 'McpError', code: -32000, message: 'MCP error -32000: Connection closed' },
      'disconnected',
      'transport',
    ],
    [
      'v2 timeout',
      { name: 'SdkError', code: 'REQUEST_TIMEOUT', message: 'Request timed out', data: { timeout: 1200 } },
      'timeout',
      'local',
    ],
    [
      'v2 abort',
      { name: 'SdkError', code: 'REQUEST_TIMEOUT', message: 'AbortError: stop' },
      'cancelled',
      'local',
    ],
    [
      'v2 closed',
      { name: 'SdkError', code: 'CONNECTION_CLOSED', message: 'Connection closed' },
      'disconnected',
      'transport',
    ],
    ['not connected', { name: 'Error', message: 'Not connected' }, 'disconnected', 'local'],
    ['v2 bad result', { name: 'SdkError', code: 'INVALID_RESULT', message: 'x' }, 'invalid_output', 'local'],
    [
      'own output check',
      {
        name: 'ProtocolError',
        code: -32602,
        message: 'Structured content does not match the tool’s output schema',
      },
      'invalid_output',
      'local',
    ],
    ['unauthorized', { name: 'UnauthorizedError', message: 'Unauthorized' }, 'unauthenticated', 'caller'],
  ] as const)('%s', (_title, value, kind, origin) => {
    expect(thrown(value).fault).toMatchObject({ kind, origin });
  });

  it('takes an answer under another id for an answer, and not for something that the caller looked for', () => {
    const answer = '{"jsonrpc":"2.0","id":"other","result":{"content":[]}}';
    const message = `Protocol error: Received a response for an unknown message ID: ${answer}`;
    const odd = { kind: 'invalid_output', executed: 'maybe', retryable: false, origin: 'server' };
    expect(thrown({ name: 'AI_MCPClientError', message }).fault).toMatchObject(odd);
    expect(
      thrown({ name: 'MCPClientError', message: message.replace('Protocol error: ', '') }).fault,
    ).toMatchObject(odd);
  });

  it('unwraps a JSON-RPC error from a failed POST: 404 with -32601', () => {
    const text = JSON.stringify({
      jsonrpc: '2.0',
      id: 3,
      error: { code: -32601, message: 'Method not found' },
    });
    const reading = thrown({
      name: 'SdkHttpError',
      code: 'CLIENT_HTTP_NOT_IMPLEMENTED',
      status: 404,
      message: `Error POSTing to endpoint: ${text}`,
      data: { status: 404, text },
    });
    expect(reading).toMatchObject({
      dialect: 'mcp',
      fault: { kind: 'unsupported', subject: { type: 'method' } },
    });
  });

  it('takes the status where the SDK keeps it', () => {
    expect(
      thrown({
        name: 'SdkHttpError',
        code: 'CLIENT_HTTP_NOT_IMPLEMENTED',
        status: 429,
        message: 'slow',
        data: { status: 429, text: 'slow' },
      }).fault.kind,
    ).toBe('rate_limited');
    expect(
      thrown({ name: 'StreamableHTTPError', code: 503, message: 'Streamable HTTP error: down' }).fault.kind,
    ).toBe('unavailable');
    expect(thrown({ name: 'Error', message: 'Error POSTing to endpoint (HTTP 401): no' }).fault.kind).toBe(
      'unauthenticated',
    );
  });

  it('removes doubled prefixes, and keeps the innermost code', () => {
    const reading = thrown({
      name: 'McpError',
      code: -32603,
      message: 'MCP error -32603: MCP error -32602: Unknown tool: nope',
    });
    expect(reading.fault).toMatchObject({ message: 'Unknown tool: nope' });
  });

  it('reads SDK v1’s unknown tool inside a tool result', () => {
    const wire = {
      result: { isError: true, content: [{ type: 'text', text: 'MCP error -32602: Tool nope not found' }] },
    };
    expect(heard(wire).fault).toMatchObject({
      kind: 'not_found',
      subject: { type: 'tool', id: 'nope' },
      message: 'Tool nope not found',
    });
  });
});

describe('other exceptions', () => {
  // What it means, and whether it proves that nothing was sent when our own transport threw it.
  it.each([
    [{ name: 'Error', code: 'ECONNREFUSED', message: 'connect' }, 'unavailable', 'no'],
    [{ name: 'TypeError', message: 'fetch failed', cause: { code: 'ENOTFOUND' } }, 'unavailable', 'no'],
    [{ name: 'Error', code: 'EAI_AGAIN', message: 'getaddrinfo' }, 'unavailable', 'no'],
    [{ name: 'Error', code: 'EHOSTUNREACH', syscall: 'connect', message: 'x' }, 'unavailable', 'no'],
    [{ name: 'Error', code: 'EHOSTUNREACH', syscall: 'read', message: 'x' }, 'unavailable', 'maybe'],
    [{ name: 'Error', code: 'EACCES', syscall: 'spawn /x', message: 'spawn /x EACCES' }, 'forbidden', 'no'],
    [{ name: 'Error', code: 'EACCES', syscall: 'open', message: 'x' }, 'forbidden', 'maybe'],
    [{ name: 'Error', code: 'ENOENT', syscall: 'open', message: 'x' }, 'not_found', 'maybe'],
    [{ name: 'Error', code: 'EHOSTUNREACH', message: 'x' }, 'unavailable', 'maybe'],
    [
      { name: 'TypeError', message: 'fetch failed', cause: { code: 'UND_ERR_SOCKET' } },
      'disconnected',
      'maybe',
    ],
    [
      { name: 'TypeError', message: 'fetch failed', cause: { code: 'UND_ERR_CONNECT_TIMEOUT' } },
      'timeout',
      'no',
    ],
    [{ name: 'TypeError', message: 'fetch failed' }, 'disconnected', 'maybe'],
    [{ name: 'Error', code: 'ETIMEDOUT', message: 'x' }, 'timeout', 'maybe'],
    [{ name: 'Error', code: 'ETIMEDOUT', syscall: 'connect', message: 'x' }, 'timeout', 'no'],
    [{ name: 'Error', code: 'ECONNRESET', syscall: 'read', message: 'x' }, 'disconnected', 'maybe'],
    [{ name: 'Error', code: 'EPIPE', syscall: 'write', message: 'x' }, 'disconnected', 'maybe'],
    [{ name: 'Error', code: 'CERT_HAS_EXPIRED', message: 'x' }, 'misconfigured', 'no'],
    [{ name: 'AggregateError', message: '', errors: [{ code: 'ECONNREFUSED' }] }, 'unavailable', 'no'],
    [
      { name: 'AggregateError', message: '', errors: [{ code: 'ECONNREFUSED' }, { code: 'ECONNRESET' }] },
      'unavailable',
      'maybe',
    ],
    [{ name: 'AbortError', message: 'This operation was aborted' }, 'cancelled', 'maybe'],
    [{ name: 'TimeoutError', message: 'x' }, 'timeout', 'maybe'],
    [
      {
        name: 'AxiosError',
        code: 'ERR_BAD_REQUEST',
        message: 'Request failed with status code 404',
        response: { status: 404 },
      },
      'not_found',
      'no',
    ],
    [
      { name: 'ThrottlingException', message: 'Rate exceeded', $metadata: { httpStatusCode: 400 } },
      'rate_limited',
      'maybe',
    ],
    [{ name: 'Error', message: 'Too many requests', status: 429 }, 'rate_limited', 'no'],
    [{ name: 'Error', message: 'x', status: 429 }, 'rate_limited', 'maybe'],
    [{ name: 'Error', message: 'x', status: 503 }, 'unavailable', 'maybe'],
    [
      { name: 'SyntaxError', message: 'Unexpected token < in JSON at position 0' },
      'upstream_failed',
      'maybe',
    ],
  ] as const)('%o', (value, kind, executed) => {
    const outcome = (began?: boolean) => read({ thrown: value }, { now: NOW, began });
    expect(outcome(false)).toMatchObject({ fault: { kind, executed } });
    // From a handler, or from nobody knows where, it proves nothing.
    expect(outcome(true)).toMatchObject({ fault: { kind, executed: 'maybe' } });
    expect(outcome()).toMatchObject({ fault: { kind, executed: 'maybe' } });
  });

  it('reads real Error instances like serialised ones', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    expect(heard(error).fault).toMatchObject({
      kind: 'unavailable',
      message: 'connect ECONNREFUSED 127.0.0.1:1',
    });
  });

  it('reads issues of Zod and of Standard Schema', () => {
    expect(
      thrown({
        name: 'ZodError',
        message: '[]',
        issues: [{ path: ['a', 1], message: 'Required', code: 'invalid_type' }],
      }).fault.issues,
    ).toEqual([{ path: ['a', 1], message: 'Required', code: 'invalid_type' }]);
    expect(
      thrown({
        name: 'SchemaError',
        message: 'x',
        issues: [{ message: 'Expected string', path: [{ key: 'a' }, 'b'] }],
      }).fault,
    ).toMatchObject({
      kind: 'invalid_arguments',
      issues: [{ path: ['a', 'b'], message: 'Expected string' }],
    });
  });
});

describe('the wait that only the words of an exception name', () => {
  const thrown = (message: string, status: number): unknown => Object.assign(new Error(message), { status });

  it.each([
    ['Too many requests, try again in 1 second', 429, 1000],
    ['Rate limit exceeded. Retry after 30 seconds', 429, 30_000],
  ])('%s, status %i', (message, status, afterMs) => {
    expect(read(thrown(message, status), { now: NOW })).toMatchObject({
      fault: { kind: 'rate_limited', retry: { afterMs } },
    });
  });

  it('is not that of some other failure', () => {
    const reading = read(thrown('Order 7 not found; the report is ready in 5 seconds', 429), { now: NOW });
    expect(reading).toMatchObject({ fault: { kind: 'rate_limited', retry: { when: 'after_wait' } } });
    expect(reading).not.toHaveProperty('fault.retry.afterMs');
  });

  it('is less than what a header says', () => {
    const both = Object.assign(new Error('Try again in 1 second'), {
      status: 429,
      headers: { 'retry-after': '7' },
    });
    expect(read(both, { now: NOW })).toMatchObject({ fault: { retry: { afterMs: 7000 } } });
  });
});

describe('HTTP', () => {
  it('reads the status, and Retry-After in both forms', () => {
    const wait = (retryAfter: string) =>
      read({ http: { status: 429, headers: { 'Retry-After': retryAfter }, body: '' } }, { now: NOW });
    expect(wait('30')).toMatchObject({ fault: { kind: 'rate_limited', retry: { afterMs: 30_000 } } });
    expect(wait('Sun, 26 Apr 2026 02:35:06 GMT')).toMatchObject({ fault: { retry: { afterMs: 10_000 } } });
    expect(wait('soon')).toMatchObject({ fault: { retry: { when: 'after_wait' } } });
  });

  it('bounds what Retry-After may ask for', () => {
    expect(
      ['', '-1', '99999999999', '1.5', 'Sat, 01 Jan 2000 00:00:00 GMT'].map((value) =>
        parseRetryAfter(value, NOW),
      ),
    ).toEqual([undefined, undefined, 31_622_400_000, 1500, 0]);
  });

  it('prefers the JSON-RPC error in the body, and still honours the header', () => {
    const body = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } };
    const reading = heard({
      http: { status: 404, headers: [['retry-after', '7']], body: JSON.stringify(body) },
    });
    expect(reading).toMatchObject({ dialect: 'mcp', fault: { kind: 'unsupported' } });
    expect(reading.fault.retry.afterMs).toBe(7000);
  });

  it.each([
    [503, [{ message: 'Server busy' }], 'unavailable', 'Server busy'],
    [404, [{ errorCode: 'NOT_FOUND', message: 'No such account' }], 'not_found', 'No such account'],
    [409, ['Taken', 'Twice'], 'conflict', 'Taken; Twice'],
    [503, [{ path: ['id'], message: 'Too big' }], 'unavailable', 'Too big'],
    [503, { errors: [{ source: { pointer: '/id' }, detail: 'Too big' }] }, 'unavailable', 'Too big'],
    [400, { errors: [{ status: '503', detail: 'A part of it' }] }, 'invalid_request', 'A part of it'],
    [400, [{ path: ['id'], message: 'Too big' }], 'invalid_arguments', 'Too big'],
  ] as const)('lets the status decide, whatever the body lists: %s %j', (status, body, kind, message) => {
    const reading = read({ http: { status, headers: { 'retry-after': '7' }, body } });
    expect(reading).toMatchObject({ fault: { kind, message, retry: { afterMs: 7000 } } });
  });

  it('reads the last message of an event stream', () => {
    const body =
      'event: message\ndata: {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}\n\n';
    expect(
      heard({ http: { status: 200, headers: new Headers({ 'content-type': 'text/event-stream' }), body } })
        .fault.kind,
    ).toBe('unsupported');
  });

  it('reads a success as no failure', () => {
    expect(read({ http: { status: 200, headers: {}, body: { ok: true } } })).toEqual({ failure: false });
    expect(read({ http: { status: 204 } })).toEqual({ failure: false });
  });
});

describe('successes', () => {
  it.each([
    [{ jsonrpc: '2.0', id: 1, result: {} }],
    [{ content: [{ type: 'text', text: 'Error: not really' }] }],
    [{ result: { isError: false, content: [] } }],
    [{ jsonrpc: '2.0', method: 'notifications/x' }],
    [{}],
    [[]],
    [42],
    [null],
    [true],
    [''],
  ])('%o is no failure', (value) => {
    expect(read(value)).toEqual({ failure: false });
  });
});

describe('errors that only say that there is one', () => {
  it('are the server’s own at the top, a backend’s inside a tool', () => {
    const message = 'Internal server error';
    expect(heard({ jsonrpc: '2.0', id: 1, error: { code: -32000, message } }).fault).toMatchObject({
      kind: 'internal',
      retryable: false,
    });
    expect(heard({ result: { isError: true, content: [{ type: 'text', text: message }] } }).fault.kind).toBe(
      'upstream_failed',
    );
  });
});

describe('a step that the caller has left out', () => {
  const fix = {
    kind: 'not_ready',
    reaction: 'validation',
    retryable: false,
    retry: { when: 'after_change' },
    executed: 'maybe',
  };

  it.each([
    'Browser not initialized. Call browser_open first.',
    'Not connected. Call connect first.',
    'You must select a project first',
    'Database not initialized, call init_db first',
    'Unlock the vault before you add entries',
  ])('is theirs to take, and no time replaces it: %s', (text) => {
    expect(heard({ isError: true, content: [{ type: 'text', text }] }).fault).toMatchObject(fix);
    expect(heard({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: text } }).fault).toMatchObject(fix);
  });

  it('is what a server means that is not ready and wants no other try, in whatever form', () => {
    const data = { retryable: false };
    const error = { code: -32089, message: 'Task result not ready', data };
    expect(heard({ jsonrpc: '2.0', id: 1, error }).fault).toMatchObject(fix);
    const body = JSON.stringify({ error: 'The index is not ready', ...data });
    expect(heard({ isError: true, content: [{ type: 'text', text: body }] }).fault).toMatchObject(fix);
  });

  it('is not what time brings', () => {
    const text = 'The index is still being built';
    expect(heard({ isError: true, content: [{ type: 'text', text }] }).fault).toMatchObject({
      kind: 'not_ready',
      reaction: 'retryable',
      retry: { when: 'backoff' },
    });
  });
});

describe('answers that are none', () => {
  it('says so', () => {
    expect(heard({ jsonrpc: '2.0', id: 1 }).fault).toMatchObject({
      kind: 'unknown',
      message: 'The answer has neither a result nor an error',
    });
  });
});

describe('failures disguised as success', () => {
  const disguised = {
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: 'Error: Request failed with status code 404' }] },
  };

  it('are left alone unless asked for', () => {
    expect(read(disguised)).toEqual({ failure: false });
  });

  it('are read when asked for, and say that they are a guess', () => {
    expect(read(disguised, { disguised: true })).toMatchObject({
      failure: true,
      fault: { kind: 'not_found' },
      evidence: expect.arrayContaining([expect.objectContaining({ by: 'disguise' })]),
    });
  });

  it('leave a success alone all the same', () => {
    const genuine = {
      result: { content: [{ type: 'text', text: 'Found 3 orders, the newest shipped yesterday.' }] },
    };
    expect(read(genuine, { disguised: true })).toEqual({ failure: false });
  });
});

describe('waits in data', () => {
  it.each([
    [{ retryAfterMs: 1500 }, 1500],
    [{ retryAfterSeconds: 7 }, 7000],
    [{ retry_after: '30' }, 30_000],
    [{ retryAfter: 2 }, 2000],
  ])('%o', (data, afterMs) => {
    const wire = { jsonrpc: '2.0', id: 1, error: { code: 429, message: 'Too many requests', data } };
    expect(heard(wire).fault).toMatchObject({ kind: 'rate_limited', retry: { afterMs } });
  });

  it.each([
    { retry_after: 1_795_000_000 },
    { retryAfter: '1795000000' },
    { retryAfterMs: 1_795_000_000_000 },
  ])('a point in time is none: %o', (data) => {
    const wire = { jsonrpc: '2.0', id: 1, error: { code: 429, message: 'Too many requests', data } };
    expect(heard(wire).fault.retry).toEqual({ when: 'after_wait' });
    const answer = { http: { status: 429, headers: {}, body: { message: 'Too many requests', ...data } } };
    expect(heard(answer).fault.retry).toEqual({ when: 'after_wait' });
  });
});
