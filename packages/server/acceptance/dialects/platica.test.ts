/** `guard(server, {dialect: 'platica'})`, held against Platica's page: https://docs.platica.mx/en/mcp/errores. */
import { describe, expect, it } from 'vitest';
import { MALFORMED, REFUSED, type Refused } from '../support/refusals.ts';
import { type HttpAnswer, useStage, WAYS } from '../support/stage.ts';
import { BODIES } from '../support/thrown.ts';
import type { Message, Wire } from '../support/wire.ts';

const stage = useStage('platica');

/** An execution error: `isError`, one text, and a body that is JSON also parsed; nothing else. */
function judgeExecution(message: Message): { readonly text: string; readonly structured: Wire } {
  expect(Object.keys(message).toSorted()).toEqual(['id', 'jsonrpc', 'result']);
  const { isError, content, structuredContent, resultType: _, ...others } = message.result;
  expect(others).toEqual({});
  expect(isError).toBe(true);
  expect(content).toEqual([{ type: 'text', text: expect.any(String) }]);
  return { text: content[0].text, structured: structuredContent };
}

/** A protocol error: code and message, no data. */
function judgeProtocol(message: Message, code: number, id: unknown = message.id): string {
  expect(message).toEqual({
    jsonrpc: '2.0',
    id,
    error: { code, message: expect.stringMatching(/\S/) },
  });
  return message.error.message;
}

const GUEST = { email: 'ada' };
const FINE = { guest: GUEST, seats: 2 };

describe.each(WAYS)('%s', (way) => {
  it('PL-15 an unknown tool cannot be executed: -32602', async () => {
    judgeProtocol(await stage.call(way, 'nonexistent_tool', {}), -32602);
  });

  it("an unknown method is JSON-RPC's own -32601", async () => {
    judgeProtocol(await stage.ask(way, 'nonexistent/method'), -32601);
  });

  it.each([
    ['missing', { guest: GUEST }, [['seats']], ['seats']],
    ['nested and missing', { guest: {}, seats: 1 }, [['guest', 'email']], ['guest.email']],
    ['of a wrong type', { guest: GUEST, seats: 'two' }, [['seats']], ['seats']],
    ['out of range', { guest: GUEST, seats: 12 }, [['seats']], ['seats']],
    [
      'wrong in two places',
      { guest: {}, seats: 'two' },
      [['guest', 'email'], ['seats']],
      ['guest.email', 'seats'],
    ],
  ])(
    'PL-20 PL-21 PL-22 PL-23 arguments that are %s: all issues, as text and in Zod format',
    async (_name, args, paths, names) => {
      const { text, structured } = judgeExecution(await stage.call(way, 'book', args));
      expect(Object.keys(structured)).toEqual(['issues']);
      expect(structured.issues.map((issue: Wire) => Object.keys(issue).toSorted())).toEqual(
        paths.map(() => ['code', 'message', 'path']),
      );
      expect(structured.issues.map((issue: Wire) => issue.path)).toEqual(paths);
      const lines = structured.issues.map((issue: Wire, at: number) => `${names[at]}: ${issue.message}`);
      expect(text.split('\n')).toEqual(lines);
    },
  );

  it('PL-20 PL-22 an argument that is unknown is an issue too', async () => {
    const { text, structured } = judgeExecution(await stage.call(way, 'book', { ...FINE, colour: 'red' }));
    expect(Object.keys(structured)).toEqual(['issues']);
    expect(structured.issues).toEqual([
      { path: expect.any(Array), message: expect.any(String), code: 'unrecognized_keys' },
    ]);
    expect(text).toMatch(/colour/);
  });

  it.each([400, 401, 403, 404, 409, 422, 429, 500, 503])(
    'PL-4 PL-5 PL-14 an interface that answers %i: its body raw, and parsed',
    async (status) => {
      const { text, structured } = judgeExecution(await stage.call(way, 'fail', { how: `raw-${status}` }));
      expect(text).toBe(BODIES[status]);
      expect(structured).toEqual(JSON.parse(BODIES[status] ?? ''));
    },
  );

  it.each([400, 401, 403, 404, 409, 422, 429, 500, 503])(
    'PL-4 PL-14 the same where the client has parsed the body (%i)',
    async (status) => {
      const { text, structured } = judgeExecution(await stage.call(way, 'fail', { how: `parsed-${status}` }));
      expect(JSON.parse(text)).toEqual(JSON.parse(BODIES[status] ?? ''));
      expect(structured).toEqual(JSON.parse(BODIES[status] ?? ''));
    },
  );

  it.each(['error', 'type', 'secret', 'refused', 'timeout', 'aborted'])(
    'PL-19 an unhandled exception (%s) is -32603 with a generic message',
    async (how) => {
      const words = judgeProtocol(await stage.call(way, 'fail', { how }), -32603);
      expect(words).not.toMatch(/hunter2|10\.0\.0\.5|jane\.doe|Cannot read|ECONN|ETIMEDOUT/);
    },
  );

  it('PL-19 a tool that takes too long is -32603', async () => {
    judgeProtocol(await stage.call(way, 'hang', {}), -32603);
  });

  it.each([
    ['PL-8', 'unauthenticated', [401]],
    ['PL-9', 'forbidden', [403]],
    ['PL-10', 'notFound', [404]],
    ['PL-11', 'conflict', [409, 422]],
    ['PL-4', 'rateLimited', [429]],
  ])('%s fault.%s is a body with its status and words', async (_id, kind, statuses) => {
    const message = await stage.call(way, 'raise', { kind, message: 'Client not found' });
    const { text, structured } = judgeExecution(message);
    expect(JSON.parse(text)).toEqual(structured);
    expect(statuses).toContain(structured.code);
    expect(structured.error).toBe('Client not found');
    expect(Object.keys(structured).filter((key) => !['code', 'error', 'details'].includes(key))).toEqual([]);
  });

  it('PL-5 PL-14 a result that a tool marks as an error keeps its text, without structure', async () => {
    const content = [{ type: 'text', text: 'The printer is out of paper' }];
    const { text, structured } = judgeExecution(
      await stage.call(way, 'say', { result: { isError: true, content } }),
    );
    expect(text).toBe('The printer is out of paper');
    expect(structured).toBeUndefined();
  });

  it("PL-5 PL-13 PL-14 the document's own example: a body as text, people in it and all, also parsed", async () => {
    const body =
      '{"code":404,"error":"Client not found","details":"No client jane.doe@example.com in ws_norte"}';
    const content = [{ type: 'text', text: body }];
    const { text, structured } = judgeExecution(
      await stage.call(way, 'say', { result: { isError: true, content } }),
    );
    expect(text).toBe(body);
    expect(structured).toEqual({
      code: 404,
      error: 'Client not found',
      details: 'No client jane.doe@example.com in ws_norte',
    });
  });

  it('PL-4 a rate limit is an execution error with 429', async () => {
    await stage.call(way, 'book', FINE, 'limited');
    const { text, structured } = judgeExecution(await stage.call(way, 'book', FINE, 'limited'));
    expect(JSON.parse(text)).toEqual(structured);
    expect(structured.code).toBe(429);
    expect(Object.keys(structured).filter((key) => !['code', 'error', 'details'].includes(key))).toEqual([]);
  });

  it('PL-9 a caller without the scope is an execution error with 403', async () => {
    const { text, structured } = judgeExecution(await stage.call(way, 'book', FINE, 'scoped'));
    expect(JSON.parse(text)).toEqual(structured);
    expect(structured.code).toBe(403);
    expect(Object.keys(structured).filter((key) => !['code', 'error', 'details'].includes(key))).toEqual([]);
  });

  it('PL-16 a caller without a key is -32001', async () => {
    expect(judgeProtocol(await stage.call(way, 'book', FINE, 'keyed'), -32001)).toMatch(/^Unauthorized/);
  });

  it('PL-16 the key comes first: before the tool and its arguments', async () => {
    judgeProtocol(await stage.call(way, 'nonexistent_tool', {}, 'keyed'), -32001);
    judgeProtocol(await stage.call(way, 'book', { seats: 'two' }, 'keyed'), -32001);
  });

  it('PL-18 a call that names no tool is -32602', async () => {
    judgeProtocol(await stage.ask(way, 'tools/call', { arguments: {} }), -32602);
  });

  it('PL-19 outside of tools, an exception is -32603', async () => {
    const words = judgeProtocol(await stage.ask(way, 'resources/read', { uri: 'note://broken' }), -32603);
    expect(words).not.toMatch(/hunter2|10\.0\.0\.5|jane\.doe/);
  });
});

describe.each(['v1', 'v2'] as const)('SDK %s', (sdk) => {
  const keyed = (authorization: string): Promise<HttpAnswer> => {
    const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'book', arguments: FINE } };
    return stage.http(sdk, { body, headers: { authorization } }, 'keyed');
  };

  it('PL-8 PL-16 a key in the right form that is nobody’s is an execution error with 401', async () => {
    const { text, structured } = judgeExecution((await keyed('Bearer pl_key_nobodyhasthisone')).message);
    expect(JSON.parse(text)).toEqual(structured);
    expect(structured.code).toBe(401);
  });

  it.each([
    'Basic YTpi',
    'Bearer nobody-has-this',
    'pl_key_nobodyhasthisone',
    'Bearer pl_key_',
    'Token pl_key_nobodyhasthisone',
  ])('PL-16 %s is no key at all: -32001', async (authorization) => {
    const { status, message } = await keyed(authorization);
    expect(status).toBe(401);
    expect(judgeProtocol(message, -32001)).toBe('Unauthorized: missing or invalid Authorization header');
  });

  it('PL-18 params that are a list are -32602', async () => {
    const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: [] };
    judgeProtocol((await stage.http(sdk, { body })).message, -32602, 7);
  });

  const all: Refused[] = ['accept', 'large', 'type', 'host'];
  it.each(all)(
    'PL-3 over HTTP, what is refused for its %s is one of the four, without data',
    async (name) => {
      const { status, question } = REFUSED[name];
      const answer = await stage.http(sdk, question);
      expect(answer.status).toBe(status);
      judgeProtocol(answer.message, answer.message.error?.code, null);
      expect([-32000, -32001, -32602, -32603]).toContain(answer.message.error.code);
    },
  );

  it('PL-18 over HTTP, what is no JSON is -32602 to nobody', async () => {
    const answer = await stage.http(sdk, REFUSED.parse.question);
    expect(answer.status).toBe(400);
    judgeProtocol(answer.message, -32602, null);
  });

  it.each(MALFORMED)('PL-18 over HTTP, JSON that is no request (%s) is -32602', async (_what, body, id) => {
    judgeProtocol((await stage.http(sdk, { body })).message, -32602, id);
  });

  it('PL-17 over HTTP, a verb that is not POST is -32000', async () => {
    const answer = await stage.http(sdk, REFUSED.put.question);
    expect(answer.status).toBe(405);
    judgeProtocol(answer.message, -32000, null);
  });
});

it.each(['get', 'delete'] as const)('PL-17 %s is -32000 and 405', async (name) => {
  const answer = await stage.http('v2', REFUSED[name].question);
  expect(answer.status).toBe(405);
  judgeProtocol(answer.message, -32000, null);
});

it('PL-18 a batch is -32602', async () => {
  const answer = await stage.http('v2', REFUSED.batch.question);
  judgeProtocol(answer.message, -32602, null);
});

it.each(['v1', 'v2', 'by hand'] as const)(
  'PL-18 over stdio (%s), no JSON is -32602 to nobody',
  async (server) => {
    judgeProtocol(await stage.line(server, '{"jsonrpc": "2.0", nope\n'), -32602, null);
  },
);

it('a request of 2026-07-28 without its meta has no data', async () => {
  const body = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  const { message } = await stage.http('v2', { body, headers });
  judgeProtocol(message, -32602, 7);
});
