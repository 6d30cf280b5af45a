/** `guard(server, {dialect: 'closient'})`, held against Closient's document: https://docs.closient.com/guides/mcp-errors. */
import { describe, expect, it } from 'vitest';
import { MALFORMED, REFUSED, type Refused } from '../support/refusals.ts';
import { useStage, WAYS } from '../support/stage.ts';
import type { Message, Wire } from '../support/wire.ts';

const stage = useStage('closient');

const PROBLEM = ['detail', 'error_code', 'retryable', 'status', 'timestamp', 'title', 'type'];

/** The document's table, and the status that each name stands for; -32300 also covers 502 to 504. */
const CODES: Record<number, readonly [name: string, retryable: boolean, statuses: readonly number[]]> = {
  [-32001]: ['unauthorized', false, [401]],
  [-32002]: ['forbidden', false, [403]],
  [-32003]: ['rate_limited', true, [429]],
  [-32100]: ['bad_request', false, [400, 405, 406, 413, 415]],
  [-32101]: ['validation_error', false, [400]],
  [-32102]: ['unprocessable_entity', false, [422]],
  [-32200]: ['not_found', false, [404]],
  [-32201]: ['conflict', false, [409]],
  [-32300]: ['internal_error', true, [500, 502, 503, 504]],
};

/** Members of the problem document beyond the seven. */
interface Beyond {
  readonly more?: readonly string[];
}

function judgeError(error: Wire, code: number, { more = [] }: Beyond): Wire {
  const [name, retryable, statuses] = CODES[code] ?? ['', false, []];
  expect(Object.keys(error).toSorted()).toEqual(['code', 'data', 'message']);
  expect(error).toMatchObject({
    code,
    message: error.data.title,
    data: { type: `https://closient.com/docs/errors/${name}`, error_code: name, retryable },
  });
  const members = [...PROBLEM, ...more];
  expect(Object.keys(error.data).filter((key) => !members.includes(key))).toEqual([]);
  expect(members.filter((key) => !Object.hasOwn(error.data, key))).toEqual([]);
  expect(statuses).toContain(error.data.status);
  expect(error.data.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  expect(error.data.detail).toMatch(/\S/);
  return error.data;
}

/** A failing tool: `result.error`, beside it only what standard clients need to see a failure. */
function judgeTool(message: Message, code: number, beyond: Beyond = {}): Wire {
  expect(Object.keys(message).toSorted()).toEqual(['id', 'jsonrpc', 'result']);
  const { error, isError, content, _meta = {}, resultType: _, ...others } = message.result;
  expect(others).toEqual({});
  expect(isError).toBe(true);
  expect(content[0]).toMatchObject({ type: 'text', text: expect.stringMatching(/\S/) });
  expect(Object.keys(_meta).filter((key) => !key.startsWith('dev.mayday/'))).toEqual([]);
  return judgeError(error, code, beyond);
}

/** A refusal before a tool is found: at the top of the response. */
function judgeTop(message: Message, code: number, id: unknown, beyond: Beyond = {}): Wire {
  expect(Object.keys(message).toSorted()).toEqual(['error', 'id', 'jsonrpc']);
  expect(message.id).toBe(id);
  const { 'dev.mayday/error': _, ...data } = message.error.data;
  return judgeError({ ...message.error, data }, code, beyond);
}

const GUEST = { email: 'ada' };
const FINE = { guest: GUEST, seats: 2 };

describe.each(WAYS)('%s', (way) => {
  it.each([
    ['missing', { guest: GUEST }, /seats/],
    ['nested and missing', { guest: {}, seats: 1 }, /guest\.email/],
    ['of a wrong type', { guest: GUEST, seats: 'two' }, /seats/],
    ['out of range', { guest: GUEST, seats: 12 }, /seats/],
    ['unknown', { ...FINE, colour: 'red' }, /colour/],
  ])('CL-21 CL-8 arguments that are %s: -32101 with the field', async (_name, args, field) => {
    const message = await stage.call(way, 'book', args);
    const extension = Object.keys(message.result.error.data).filter((key) => !PROBLEM.includes(key));
    const data = judgeTool(message, -32101, { more: extension });
    expect(extension).toHaveLength(1);
    expect(JSON.stringify(data[extension[0] ?? ''])).toMatch(field);
  });

  it('CL-23 an unknown tool is what does not exist: -32200', async () => {
    const { result, error, ...rest } = await stage.call(way, 'nonexistent_tool', {});
    expect(rest).toMatchObject({ jsonrpc: '2.0' });
    expect(judgeError(result?.error ?? error, -32200, {}).status).toBe(404);
  });

  it("CL-15 a success is the tool's own payload", async () => {
    const { result } = await stage.call(way, 'book', FINE);
    expect(result).not.toHaveProperty('error');
    expect(result.content).toEqual([{ type: 'text', text: '2 booked' }]);
  });

  it.each(['error', 'type', 'secret', 'raw-500', 'parsed-500'])(
    'CL-25 an exception (%s) is -32300, retryable, and tells nothing of its cause',
    async (how) => {
      const message = await stage.call(way, 'fail', { how });
      expect(judgeTool(message, -32300).status).toBe(500);
      expect(JSON.stringify(message)).not.toMatch(/hunter2|10\.0\.0\.5|jane\.doe|Cannot read|see the logs/);
    },
  );

  it.each(['refused', 'timeout', 'aborted', 'raw-503', 'parsed-503'])(
    'CL-25 a backend that does not answer (%s) is -32300',
    async (how) => {
      const message = await stage.call(way, 'fail', { how });
      judgeTool(message, -32300);
      expect(JSON.stringify(message)).not.toMatch(/10\.0\.0\.5|ECONN|ETIMEDOUT/);
    },
  );

  it("CL-25 a backend that refuses the server's own key is no failure of the caller's: -32300", async () => {
    const { error } = (await stage.call(way, 'fail', { how: 'raw-401' })).result;
    expect([error.code, error.data.error_code]).toEqual([-32300, 'internal_error']);
  });

  it.each([
    ['CL-18', 403, -32002],
    ['CL-23', 404, -32200],
    ['CL-24', 409, -32201],
    ['CL-22', 422, -32102],
  ])('%s a backend that answers %i is %i', async (_id, status, code) => {
    for (const form of ['raw', 'parsed']) {
      const message = await stage.call(way, 'fail', { how: `${form}-${status}` });
      expect(judgeTool(message, code).status).toBe(status);
    }
  });

  it('CL-20 CL-21 a backend that answers 400 is one of the two for what the caller sent', async () => {
    const { error } = (await stage.call(way, 'fail', { how: 'raw-400' })).result;
    expect([-32100, -32101]).toContain(error.code);
    expect(judgeError(error, error.code, {}).status).toBe(400);
  });

  it('CL-19 a backend that answers 429 is -32003 with its wait in seconds', async () => {
    for (const how of ['raw-429', 'parsed-429']) {
      const data = judgeTool(await stage.call(way, 'fail', { how }), -32003, { more: ['retry_after'] });
      expect(data.retry_after).toBe(7);
    }
  });

  it.each([
    ['CL-17', 'unauthenticated', -32001],
    ['CL-18', 'forbidden', -32002],
    ['CL-19 CL-36', 'rateLimited', -32003],
    ['CL-20', 'invalidRequest', -32100],
    ['CL-21', 'invalidArguments', -32101],
    ['CL-22', 'unprocessable', -32102],
    ['CL-23', 'notFound', -32200],
    ['CL-24', 'conflict', -32201],
    ['CL-25', 'internal', -32300],
    ['CL-25', 'timeout', -32300],
    ['CL-25', 'unavailable', -32300],
    ['CL-25', 'upstreamFailed', -32300],
  ])('%s fault.%s is %i, with its words in detail alone', async (_id, kind, code) => {
    // A limit is waited out: of a tool that may have changed something, its author has to say that it did not.
    const options = kind === 'rateLimited' ? { executed: 'no' } : {};
    const message = await stage.call(way, 'raise', { kind, message: 'No rule for 00614141123452', options });
    expect(judgeTool(message, code).detail).toBe('No rule for 00614141123452');
  });

  it("CL-4 CL-8 CL-23 the document's own example", async () => {
    const message = await stage.call(way, 'raise', {
      kind: 'notFound',
      message: 'No product found for GTIN 00614141123452',
    });
    expect(message.result.error).toEqual({
      code: -32200,
      message: 'Not Found',
      data: {
        type: 'https://closient.com/docs/errors/not_found',
        title: 'Not Found',
        status: 404,
        detail: 'No product found for GTIN 00614141123452',
        error_code: 'not_found',
        retryable: false,
        timestamp: expect.any(String),
      },
    });
  });

  it('CL-19 a fault with a wait says it in whole seconds, never shorter', async () => {
    const options = { executed: 'no', retry: { afterMs: 29_001 } };
    const raised = await stage.call(way, 'raise', { kind: 'rateLimited', message: 'Slow', options });
    expect(judgeTool(raised, -32003, { more: ['retry_after'] }).retry_after).toBe(30);
  });

  it('CL-3 CL-33 a result that a tool marks as an error has the member too', async () => {
    const content = [{ type: 'text', text: 'The printer is out of paper' }];
    const message = await stage.call(way, 'say', { result: { isError: true, content } });
    judgeTool(message, -32300);
    expect(message.result.content[0].text).toContain('The printer is out of paper');
  });

  it('CL-3 CL-23 and so has one whose text is a body, which stays what it was', async () => {
    const text = '{ "code": 404, "error": "Client not found" }';
    const result = { isError: true, content: [{ type: 'text', text }] };
    const message = await stage.call(way, 'say', { result });
    expect(judgeTool(message, -32200).detail).toBe('Client not found');
    expect(message.result.content[0]).toEqual({ type: 'text', text });
  });

  it('CL-25 a tool that takes too long is -32300', async () => {
    judgeTool(await stage.call(way, 'hang', {}), -32300);
  });

  it('CL-10 CL-25 what is retryable is not called hopeless in the text beside it', async () => {
    const { error, content } = (await stage.call(way, 'fail', { how: 'error' })).result;
    expect(error.data.retryable).toBe(true);
    expect(content[0].text).not.toMatch(/do not (re)?try/i);
  });

  it('CL-19 CL-35 a rate limit is -32003 with the wait in seconds', async () => {
    await stage.call(way, 'book', FINE, 'limited');
    const message = await stage.call(way, 'book', FINE, 'limited');
    const data = judgeTool(message, -32003, { more: ['retry_after'] });
    expect(data.retry_after).toBeGreaterThan(55);
    expect(data.retry_after).toBeLessThanOrEqual(60);
    expect(Number.isInteger(data.retry_after)).toBe(true);
  });

  it('CL-17 a caller without a key is -32001', async () => {
    const { result, error } = await stage.call(way, 'book', FINE, 'keyed');
    expect(judgeError(result?.error ?? error, -32001, {}).status).toBe(401);
  });

  it('CL-18 a caller without the scope is -32002', async () => {
    judgeTool(await stage.call(way, 'book', FINE, 'scoped'), -32002);
  });

  it("an unknown method is JSON-RPC's own -32601, without anybody's data", async () => {
    const { error } = await stage.ask(way, 'nonexistent/method');
    expect(error.code).toBe(-32601);
    const known = [...PROBLEM, 'dev.mayday/error'];
    expect(Object.keys(error.data ?? {}).filter((key) => !known.includes(key))).toEqual([]);
  });

  it('CL-21 an address that is none names its field, and has the members of nobody else', async () => {
    const { error } = await stage.ask(way, 'resources/read', { uri: 'not a uri' });
    expect(error.data).toMatchObject({ error_code: 'validation_error', errors: [{ field: 'uri' }] });
    expect(error.data).not.toHaveProperty('uri');
    expect(error.data).not.toHaveProperty('reason');
  });

  it('CL-23 CL-25 a resource fails with the same codes, at the top', async () => {
    const absent = await stage.ask(way, 'resources/read', { uri: 'note://none' });
    judgeTop(absent, -32200, absent.id);
    const broken = await stage.ask(way, 'resources/read', { uri: 'note://broken' });
    judgeTop(broken, -32300, broken.id);
    expect(JSON.stringify(broken)).not.toMatch(/hunter2|10\.0\.0\.5|jane\.doe/);
  });
});

describe.each(['v1', 'v2'] as const)('SDK %s', (sdk) => {
  const all: Refused[] = ['put', 'accept', 'large', 'type', 'parse'];
  const here: Refused[] = sdk === 'v2' ? [...all, 'get', 'delete', 'batch'] : all;
  it.each(here)('CL-20 over HTTP, what is refused for its %s is -32100 to nobody', async (name) => {
    const { status, question } = REFUSED[name];
    const answer = await stage.http(sdk, question);
    expect(answer.status).toBe(status);
    expect(judgeTop(answer.message, -32100, null).status).toBe(status);
  });

  it('CL-18 over HTTP, a foreign Host is -32002', async () => {
    const answer = await stage.http(sdk, REFUSED.host.question);
    expect(answer.status).toBe(403);
    judgeTop(answer.message, -32002, null);
  });

  it.each(MALFORMED)('CL-20 over HTTP, JSON that is no request (%s) is -32100', async (_what, body, id) => {
    const answer = await stage.http(sdk, { body });
    expect(answer.status).toBe(400);
    judgeTop(answer.message, -32100, id);
  });

  it('CL-32 the checks come in this order: token, limit, scope, arguments', async () => {
    const told = async (name: string, headers: Record<string, string>): Promise<number> => {
      const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: {} } };
      const { message } = await stage.http(sdk, { body, headers }, 'ordered');
      return (message.result?.error ?? message.error).code;
    };
    const key = { authorization: 'Bearer good-key-of-ada' };
    const codes = [
      await told('book', {}),
      await told('book', key),
      await told('book', key),
      await told('book', key),
    ];
    expect(codes).toEqual([-32001, -32002, -32002, -32003]);
  });
});

it.each(['v1', 'v2', 'by hand'] as const)(
  'CL-20 over stdio (%s), no JSON is -32100 to nobody',
  async (server) => {
    judgeTop(await stage.line(server, '{"jsonrpc": "2.0", nope\n'), -32100, null);
  },
);

it.each(['v1', 'v2'] as const)('CL-20 over stdio (%s), a line that is too long is -32100', async (server) => {
  const padding = 'x'.repeat(70_000);
  judgeTop(await stage.line(server, `{"jsonrpc":"2.0","padding":"${padding}"}\n`), -32100, null);
});
