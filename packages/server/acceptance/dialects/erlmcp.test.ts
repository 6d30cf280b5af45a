/** `guard(server, {dialect: 'erlmcp'})`, held against erlmcp's Error Code Reference. */
import { describe, expect, it } from 'vitest';
import { MALFORMED, REFUSED } from '../support/refusals.ts';
import { useStage, WAYS } from '../support/stage.ts';
import { INITIALIZE, type Message, type Wire } from '../support/wire.ts';

const stage = useStage('erlmcp');

/** Message and members of `data` of each example in the document; `text` where `data` is a string. */
const CODES: Record<number, readonly [message: string, data: readonly string[] | 'text' | 'none']> = {
  [-32700]: ['Parse error', 'text'],
  [-32600]: ['Invalid Request', 'text'],
  [-32601]: ['Method not found', ['method']],
  [-32602]: ['Invalid params', ['details']],
  [-32603]: ['Internal error', 'none'],
  [-32001]: ['Resource not found', ['uri']],
  [-32002]: ['Tool not found', ['tool']],
  [-32003]: ['Prompt not found', ['prompt']],
  [-32004]: ['Capability not supported', ['capability']],
  [-32071]: ['Invalid cursor', ['cursor']],
  [-32061]: ['Unsupported protocol version', ['requested_version', 'supported_versions']],
  [-32022]: ['Invalid URI', ['uri', 'reason']],
  [-32005]: ['Server not initialized', ['phase']],
  [-32007]: ['Validation failed', ['field', 'constraint']],
  [-32008]: ['Transport error', ['reason']],
  [-32009]: ['Request timeout', ['timeout_ms', 'elapsed_ms']],
  [-32010]: ['Rate limit exceeded', ['limit', 'window', 'retry_after']],
  [-32012]: ['Message size exceeds maximum allowed', ['actual_size', 'max_size', 'unit']],
  [-32013]: ['Invalid content type', ['content_type']],
  [-32025]: ['Resource access denied', ['uri', 'required_permission']],
  [-32031]: ['Tool execution failed', ['tool', 'reason']],
  [-32032]: ['Tool execution timeout', ['tool', 'timeout_ms']],
  [-32033]: ['Tool execution cancelled', ['tool', 'reason']],
  [-32034]: ['Invalid tool arguments', ['tool', 'details']],
  [-32043]: ['Prompt argument missing', ['prompt', 'argument']],
  [-32051]: ['Authentication failed', ['reason']],
  [-32052]: ['Authorization failed', ['operation', 'required_role']],
  [-32056]: ['Access denied', 'none'],
};

/** The document's response form: the code's own message, or the author's, and of `data` nothing but what its example has. */
function judgeForm(message: Message, id: unknown, author: readonly string[] = []): Wire {
  expect(Object.keys(message).toSorted()).toEqual(['error', 'id', 'jsonrpc']);
  expect(message).toMatchObject({ jsonrpc: '2.0', id });
  const { error } = message;
  const [words, shape] = CODES[error.code] ?? [`a code of the document, not ${error.code}`, 'none'];
  expect([words, ...author]).toContain(error.message);
  expect(Object.keys(error).filter((key) => !['code', 'message', 'data'].includes(key))).toEqual([]);
  const { data = {} } = error;
  const members = [...(Array.isArray(shape) ? shape : []), 'dev.mayday/error'];
  expect(typeof data).toBe(shape === 'text' ? 'string' : 'object');
  expect(Object.keys(shape === 'text' ? {} : data).filter((key) => !members.includes(key))).toEqual([]);
  return data;
}

/** The same, with every member of the example. */
function judge(
  message: Message,
  code: number,
  id: unknown = message.id,
  author: readonly string[] = [],
): Wire {
  const data = judgeForm(message, id, author);
  expect(message.error.code).toBe(code);
  const shape = CODES[code]?.[1] ?? 'none';
  const members = Array.isArray(shape) ? shape : [];
  expect(members.filter((key) => !Object.hasOwn(data, key))).toEqual([]);
  return data;
}

const GUEST = { email: 'ada' };
const FINE = { guest: GUEST, seats: 2 };

describe.each(WAYS)('%s', (way) => {
  it("ER-2 ER-25 an unknown tool is the document's first example", async () => {
    const message = await stage.call(way, 'nonexistent_tool', {});
    expect(message).toEqual({
      jsonrpc: '2.0',
      id: message.id,
      error: { code: -32002, message: 'Tool not found', data: { tool: 'nonexistent_tool' } },
    });
  });

  it('ER-21 an unknown method is -32601 with its name', async () => {
    const message = await stage.ask(way, 'nonexistent/method');
    expect(judge(message, -32601)).toMatchObject({ method: 'nonexistent/method' });
  });

  it.each([
    ['missing', { guest: GUEST }, /^Missing required parameter: seats$/],
    ['nested and missing', { guest: {}, seats: 1 }, /^Missing required parameter: guest\.email$/],
    ['of a wrong type', { guest: GUEST, seats: 'two' }, /seats/],
    ['out of range', { guest: GUEST, seats: 12 }, /seats/],
    ['unknown', { ...FINE, colour: 'red' }, /colour/],
    ['wrong in two places', { guest: {}, seats: 'two' }, /guest\.email.*seats|seats.*guest\.email/],
  ])('ER-47 arguments that are %s: -32034 with tool and details', async (_name, args, details) => {
    const data = judge(await stage.call(way, 'book', args), -32034);
    expect(data.tool).toBe('book');
    expect(data.details).toMatch(details);
  });

  it.each(['error', 'type', 'secret', 'raw-500', 'parsed-500'])(
    'ER-44 ER-88 an exception (%s) is -32031 with tool and reason, and tells nothing of its cause',
    async (how) => {
      const message = await stage.call(way, 'fail', { how });
      const data = judge(message, -32031);
      expect(data).toMatchObject({ tool: 'fail', reason: expect.stringMatching(/\S/) });
      expect(JSON.stringify(message)).not.toMatch(/hunter2|10\.0\.0\.5|jane\.doe|Cannot read|see the logs/);
    },
  );

  it.each([400, 401, 403, 404, 409, 422, 503])(
    'ER-1 ER-86 a backend that answers %i: a code of the document, in its form',
    async (status) => {
      for (const form of ['raw', 'parsed']) {
        const message = await stage.call(way, 'fail', { how: `${form}-${status}` });
        expect(Object.keys(judgeForm(message, message.id))).not.toEqual([]);
      }
    },
  );

  it.each(['refused', 'timeout', 'aborted'])(
    'ER-85 ER-88 a backend that does not answer (%s): a code of the document, without its address',
    async (how) => {
      const message = await stage.call(way, 'fail', { how });
      expect(judge(message, -32031).tool).toBe('fail');
      expect(JSON.stringify(message)).not.toMatch(/10\.0\.0\.5/);
    },
  );

  it.each([
    'division_by_zero',
    'Invalid date in stored record',
    'seats must be a positive number',
    'Permission denied',
    'Request timed out',
    'connection_timeout',
    'Order not found',
    'Unknown tool: till',
  ])('ER-44 an exception in a handler is -32031 whatever its words: %s', async (message) => {
    const { error } = await stage.call(way, 'fail', { how: 'error', message });
    expect(error).toMatchObject({ code: -32031, message: 'Tool execution failed', data: { tool: 'fail' } });
    expect(error.data.reason).toMatch(/\S/);
  });

  it.each(['unprocessable', 'unavailable', 'upstreamFailed', 'conflict'])(
    'ER-44 fault.%s, for which the document has no code of its own, is -32031',
    async (kind) => {
      const { error } = await stage.call(way, 'raise', { kind, message: 'Closed on Sundays' });
      expect(error).toMatchObject({ code: -32031, data: { tool: 'raise', reason: 'Closed on Sundays' } });
    },
  );

  it('ER-45 a timeout whose limit nobody told has none', async () => {
    const { error } = await stage.call(way, 'raise', { kind: 'timeout', message: 'Slow' });
    expect([error.code, error.data.tool, error.data.timeout_ms]).toEqual([-32032, 'raise', undefined]);
  });

  it('ER-33 a backend that answers 429 is -32010 with its wait in seconds', async () => {
    for (const how of ['raw-429', 'parsed-429']) {
      const message = await stage.call(way, 'fail', { how });
      expect(message.error.code).toBe(-32010);
      expect(judgeForm(message, message.id).retry_after).toBe(7);
    }
  });

  it.each([
    ['Too many requests', undefined],
    ['Rate limit exceeded', undefined],
    ['Rate limit exceeded. Try again in 7 seconds.', 7],
  ])('ER-33 a limit in words, of a tool that only reads, is -32010: %s', async (words, wait) => {
    const message = await stage.call(way, 'fail', { how: 'error', message: words });
    expect(message.error.code).toBe(-32010);
    expect(judgeForm(message, message.id).retry_after).toBe(wait);
  });

  it('ER-33 a limit in words, of a tool that may have changed something, is -32031', async () => {
    const content = [{ type: 'text', text: 'Rate limit exceeded. Try again in 7 seconds.' }];
    const message = await stage.call(way, 'say', { result: { isError: true, content } });
    expect(judge(message, -32031).tool).toBe('say');
  });

  it('ER-33 a fault with a wait says it in whole seconds, never shorter', async () => {
    const options = { executed: 'no', retry: { afterMs: 29_001 } };
    const message = await stage.call(way, 'raise', { kind: 'rateLimited', message: 'Slow', options });
    expect(message.error.code).toBe(-32010);
    expect(judgeForm(message, message.id, ['Slow']).retry_after).toBe(30);
  });

  it.each([
    ['ER-44', 'internal', -32031],
    ['ER-45', 'timeout', -32032],
    ['ER-46', 'cancelled', -32033],
    ['ER-51', 'unauthenticated', -32051],
    ['ER-52', 'forbidden', -32052],
    ['ER-47', 'invalidArguments', -32034],
  ])('%s fault.%s is %i', async (_id, kind, code) => {
    const message = await stage.call(way, 'raise', { kind, message: 'Closed on Sundays' });
    judgeForm(message, message.id, ['Closed on Sundays']);
    expect(message.error.code).toBe(code);
    expect(JSON.stringify(message.error)).toContain('Closed on Sundays');
  });

  it.each([
    ['ER-24', { type: 'resource', id: 'mcp://nonexistent' }, -32001, { uri: 'mcp://nonexistent' }],
    ['ER-25', { type: 'tool', id: 'nope' }, -32002, { tool: 'nope' }],
    ['ER-26', { type: 'prompt', id: 'nope' }, -32003, { prompt: 'nope' }],
  ])('%s fault.notFound of %o is %i', async (_id, subject, code, data) => {
    const options = { subject };
    const message = await stage.call(way, 'raise', { kind: 'notFound', message: 'None', options });
    expect(judge(message, code, message.id, ['None'])).toMatchObject(data);
  });

  it.each([
    ['a text', 'The printer is out of paper'],
    ['a body', '{ "code": 500, "error": "Out of paper" }'],
  ])('ER-1 ER-44 a result that a tool marks as an error with %s is -32031', async (_name, text) => {
    const content = [{ type: 'text', text }];
    const message = await stage.call(way, 'say', { result: { isError: true, content } });
    expect(judge(message, -32031).tool).toBe('say');
    expect(JSON.stringify(message)).toContain('ut of paper');
  });

  it('ER-45 a tool that takes too long is -32032 with its limit', async () => {
    expect(judge(await stage.call(way, 'hang', {}), -32032)).toMatchObject({ tool: 'hang', timeout_ms: 300 });
  });

  it('ER-33 a rate limit is -32010: limit, window and wait in seconds', async () => {
    await stage.call(way, 'book', FINE, 'limited');
    const data = judge(await stage.call(way, 'book', FINE, 'limited'), -32010);
    expect(data).toMatchObject({ limit: 1, window: 60 });
    expect([57, 58, 59, 60]).toContain(data.retry_after);
  });

  it('ER-51 a caller without a key is -32051', async () => {
    judge(await stage.call(way, 'book', FINE, 'keyed'), -32051);
  });

  it('ER-52 a caller without the scope is -32052 with the operation', async () => {
    const message = await stage.call(way, 'book', FINE, 'scoped');
    expect(message.error.code).toBe(-32052);
    expect(judgeForm(message, message.id).operation).toBe('tools/call:book');
  });

  it('ER-24 ER-23 a resource: -32001 with the uri; an exception in it is -32603 without data', async () => {
    const absent = await stage.ask(way, 'resources/read', { uri: 'mcp://nonexistent' });
    expect(judge(absent, -32001).uri).toBe('mcp://nonexistent');
    const broken = await stage.ask(way, 'resources/read', { uri: 'note://broken' });
    expect(broken.error).toEqual({ code: -32603, message: 'Internal error' });
  });

  it('a list that has no pages: -32071 with the cursor', async () => {
    expect(judge(await stage.ask(way, 'tools/list', { cursor: 'zz' }), -32071)).toMatchObject({
      cursor: 'zz',
    });
  });

  it.each([
    ['logging/setLevel', { level: 'info' }, 'logging'],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'a', value: 'b' } },
      'completions',
    ],
  ])('ER-27 %s, a capability that is not declared: -32004', async (method, params, capability) => {
    expect(judge(await stage.ask(way, method, params), -32004)).toMatchObject({ capability });
  });

  it('an address without a scheme: -32022 with the reason', async () => {
    const message = await stage.ask(way, 'resources/read', { uri: 'not-a-valid-uri' });
    expect(judge(message, -32022)).toMatchObject({ uri: 'not-a-valid-uri', reason: 'missing_scheme' });
  });

  it('ER-22 ER-48 a prompt argument of a wrong type is not missing: -32602 with its name', async () => {
    const message = await stage.ask(way, 'prompts/get', { name: 'greet', arguments: { name: 5 } });
    expect(judge(message, -32602).details).toMatch(/^arguments\.name\b/);
  });

  it('ER-56 a handshake with a revision that nobody serves: -32061 with both', async () => {
    const params = { ...INITIALIZE, protocolVersion: '2020-01-01' };
    expect(judge(await stage.ask(way, 'initialize', params), -32061)).toMatchObject({
      requested_version: '2020-01-01',
      supported_versions: expect.arrayContaining(['2025-11-25']),
    });
  });

  it('ER-22 a request without a parameter is -32602 with details', async () => {
    const message = await stage.ask(way, 'resources/read', {});
    expect(judge(message, -32602).details).toBe('Missing required parameter: uri');
  });

  it('ER-26 ER-48 a prompt: -32003, and -32043 without its argument', async () => {
    const absent = await stage.ask(way, 'prompts/get', { name: 'nonexistent_prompt' });
    expect(judge(absent, -32003).prompt).toBe('nonexistent_prompt');
    const message = await stage.ask(way, 'prompts/get', { name: 'greet', arguments: {} });
    expect(judge(message, -32043)).toMatchObject({ prompt: 'greet', argument: 'name' });
  });
});

describe.each(['v1', 'v2'] as const)('SDK %s', (sdk) => {
  it('ER-19 over HTTP, what is no JSON is -32700 to nobody, with a text', async () => {
    const answer = await stage.http(sdk, REFUSED.parse.question);
    expect(answer.status).toBe(400);
    expect(judge(answer.message, -32700, null)).toMatch(/\S/);
  });

  it.each(MALFORMED)('ER-20 over HTTP, JSON that is no request (%s) is -32600', async (_what, body, id) => {
    expect(judge((await stage.http(sdk, { body })).message, -32600, id)).toMatch(/\S/);
  });

  it('ER-20 a request without method says so', async () => {
    const { message } = await stage.http(sdk, { body: '{"jsonrpc":"2.0","id":7}' });
    expect(judge(message, -32600, 7)).toBe('Missing required field: method');
  });

  it('ER-36 over HTTP, another content type is -32013 with its name', async () => {
    const { status, message } = await stage.http(sdk, REFUSED.type.question);
    expect([status, judge(message, -32013, null).content_type]).toEqual([415, 'application/xml']);
  });

  it('ER-35 over HTTP, a body that is too large is -32012 with the limit', async () => {
    const { message } = await stage.http(sdk, REFUSED.large.question);
    expect(message.error.code).toBe(-32012);
    expect(judgeForm(message, message.id)).toMatchObject({ max_size: 65_536, unit: 'bytes' });
  });

  it.each(['put', 'accept', 'host'] as const)(
    'ER-1 ER-86 over HTTP, what is refused for its %s is a code of the document to nobody',
    async (name) => {
      const { status, question } = REFUSED[name];
      const answer = await stage.http(sdk, question);
      expect(answer.status).toBe(status);
      judgeForm(answer.message, null);
    },
  );

  it('ER-28 over stdio, a request before the handshake is -32005 with the phase', async () => {
    const message = await stage.line(sdk, '{"jsonrpc":"2.0","id":7,"method":"tools/list"}\n');
    expect(judge(message, -32005, 7).phase).toBe('pre_initialization');
  });

  it('ER-28 over stdio, the handshake comes before the tool', async () => {
    const params = '{"name":"nonexistent_tool","arguments":{}}';
    const line = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}\n`;
    judge(await stage.line(sdk, line), -32005, 7);
  });

  it('ER-35 over stdio, a line that is too long is -32012 with both sizes', async () => {
    const line = `{"jsonrpc":"2.0","padding":"${'x'.repeat(70_000)}"}`;
    const data = judge(await stage.line(sdk, `${line}\n`), -32012, null);
    expect(data).toMatchObject({ actual_size: line.length, max_size: 65_536, unit: 'bytes' });
  });
});

it('ER-19 over HTTP, no JSON says where the parser stopped', async () => {
  const { message } = await stage.http('v2', REFUSED.parse.question);
  expect(judge(message, -32700, null)).toMatch(/^Unexpected token at position \d+$/);
});

it.each(['v1', 'v2'] as const)(
  'ER-56 over HTTP (%s), a header with another revision: -32061',
  async (sdk) => {
    const body = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };
    const { status, message } = await stage.http(sdk, {
      body,
      headers: { 'mcp-protocol-version': '1999-01-01' },
    });
    expect(status).toBe(400);
    expect(judge(message, -32061)).toMatchObject({ requested_version: '1999-01-01' });
  },
);

it('ER-22 over HTTP, a request of 2026-07-28 without its meta: -32602, as the specification has it', async () => {
  const body = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  const details = 'Missing required parameter: _meta';
  expect(judge((await stage.http('v2', { body, headers })).message, -32602, 7)).toEqual({ details });
});

it.each(['get', 'delete'] as const)('ER-1 over HTTP, %s is 405 and a code of the document', async (name) => {
  const answer = await stage.http('v2', REFUSED[name].question);
  expect(answer.status).toBe(405);
  judgeForm(answer.message, null);
});

it.each(['v1', 'v2', 'by hand'] as const)(
  'ER-19 over stdio (%s), no JSON is -32700 with a text',
  async (server) => {
    expect(judge(await stage.line(server, '{"jsonrpc": "2.0", nope\n'), -32700, null)).toMatch(/\S/);
  },
);

it.each(['v1', 'v2'] as const)('ER-20 over stdio (%s), no method is -32600', async (server) => {
  const message = await stage.line(server, '{"jsonrpc":"2.0","id":7}\n');
  expect(judge(message, -32600, 7)).toBe('Missing required field: method');
});
