import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreignMembers, HOSTILE } from '../../acceptance/hostile.ts';
import { exchange, MCP_HEADERS, post } from '../../acceptance/http.ts';
import { type Kit, kitArguments, startKit } from '../../acceptance/kit.ts';
import { SLOW, startProgram } from '../../acceptance/program.ts';
import { Pipe } from '../../acceptance/stdio.ts';
import { type Channel, callTool, type Wire } from '../../acceptance/wire.ts';
import { expectDocumented } from './judge.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit('erlmcp');
}, SLOW);
afterAll(() => kit.stop());

const over = (transport: string): Channel => (transport === 'stdio' ? kit.pipe : kit.endpoint);
const text = expect.stringMatching(/\w/);

/** Requests that every server of the kit gets, and what the document says to them. */
const CASES: [string, string, Wire, Wire][] = [
  [
    'ER-25',
    'tools/call',
    { name: 'nope', arguments: {} },
    { code: -32002, message: 'Tool not found', data: { tool: 'nope' } },
  ],
  [
    'ER-24',
    'resources/read',
    { uri: 'note://nope' },
    { code: -32001, message: 'Resource not found', data: { uri: 'note://nope' } },
  ],
  [
    'ER-26',
    'prompts/get',
    { name: 'nope' },
    { code: -32003, message: 'Prompt not found', data: { prompt: 'nope' } },
  ],
  [
    'ER-48',
    'prompts/get',
    { name: 'greet' },
    { code: -32043, message: 'Prompt argument missing', data: { prompt: 'greet', argument: 'name' } },
  ],
  [
    'ER-47',
    'tools/call',
    { name: 'book', arguments: { guest: {}, seats: 1 } },
    { code: -32034, message: 'Invalid tool arguments', data: { tool: 'book', details: text } },
  ],
  [
    'ER-45',
    'tools/call',
    { name: 'hang', arguments: {} },
    { code: -32032, message: 'Tool execution timeout', data: { tool: 'hang', timeout_ms: 900 } },
  ],
  [
    'ER-44',
    'tools/call',
    { name: 'parse', arguments: {} },
    { code: -32031, message: 'Tool execution failed', data: { tool: 'parse', reason: text } },
  ],
  [
    'ER-21',
    'tools/call/nope',
    {},
    { code: -32601, message: 'Method not found', data: { method: 'tools/call/nope' } },
  ],
  [
    'ER-22',
    'resources/read',
    {},
    { code: -32602, message: 'Invalid params', data: { details: 'Missing required parameter: uri' } },
  ],
  [
    'ER-22',
    'tools/call',
    {},
    { code: -32602, message: 'Invalid params', data: { details: 'Missing required parameter: name' } },
  ],
  ['ER-23', 'resources/read', { uri: 'note://broken' }, { code: -32603, message: 'Internal error' }],
];

/** What an author throws in a tool. */
const KINDS: [string, string, Wire, number, string][] = [
  ['ER-33', 'rateLimited', { executed: 'no', retry: { afterMs: 5000 } }, -32010, 'Rate limit exceeded'],
  ['ER-33', 'rateLimited', { retry: { afterMs: 5000 } }, -32031, 'Tool execution failed'],
  ['ER-51', 'unauthenticated', {}, -32051, 'Authentication failed'],
  ['ER-52', 'forbidden', {}, -32052, 'Authorization failed'],
  ['ER-35', 'tooLarge', { subject: { type: 'message' } }, -32012, 'Message size exceeds maximum allowed'],
  ['ER-24', 'notFound', { subject: { type: 'resource', id: 'a://b' } }, -32001, 'Resource not found'],
  ['ER-61', 'notFound', { subject: { type: 'task', id: 'task-123' } }, -32081, 'Task not found'],
  ['ER-59', 'invalidArguments', { subject: { type: 'cursor', id: 'c' } }, -32071, 'Invalid cursor'],
  ['ER-60', 'expired', { subject: { type: 'cursor', id: 'c' } }, -32072, 'Cursor expired'],
  ['ER-31', 'disconnected', {}, -32008, 'Transport error'],
  ['ER-46', 'cancelled', {}, -32033, 'Tool execution cancelled'],
];

describe.each(['stdio', 'HTTP'])('a server of the kit, over %s', (transport) => {
  it.each(CASES)('%s ER-1 ER-86: %s with %j is the document’s error', async (_id, method, params, error) => {
    const answer = await over(transport).request(method, params);
    expect(answer).not.toHaveProperty('result');
    expect(answer.error).toEqual(error);
  });

  it.each(['error', 'empty', 'secret', 'text', 'nothing', 'null', 'object', 'driver'])(
    'ER-44 ER-88: what a tool throws as %s is -32031 with tool and reason, and tells nothing',
    async (what) => {
      const answer = await callTool(over(transport), 'throw', { what });
      expect(answer.error).toEqual({
        code: -32031,
        message: 'Tool execution failed',
        data: { tool: 'throw', reason: text },
      });
      expect(JSON.stringify(answer)).not.toMatch(/plutonium|hunter2|jane\.doe|10\.0\.0\.5|E11000/);
    },
  );

  it.each(KINDS)('%s ER-85: fault.%s with %j is %i "%s"', async (_id, kind, options, code, message) => {
    const answer = await callTool(over(transport), 'raise', { kind, message: 'This happened', options });
    expect(answer).not.toHaveProperty('result');
    expect(answer.error?.code).toBe(code);
    expect([message, 'This happened']).toContain(answer.error?.message);
    expect(JSON.stringify(answer.error)).toContain('This happened');
    expect(foreignMembers(answer)).toEqual([]);
  });

  it('ER-33: the wait of a rate limit is retry_after, in seconds', async () => {
    const options = { executed: 'no', retry: { afterMs: 4001 } };
    const { error } = await callTool(over(transport), 'raise', {
      kind: 'rateLimited',
      message: 'Slow',
      options,
    });
    expect(error?.data?.retry_after).toBe(5);
  });
});

describe('before a tool is found', () => {
  it(
    'ER-28: what comes before initialize is -32005',
    async () => {
      const pipe = new Pipe(startProgram(kitArguments('erlmcp')));
      pipe.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      const early = await pipe.answerTo(1, 30_000);
      await pipe.close();
      expect(early.error).toEqual({
        code: -32005,
        message: 'Server not initialized',
        data: { phase: 'pre_initialization' },
      });
    },
    SLOW,
  );

  it('ER-19 ER-1: a line that is no JSON is -32700 with text in data and id null', async () => {
    kit.pipe.send('{"jsonrpc":2.0 x}\n');
    const answer = await kit.pipe.find(
      ({ id, error }) => error !== undefined && (id === null || id === undefined),
    );
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'Parse error', data: 'Unexpected token at position 15' },
    });
  });

  it('ER-20: a request without a method is -32600 with text in data', async () => {
    kit.pipe.send({ jsonrpc: '2.0', id: 77 });
    expect(await kit.pipe.answerTo(77)).toEqual({
      jsonrpc: '2.0',
      id: 77,
      error: { code: -32600, message: 'Invalid Request', data: 'Missing required field: method' },
    });
  });

  it.each([
    ['ER-19: a body that is no JSON', 400, [-32700], { headers: MCP_HEADERS, body: '{"jsonrpc":' }],
    ['ER-20: GET', 405, [-32600, -32601], { method: 'GET' }],
    [
      'ER-36: a body of another type',
      415,
      [-32013],
      { headers: { ...MCP_HEADERS, 'content-type': 'text/plain' }, body: '{}' },
    ],
    [
      'ER-36: an Accept that rules out the answer',
      406,
      [-32013, -32600],
      { headers: { ...MCP_HEADERS, accept: 'text/html' }, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' },
    ],
  ])('%s is HTTP %i in the document’s words', async (_name, status, codes, question) => {
    const answer = await exchange(kit.endpoint.url, question);
    expect(answer.status).toBe(status);
    expectDocumented(answer.messages[0], codes);
    expect(answer.messages[0]?.id).toBeNull();
  });

  it('ER-35: a body that is too large is HTTP 413 and -32012 with its sizes', async () => {
    const huge = HOSTILE.find(({ kind }) => kind === 'too_large');
    const answer = await post(kit.endpoint.url, huge?.bytes);
    expect(answer.status).toBe(413);
    expectDocumented(answer.messages[0], [-32012]);
    expect(answer.messages[0]?.error?.data).toMatchObject({ max_size: expect.any(Number), unit: 'bytes' });
  });
});
