/** `guard(server, {dialect: 'onx'})`, held against onX's error model. */
import { describe, expect, it } from 'vitest';
import { MALFORMED, REFUSED, type Refused } from '../support/refusals.ts';
import { useStage, WAYS } from '../support/stage.ts';
import type { Message, Wire } from '../support/wire.ts';

const stage = useStage('onx');

/** The document's table of standard codes; 4001 varies, and is not retryable unless somebody says so. */
const RETRYABLE: Record<number, boolean> = {
  2001: false,
  2002: false,
  2003: false,
  3001: true,
  3002: true,
  4001: false,
  4002: true,
  5001: false,
};

/** The five of JSON-RPC, under the names that the document gives them. */
const PROTOCOL: Record<number, string> = {
  [-32700]: 'Parse error',
  [-32600]: 'Invalid request',
  [-32601]: 'Method not found',
  [-32602]: 'Invalid params',
  [-32603]: 'Internal error',
};

const DETAILS = ['context', 'field', 'originalError', 'reason', 'suggestion'];

function foreignKeys(details: Wire, known: readonly string[]): string[] {
  return Object.keys(details ?? {}).filter((key) => !known.includes(key));
}

/** A domain failure: `result.error` as ErrorResponse, beside it only what standard clients need to see a failure. */
function judgeDomain(message: Message, code: number): Wire {
  expect(Object.keys(message).toSorted()).toEqual(['id', 'jsonrpc', 'result']);
  const { error, isError, content, _meta = {}, resultType: _, ...others } = message.result;
  expect(others).toEqual({});
  expect(isError).toBe(true);
  expect(content[0]).toMatchObject({ type: 'text', text: expect.stringMatching(/\S/) });
  expect(foreignKeys(error, ['code', 'message', 'retryable', 'details'])).toEqual([]);
  expect(error).toMatchObject({ code, message: expect.stringMatching(/\S/), retryable: RETRYABLE[code] });
  expect(foreignKeys(error.details, DETAILS)).toEqual([]);
  expect(error.details?.reason ?? 'none').toMatch(/^[\w.:-]+$/);
  expect(Object.keys(_meta).filter((key) => !key.startsWith('dev.mayday/'))).toEqual([]);
  return error;
}

/** A failure of the protocol: at the top of the response, under its fixed name. */
function judgeProtocol(message: Message, code: number, id: unknown): Wire {
  expect(Object.keys(message).toSorted()).toEqual(['error', 'id', 'jsonrpc']);
  expect(message.id).toBe(id);
  const { error } = message;
  expect(foreignKeys(error, ['code', 'message', 'data'])).toEqual([]);
  expect(error).toMatchObject({ code, message: PROTOCOL[code] });
  expect(foreignKeys(error.data, [...DETAILS, 'dev.mayday/error'])).toEqual([]);
  return error.data ?? {};
}

const GUEST = { email: 'ada' };
const FINE = { guest: GUEST, seats: 2 };

describe.each(WAYS)('%s', (way) => {
  it.each([
    ['missing', { guest: GUEST }, 'seats'],
    ['nested and missing', { guest: {}, seats: 1 }, 'guest.email'],
    ['of a wrong type', { guest: GUEST, seats: 'two' }, 'seats'],
    ['out of range', { guest: GUEST, seats: 12 }, 'seats'],
    ['unknown', { ...FINE, colour: 'red' }, 'colour'],
  ])('EM-26 EM-29 EM-36 arguments that are %s: -32602 with the field', async (_name, args, field) => {
    const message = await stage.call(way, 'book', args);
    expect(judgeProtocol(message, -32602, message.id).field).toBe(field);
  });

  it('EM-2 an unknown tool is -32602, the field is its name', async () => {
    const message = await stage.call(way, 'nonexistent_tool', {});
    expect(judgeProtocol(message, -32602, message.id).field).toBe('name');
  });

  it('EM-2 an unknown method is -32601', async () => {
    const message = await stage.ask(way, 'nonexistent/method');
    judgeProtocol(message, -32601, message.id);
  });

  it('EM-27 a success is the result of the tool', async () => {
    const { result } = await stage.call(way, 'book', FINE);
    expect(result).not.toHaveProperty('error');
    expect(result.content).toEqual([{ type: 'text', text: '2 booked' }]);
  });

  it.each(['error', 'type', 'secret', 'raw-500', 'parsed-500'])(
    'EM-25 EM-37 an exception (%s) is 4001 in the result, not retryable, and tells nothing of its cause',
    async (how) => {
      const message = await stage.call(way, 'fail', { how });
      judgeDomain(message, 4001);
      expect(JSON.stringify(message)).not.toMatch(/hunter2|10\.0\.0\.5|jane\.doe|Cannot read|see the logs/);
    },
  );

  it.each([401, 403, 404, 409])('EM-19 a backend that answers %i is 4001, not retryable', async (status) => {
    for (const form of ['raw', 'parsed']) {
      judgeDomain(await stage.call(way, 'fail', { how: `${form}-${status}` }), 4001);
    }
  });

  it.each([400, 422])('EM-13 a backend that answers %i is 2001 or 4001', async (status) => {
    const message = await stage.call(way, 'fail', { how: `raw-${status}` });
    expect([2001, 4001]).toContain(message.result.error.code);
    judgeDomain(message, message.result.error.code);
  });

  it('EM-17 a backend that answers 429 is 3001', async () => {
    judgeDomain(await stage.call(way, 'fail', { how: 'raw-429' }), 3001);
    judgeDomain(await stage.call(way, 'fail', { how: 'parsed-429' }), 3001);
  });

  it.each(['refused', 'raw-503', 'parsed-503'])(
    'EM-20 a backend that is not there (%s) is 4002, for a tool that only reads',
    async (how) => {
      const message = await stage.call(way, 'fail', { how });
      judgeDomain(message, 4002);
      expect(JSON.stringify(message)).not.toMatch(/10\.0\.0\.5|ECONNREFUSED/);
    },
  );

  it.each(['timeout', 'aborted'])('EM-18 a time limit toward a backend (%s) is 3002', async (how) => {
    judgeDomain(await stage.call(way, 'fail', { how }), 3002);
  });

  it('EM-18 a tool that takes too long is 3002', async () => {
    judgeDomain(await stage.call(way, 'hang', {}), 3002);
  });

  it.each([
    ['EM-14', 'invalidArguments', undefined, 2001],
    ['EM-15 EM-35', 'invalidArguments', 'required', 2002],
    ['EM-16 EM-35', 'invalidArguments', 'invalid_format', 2003],
  ])('%s fault.%s with an issue that is %s is %i with its field', async (_id, kind, code, expected) => {
    const issues = [{ path: ['order', 'customer', 'email'], message: 'is wrong', code }];
    const options = code === undefined ? {} : { issues };
    const message = await stage.call(way, 'raise', { kind, message: 'No good', options });
    const { details } = judgeDomain(message, expected);
    expect(details?.field).toBe(code === undefined ? undefined : 'order.customer.email');
  });

  it.each([
    ['EM-17', 'rateLimited', 3001],
    ['EM-18', 'timeout', 3002],
    ['EM-20', 'unavailable', 4002],
    ['EM-21', 'unsupported', 5001],
    ['EM-19', 'upstreamFailed', 4001],
    ['EM-19', 'notFound', 4001],
    ['EM-19', 'conflict', 4001],
    ['EM-19', 'forbidden', 4001],
    ['EM-19', 'unauthenticated', 4001],
    ['EM-25', 'internal', 4001],
  ])('%s fault.%s is %i, with its words', async (_id, kind, code) => {
    const options = { executed: 'no' };
    const message = await stage.call(way, 'raise', { kind, message: 'No order 4711', options });
    expect(judgeDomain(message, code).message).toBe('No order 4711');
  });

  it("EM-23 EM-28 AdapterError is the document's own example", async () => {
    const message = await stage.call(way, 'adapter', { id: 'ORDER_NOT_FOUND' });
    expect(judgeDomain(message, 4001)).toMatchObject({
      message: 'Adapter error',
      retryable: false,
      details: { originalError: 'ORDER_NOT_FOUND' },
    });
  });

  it('EM-3 EM-25 a result that a tool marks as an error has the member too', async () => {
    const content = [{ type: 'text', text: 'The printer is out of paper' }];
    const message = await stage.call(way, 'say', { result: { isError: true, content } });
    judgeDomain(message, 4001);
    expect(message.result.content[0].text).toContain('The printer is out of paper');
  });

  it('EM-3 EM-19 and so has one whose text is a body, which stays what it was', async () => {
    const text = '{ "code": 404, "error": "Client not found" }';
    const result = { isError: true, content: [{ type: 'text', text }] };
    const message = await stage.call(way, 'say', { result });
    expect(judgeDomain(message, 4001).message).toBe('Client not found');
    expect(message.result.content[0]).toEqual({ type: 'text', text });
  });

  it('EM-6 EM-32 a change that somebody broke off is not to be repeated, and its wait is not lost', async () => {
    const args = { kind: 'unavailable', message: 'Down', options: { retry: { afterMs: 3000 } } };
    const error = judgeDomain(await stage.call(way, 'raise', args), 4001);
    expect(error.details.context.retryAfter).toBe(3000);
  });

  it('EM-20 EM-32 4002 where its author says that nothing was done', async () => {
    const options = { executed: 'no', retry: { afterMs: 3000 } };
    const error = judgeDomain(
      await stage.call(way, 'raise', { kind: 'unavailable', message: 'Down', options }),
      4002,
    );
    expect(error.details.context.retryAfter).toBe(3000);
  });

  it('EM-17 EM-32 a rate limit is 3001', async () => {
    await stage.call(way, 'book', FINE, 'limited');
    judgeDomain(await stage.call(way, 'book', FINE, 'limited'), 3001);
  });

  it('EM-19 a caller without the scope is 4001', async () => {
    judgeDomain(await stage.call(way, 'book', FINE, 'scoped'), 4001);
  });

  it('EM-24 EM-36 an address that is none: -32602 with its field, and the members of nobody else', async () => {
    const { error } = await stage.ask(way, 'resources/read', { uri: 'not a uri' });
    expect(error).toMatchObject({ code: -32602, message: 'Invalid params', data: { field: 'uri' } });
    expect(error.data.reason).toBe('invalid_format');
    expect(error.data).not.toHaveProperty('uri');
  });

  it('EM-2 EM-37 outside of tools, an exception is -32603 and tells nothing', async () => {
    const message = await stage.ask(way, 'resources/read', { uri: 'note://broken' });
    judgeProtocol(message, -32603, message.id);
    expect(JSON.stringify(message)).not.toMatch(/hunter2|10\.0\.0\.5|jane\.doe/);
  });

  it.each(['tools/list', 'resources/list', 'prompts/list'])(
    'EM-2 without a key, %s is -32600: no parameters would mend it',
    async (method) => {
      const message = await stage.ask(way, method, {}, 'keyed');
      expect(judgeProtocol(message, -32600, message.id).reason).toBe('unauthenticated');
    },
  );

  it('EM-26 parameters of the wrong shape are -32602 with the field', async () => {
    const message = await stage.ask(way, 'resources/read', {});
    expect(judgeProtocol(message, -32602, message.id).field).toBe('uri');
  });
});

describe.each(['v1', 'v2'] as const)('SDK %s', (sdk) => {
  const all: Refused[] = ['put', 'accept', 'large', 'type', 'host'];
  const here: Refused[] = sdk === 'v2' ? [...all, 'get', 'delete', 'batch'] : all;
  it.each(here)('EM-24 over HTTP, what is refused for its %s is -32600 to nobody', async (name) => {
    const { status, question } = REFUSED[name];
    const answer = await stage.http(sdk, question);
    expect(answer.status).toBe(status);
    judgeProtocol(answer.message, -32600, null);
  });

  it('EM-2 EM-24 over HTTP, what is no JSON is -32700 to nobody', async () => {
    const answer = await stage.http(sdk, REFUSED.parse.question);
    expect(answer.status).toBe(400);
    judgeProtocol(answer.message, -32700, null);
  });

  it.each(MALFORMED)('EM-2 over HTTP, JSON that is no request (%s) is -32600', async (_what, body, id) => {
    const answer = await stage.http(sdk, { body });
    expect(answer.status).toBe(400);
    judgeProtocol(answer.message, -32600, id);
  });
});

it.each(['v1', 'v2', 'by hand'] as const)('EM-2 EM-24 over stdio (%s), no JSON is -32700', async (server) => {
  judgeProtocol(await stage.line(server, '{"jsonrpc": "2.0", nope\n'), -32700, null);
});

it.each(['v1', 'v2'] as const)('EM-24 over stdio (%s), a line that is too long is -32600', async (server) => {
  const padding = 'x'.repeat(70_000);
  judgeProtocol(await stage.line(server, `{"jsonrpc":"2.0","padding":"${padding}"}\n`), -32600, null);
});
