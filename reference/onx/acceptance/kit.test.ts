import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreignMembers, HOSTILE } from '../../acceptance/hostile.ts';
import { exchange, MCP_HEADERS, post } from '../../acceptance/http.ts';
import { type Kit, startKit } from '../../acceptance/kit.ts';
import { SLOW } from '../../acceptance/program.ts';
import { type Channel, callTool, type Wire } from '../../acceptance/wire.ts';
import { MACHINE_READABLE, PROTOCOL_NAMES } from './desk.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit('onx');
}, SLOW);
afterAll(() => kit.stop());

const over = (transport: string): Channel => (transport === 'stdio' ? kit.pipe : kit.endpoint);
const issue = (code: string): Wire => ({ path: ['order', 'city'], message: 'is wrong', code });

/** What an author throws, and the row of the document’s table that it is. */
const KINDS: [string, string, Wire, number, boolean][] = [
  ['EM-14', 'invalidArguments', { issues: [issue('too_big')] }, 2001, false],
  ['EM-15', 'invalidArguments', { issues: [issue('required')] }, 2002, false],
  [
    'EM-15',
    'invalidArguments',
    { issues: [issue('required'), { ...issue('required'), path: ['name'] }] },
    2002,
    false,
  ],
  ['EM-16', 'invalidArguments', { issues: [issue('invalid_format')] }, 2003, false],
  ['EM-17', 'rateLimited', { executed: 'no' }, 3001, true],
  ['EM-18', 'timeout', { executed: 'no' }, 3002, true],
  // Of a tool that may change something nobody knows what became of it: obeying must not do it twice.
  ['EM-6', 'timeout', {}, 4001, false],
  ['EM-6', 'unavailable', {}, 4001, false],
  ['EM-6', 'rateLimited', {}, 4001, false],
  ['EM-19', 'upstreamFailed', {}, 4001, false],
  ['EM-19', 'upstreamFailed', { retryable: true }, 4001, true],
  ['EM-19', 'notFound', {}, 4001, false],
  ['EM-20', 'unavailable', { executed: 'no' }, 4002, true],
  ['EM-21', 'unsupported', {}, 5001, false],
];

describe.each(['stdio', 'HTTP'])('a server of the kit, over %s', (transport) => {
  it.each(KINDS)(
    '%s EM-3 EM-35: fault.%s with %j is %i, retryable %s',
    async (_id, kind, options, code, retryable) => {
      const { result } = await callTool(over(transport), 'raise', {
        kind,
        message: 'This happened',
        options,
      });
      expect([result?.error?.code, result?.error?.retryable, result?.isError]).toEqual([
        code,
        retryable,
        true,
      ]);
      expect(result?.error?.details?.reason ?? 'none').toMatch(MACHINE_READABLE);
      expect(foreignMembers(result)).toEqual([]);
    },
  );

  it.each([
    'Product unavailable',
    'Stock unavailable for SKU 7',
    'Unavailable',
    'Feature unavailable',
    'Order cannot be shipped: carrier unavailable',
  ])('EM-20 EM-32: 4002 is always worth another try, so "%s" is another code', async (text) => {
    const { result } = await callTool(over(transport), 'say_reading', { text });
    expect([result?.error?.code, result?.error?.retryable]).toEqual([4001, false]);
    expect(result?.error?.message).toBe(text);
  });

  it('EM-31: what is not retryable is not said to be, in the text and the suggestion either', async () => {
    const { result } = await callTool(over(transport), 'raise_reading', {
      kind: 'upstreamFailed',
      message: 'The till failed',
    });
    expect([result?.error?.code, result?.error?.retryable]).toEqual([4001, false]);
    expect(JSON.stringify(result)).not.toMatch(/(?:try|call) again|back off/i);
  });

  it('EM-36: a validation fault names its first field, dotted', async () => {
    const options = { issues: [issue('required')] };
    const { result } = await callTool(over(transport), 'raise', {
      kind: 'invalidArguments',
      message: 'No',
      options,
    });
    expect(result.error.details.field).toBe('order.city');
  });

  it('EM-22 EM-23 EM-28: an AdapterError is the document’s example to the byte', async () => {
    const { result } = await callTool(over(transport), 'adapter', { id: 'ORDER_NOT_FOUND' });
    expect(JSON.stringify(result?.error)).toBe(
      '{"code":4001,"message":"Adapter error","retryable":false,"details":{"originalError":"ORDER_NOT_FOUND"}}',
    );
  });

  it('EM-19 EM-22: an AdapterError of any name may say that it is retryable', async () => {
    const { result } = await callTool(over(transport), 'adapter', {
      id: 'warehouse.busy',
      options: { retryable: true },
    });
    expect(result?.error).toMatchObject({
      code: 4001,
      retryable: true,
      details: { originalError: 'warehouse.busy' },
    });
  });

  it.each(['error', 'empty', 'secret', 'text', 'nothing', 'null', 'object', 'driver'])(
    'EM-3 EM-25 EM-37: what a tool throws as %s is in the result, and told to nobody',
    async (what) => {
      const answer = await callTool(over(transport), 'throw', { what });
      expect(answer).not.toHaveProperty('error');
      expect(answer.result?.error).toMatchObject({ code: 4001, retryable: false });
      expect(JSON.stringify(answer)).not.toMatch(/plutonium|hunter2|jane\.doe|10\.0\.0\.5|E11000/);
    },
  );

  it('EM-26 EM-25: a schema that fails inside the tool is a failure of the tool, not of the parameters', async () => {
    const answer = await callTool(over(transport), 'parse');
    expect(answer).not.toHaveProperty('error');
    expect(answer.result?.error).toMatchObject({ code: 4001, retryable: false });
    expect(JSON.stringify(answer)).not.toMatch(/total|jane\.doe/);
  });

  it('EM-6: a tool that never answers, and may have changed something, is 4001', async () => {
    const { result } = await callTool(over(transport), 'hang');
    expect([result?.error?.code, result?.error?.retryable]).toEqual([4001, false]);
  });

  it('EM-26 EM-29: arguments that break the schema are -32602 with a dotted field', async () => {
    const answer = await callTool(over(transport), 'book', { guest: { email: 'x' }, seats: 2 });
    expect(answer).not.toHaveProperty('result');
    expect(answer.error).toMatchObject({
      code: -32602,
      message: 'Invalid params',
      data: { field: 'guest.email' },
    });
    expect(foreignMembers(answer)).toEqual([]);
  });

  it.each([
    ['EM-2 EM-24: an unknown method', -32601, 'nope/nope', {}],
    ['EM-2 EM-24: a call without a name', -32602, 'tools/call', {}],
    ['EM-2 EM-24: a resource that breaks', -32603, 'resources/read', { uri: 'note://broken' }],
    ['EM-2 EM-24: a prompt without its argument', -32602, 'prompts/get', { name: 'greet' }],
  ])('%s is %i by its name', async (_name, code, method, params) => {
    const answer = await over(transport).request(method, params);
    expect([answer.error?.code, answer.error?.message]).toEqual([code, PROTOCOL_NAMES[code]]);
    expect(foreignMembers(answer)).toEqual([]);
  });

  it('EM-34 EM-37: the cause is in the log', async () => {
    await callTool(over(transport), 'throw', { what: 'secret' });
    const program = transport === 'stdio' ? kit.pipe.program : kit.program;
    expect(program.errors()).toContain('stage two broke');
  });
});

describe('what the kit refuses before a tool is found', () => {
  it('EM-2 EM-24: a line that is no JSON is -32700 with id null', async () => {
    kit.pipe.send('{"jsonrpc":\n');
    const answer = await kit.pipe.find(
      ({ id, error }) => error !== undefined && (id === null || id === undefined),
    );
    expect([answer.id, answer.error.code, answer.error.message]).toEqual([null, -32700, 'Parse error']);
  });

  it.each([
    ['a body that is no JSON', 400, -32700, { headers: MCP_HEADERS, body: '{"jsonrpc":' }],
    ['GET', 405, -32600, { method: 'GET' }],
    [
      'a body of another type',
      415,
      -32600,
      { headers: { ...MCP_HEADERS, 'content-type': 'text/plain' }, body: '{}' },
    ],
    [
      'an Accept that rules out the answer',
      406,
      -32600,
      { headers: { ...MCP_HEADERS, accept: 'text/html' }, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' },
    ],
  ])('EM-2 EM-24: %s is HTTP %i and %i with id null', async (_name, status, code, question) => {
    const answer = await exchange(kit.endpoint.url, question);
    expect(answer.status).toBe(status);
    expect([answer.messages[0]?.error?.code, answer.messages[0]?.error?.message]).toEqual([
      code,
      PROTOCOL_NAMES[code],
    ]);
    expect(answer.messages[0]?.id).toBeNull();
    expect(foreignMembers(answer.messages)).toEqual([]);
  });

  it('EM-2 EM-24: a body that is too large is HTTP 413 and -32600', async () => {
    const huge = HOSTILE.find(({ kind }) => kind === 'too_large');
    const answer = await post(kit.endpoint.url, huge?.bytes);
    expect([answer.status, answer.messages[0]?.error?.code, answer.messages[0]?.error?.message]).toEqual([
      413,
      -32600,
      'Invalid request',
    ]);
  });
});
