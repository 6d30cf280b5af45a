/**
 * What a plain server on the kit answers in each of the five documents' words: codes, sentences and members typed from
 * the documents, whatever way a handler fails.
 */
import { type FaultError, fault } from '@mayday/core';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type GuardOptions, guard, rateLimit, scopes } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { connectRaw } from './wire.ts';

type Work = () => unknown;

/** One call of a tool that fails in one way. */
async function failing(
  dialect: string,
  work: Work,
  more: GuardOptions = {},
  readOnlyHint = false,
): Promise<Message> {
  const server = guard(new McpServer({ name: 's', version: '1' }), { dialect, ...more });
  server.registerTool('pay', { annotations: { readOnlyHint } }, work as never);
  server.registerTool('calculate', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, () => ({
    content: [],
  }));
  const client = await connectRaw(server);
  const clientInfo = { name: 'c', version: '1' };
  await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return client.ask('tools/call', { name: 'pay', arguments: {} });
}

async function calculated(dialect: string, args: object): Promise<Message> {
  const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
  server.registerTool('calculate', { inputSchema: z.strictObject({ a: z.number(), b: z.number() }) }, () => ({
    content: [],
  }));
  const client = await connectRaw(server);
  const clientInfo = { name: 'c', version: '1' };
  await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return client.ask('tools/call', { name: 'calculate', arguments: args });
}

const throwing = (reason: unknown) => (): never => {
  throw reason;
};
const http = (status: number, data: unknown): Error =>
  Object.assign(new Error(`Request failed with status code ${status}`), {
    response: { status, data, headers: {} },
  });
const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' });
const text = (said: string): object => ({ isError: true, content: [{ type: 'text', text: said }] });
/** What a server behind this one has said, as a tool hands it on. */
const handedOn = (executed: string): object => ({
  ...text('Rate limited'),
  _meta: {
    'dev.mayday/fault': {
      kind: 'rate_limited',
      reaction: 'wait',
      message: 'Rate limited',
      retryable: true,
      retry: { when: 'after', afterMs: 1000 },
      executed,
    },
  },
});

describe('platica', () => {
  const RAW = '{"code":404, "error":"Client not found","details":"..."}';

  it('PL-5 PL-13 PL-14 a failing result that the handler returns stays as it is, and is parsed', async () => {
    const parsed = { code: 404, error: 'Client not found', details: '...' };
    const { result } = await failing('platica', () => text(RAW));
    expect(result).toEqual({ ...text(RAW), structuredContent: parsed });
    const own = { ...text(RAW), structuredContent: { code: 404, error: 'Client not found' } };
    expect((await failing('platica', () => own)).result).toEqual(own);
  });

  it.each(['plain words', '["a"]', '{"half":'])(
    'PL-5 %s is a body too, and nothing is parsed',
    async (body) => {
      expect((await failing('platica', () => text(body))).result).toEqual(text(body));
    },
  );

  it('PL-5 the body of an answer is found behind four causes, and no further', async () => {
    const behind = (causes: number): unknown => {
      let reason: unknown = http(404, { code: 404, error: 'Client not found', details: '...' });
      for (let n = 0; n < causes; n += 1) reason = new Error('The lookup failed', { cause: reason });
      return reason;
    };
    expect(JSON.stringify(await failing('platica', throwing(behind(4))))).toContain('Client not found');
    expect(JSON.stringify(await failing('platica', throwing(behind(5))))).not.toContain('Client not found');
  });

  it('PL-5 a body that names people goes out as it came; keys and card numbers do not', async () => {
    const person = {
      name: 'Ana Ruiz',
      phone: '+34 612 345 678',
      curp: 'RUIA900102MDFZNN09',
      iban: 'ES9121000418450200051332',
      email: 'ana@example.com',
    };
    const body = JSON.stringify({ code: 409, error: 'Already connected', details: person });
    const told = JSON.stringify({
      code: 409,
      error: 'No',
      card: '4111 1111 1111 1111',
      password: 'hunter2-x9',
    });
    for (const work of [throwing(http(409, body)), () => text(body), throwing(http(409, JSON.parse(body)))])
      expect((await failing('platica', work)).result).toMatchObject(text(body));
    expect(JSON.stringify(await failing('platica', throwing(http(409, told))))).not.toMatch(/4111|hunter2/);
  });

  it.each([302, 400, 401, 403, 404, 409, 422, 429, 500, 501, 502, 503, 504])(
    'PL-4 PL-5 an answer %i without a body is an execution error with its status',
    async (status) => {
      const client = Object.assign(new Error(`HTTP ${status}`), { status, body: '' });
      for (const thrown of [http(status, ''), http(status, null), client]) {
        const { result, error } = await failing('platica', throwing(thrown));
        expect(error).toBeUndefined();
        expect(result).toMatchObject({ isError: true, structuredContent: { code: status } });
        const [block] = (result?.['content'] ?? []) as readonly { readonly text: string }[];
        expect(JSON.parse(block?.text ?? '')).toEqual(result?.['structuredContent']);
      }
    },
  );

  // biome-ignore format: a table
  it.each<[string, object, number, string]>([
    ['Closient', { content: [], error: { code: -32200, message: 'Not Found', data: { type: 'https://closient.com/docs/errors/not_found', title: 'Not Found', status: 404, detail: 'No product', error_code: 'not_found', retryable: false, timestamp: '2026-04-26T02:34:56+00:00' } } }, 404, 'No product'],
    ['onX', { content: [], error: { code: 4001, message: 'Adapter error', retryable: false, details: { originalError: 'ORDER_NOT_FOUND' } } }, 404, 'Adapter error'],
    ['onX, with words', { content: [{ type: 'text', text: 'Adapter error' }], error: { code: 4001, message: 'Adapter error', retryable: false, details: { originalError: 'ORDER_NOT_FOUND' } } }, 404, 'Adapter error'],
    ['Mayday', { isError: true, content: [{ type: 'text', text: 'No order. Stop.' }], _meta: { 'dev.mayday/fault': { version: 1, kind: 'not_found', reaction: 'terminal', message: 'No order', retryable: false, executed: 'maybe', origin: 'server' } } }, 404, 'No order'],
    ['nobody, without a body', { isError: true, content: [] }, 500, 'Unknown failure'],
  ])('PL-2 PL-5 a failing result in the form of %s becomes a body, and nothing else', async (_whose, said, code, error) => {
    const { result } = await failing('platica', () => said);
    const body = { code, error, details: expect.any(String) };
    expect(result).toEqual({ isError: true, content: [{ type: 'text', text: expect.any(String) }], structuredContent: body });
    expect(JSON.parse((result as { content: { text: string }[] }).content[0]?.text ?? '')).toEqual(body);
  });

  it.each([300, 400, 401, 403, 404, 409, 418, 422, 429, 500, 502, 503])(
    'PL-4 PL-5 the body of a client’s error with %i is the answer',
    async (code) => {
      const body = { code, error: 'No se encontró', details: 'Revise el identificador' };
      const said = { ...text(JSON.stringify(body)), structuredContent: body };
      expect((await failing('platica', throwing(http(code, body)))).result).toEqual(said);
      const spelt = ` {"code": ${code}}\n`;
      const { result } = await failing('platica', throwing(http(code, spelt)));
      expect(result).toEqual({ ...text(spelt), structuredContent: { code } });
    },
  );

  it('PL-5 a body is the answer also where a wrapper was thrown', async () => {
    const wrapped = new Error('Could not look it up', { cause: http(404, RAW) });
    expect((await failing('platica', throwing(wrapped))).result).toMatchObject(text(RAW));
  });

  it('takes the secrets out of a body', async () => {
    const body = { code: 500, error: 'postgres://svc:hunter2@db/prod' };
    expect(JSON.stringify(await failing('platica', throwing(http(500, body))))).not.toContain('hunter2');
  });

  it('PL-19 PL-3 what nobody expected is -32603, with two members', async () => {
    const { error } = await failing('platica', throwing(new TypeError('x is undefined')), {}, true);
    expect(error).toEqual({ code: -32603, message: 'Internal error' });
  });

  it.each([
    ['an exception', throwing(new TypeError('x is undefined')), 'Internal error'],
    ['a backend that is down', throwing(refused), 'Internal error'],
    ['silence', () => new Promise(() => {}), 'No answer within 30 ms'],
  ])('PL-12 PL-19 of a change, %s says that it may have happened', async (_name, work, words) => {
    const { error } = await failing('platica', work, { deadlineMs: 30 });
    const message = `${words}. It may have happened; check before you repeat a change.`;
    expect(error).toEqual({ code: -32603, message });
    expect((await failing('platica', work, { deadlineMs: 30 }, true)).error?.message).toBe(words);
  });

  it('PL-20 PL-21 PL-22 issues are Zod’s, to the letter', async () => {
    const { result } = await calculated('platica', { a: 'x', c: 1 });
    expect(result).toEqual({
      isError: true,
      content: [
        {
          type: 'text',
          text: 'a: Invalid input: expected number, received string\nb: Invalid input: expected number, received undefined\nUnrecognized key: "c"',
        },
      ],
      structuredContent: {
        issues: [
          { path: ['a'], message: 'Invalid input: expected number, received string', code: 'invalid_type' },
          {
            path: ['b'],
            message: 'Invalid input: expected number, received undefined',
            code: 'invalid_type',
          },
          { path: [], message: 'Unrecognized key: "c"', code: 'unrecognized_keys' },
        ],
      },
    });
  });
});

describe('erlmcp', () => {
  // biome-ignore format: a table
  it.each<[string, FaultError | Error, object]>([
    ['ER-44', fault.conflict('Already claimed'), { code: -32031, message: 'Tool execution failed', data: { tool: 'pay', reason: 'Already claimed' } }],
    ['ER-44', new TypeError('x is undefined'), { code: -32031, message: 'Tool execution failed', data: { tool: 'pay', reason: 'Internal error' } }],
    ['ER-44', fault.notFound('No order 4711', { subject: { type: 'order', id: '4711' } }), { code: -32031, message: 'Tool execution failed', data: { tool: 'pay', reason: 'No order 4711' } }],
    ['ER-24', fault.notFound('Resource not found', { subject: { type: 'resource', id: 'mcp://nonexistent' } }), { code: -32001, message: 'Resource not found', data: { uri: 'mcp://nonexistent', 'dev.mayday/error': { happened: 'maybe' } } }],
    ['ER-44', refused, { code: -32031, message: 'Tool execution failed', data: { tool: 'pay', reason: 'Unavailable' } }],
    ['ER-33', Object.assign(new Error('Request failed with status code 429'), { status: 429, headers: { 'retry-after': '7' } }), { code: -32031, message: 'Tool execution failed', data: { tool: 'pay', reason: 'Request failed with status code 429' } }],
    ['ER-51', fault.unauthenticated('invalid_token'), { code: -32051, message: 'Authentication failed', data: { reason: 'invalid_token', 'dev.mayday/error': { happened: 'maybe' } } }],
    ['ER-52', fault.forbidden('', { details: { required_role: 'admin' } }), { code: -32052, message: 'Authorization failed', data: { operation: 'tools/call:pay', required_role: 'admin', 'dev.mayday/error': { happened: 'maybe' } } }],
  ])('%s %s', async (_id, thrown, error) => {
    expect((await failing('erlmcp', throwing(thrown))).error).toEqual(error);
  });

  it('ER-44 a failing result is a tool that failed, and what else it held is under our name', async () => {
    const { error } = await failing('erlmcp', () => ({
      ...text('disk is full'),
      structuredContent: { free: 0 },
    }));
    expect(error).toEqual({
      code: -32031,
      message: 'Tool execution failed',
      data: { tool: 'pay', reason: 'disk is full', 'dev.mayday/error': { structuredContent: { free: 0 } } },
    });
  });

  it('ER-45 a tool that gives up tells its limit, if anybody knows it', async () => {
    const untold = await failing('erlmcp', throwing(fault.timeout('Too slow')));
    expect(untold.error).toMatchObject({
      code: -32032,
      message: 'Tool execution timeout',
      data: { tool: 'pay' },
    });
    expect(untold.error?.data).not.toHaveProperty('timeout_ms');
    const told = await failing('erlmcp', throwing(fault.timeout('', { details: { timeout_ms: 30_000 } })));
    expect(told.error?.data).toEqual({ tool: 'pay', timeout_ms: 30_000 });
  });

  it('ER-33 the limit of a backend, met by a tool that only reads, is worth waiting for', async () => {
    const limited = Object.assign(new Error('Request failed with status code 429'), {
      status: 429,
      headers: { 'retry-after': '7' },
    });
    expect((await failing('erlmcp', throwing(limited), {}, true)).error).toEqual({
      code: -32010,
      message: 'Rate limit exceeded',
      data: { retry_after: 7, 'dev.mayday/error': { happened: 'maybe' } },
    });
  });

  it('ER-33 the kit’s own limit has all three members', async () => {
    const guards = [rateLimit({ limit: 1, windowMs: 60_000, methods: ['tools/call'], now: () => 0 })];
    await failing('erlmcp', () => ({ content: [] }), { guards });
    const { error } = await failing('erlmcp', () => ({ content: [] }), { guards });
    const data = { limit: 1, window: 60, retry_after: 60 };
    expect(error).toEqual({ code: -32010, message: 'Rate limit exceeded', data });
  });

  it('ER-52 a missing scope is the role that is required', async () => {
    const guards = [scopes({ required: { pay: ['payments:write'] } })];
    const { error } = await failing('erlmcp', () => ({ content: [] }), { guards });
    expect(error).toMatchObject({
      code: -32052,
      message: 'Authorization failed',
      data: { operation: 'tools/call:pay', required_role: 'payments:write' },
    });
  });

  it('ER-47 names the parameter that is missing', async () => {
    expect((await calculated('erlmcp', { a: 1 })).error).toEqual({
      code: -32034,
      message: 'Invalid tool arguments',
      data: { tool: 'calculate', details: 'Missing required parameter: b' },
    });
  });
});

describe('qaqnuz', () => {
  const one = (said: string): object => ({ content: [{ type: 'text', text: said }], isError: true });
  const LIMITED = 'Rate limit exceeded. Please wait before sending more requests.';
  const OPEN = 'The call was not completed. It may have happened; check before you repeat a change.';

  it('QA-6 QA-26 a limit met by a tool that only reads is the platform’s sentence', async () => {
    for (const work of [
      throwing(http(429, { message: 'acct_123' })),
      () => text('mail: rate limit exceeded'),
    ])
      expect((await failing('qaqnuz', work, {}, true)).result).toEqual(one(LIMITED));
  });

  // biome-ignore format: a table
  it.each<[string, Work, string]>([
    ['QA-11 QA-26', throwing(fault.rateLimited('Slow down', { executed: 'no' })), LIMITED],
    ['QA-11 QA-26', throwing(fault.rateLimited('Slow down')), OPEN],
    ['QA-13 QA-27', throwing(fault.rateLimited('Slow down', { retryable: false })), OPEN],
    ['QA-13 QA-27', throwing(fault.rateLimited('Booked; the mailer is limited', { executed: 'yes' })), OPEN],
    ['QA-13 QA-27', throwing(fault.rateLimited('Booked', { executed: 'yes', retry: { afterMs: 10 } })), OPEN],
    ['QA-13 QA-27', () => handedOn('yes'), OPEN],
    ['QA-13 QA-27', () => handedOn('maybe'), OPEN],
    ['QA-13 QA-27', throwing(http(429, { message: 'quota of acct_123' })), OPEN],
    ['QA-13 QA-27', throwing(new Error('Payment booked as pay_991, but the receipt mail failed: 429 Too Many Requests')), OPEN],
    ['QA-13 QA-27', throwing(new Error('Order created. Email provider: rate limit exceeded, try again in 1 second')), OPEN],
    ['QA-13 QA-27', () => text('Refund done; notification service said: rate limit exceeded'), OPEN],
    ['QA-6', throwing(http(404, { message: 'No such customer: cus_4711' })), 'Not found'],
    ['QA-6', throwing(refused), 'Unavailable. It may have happened; check before you repeat a change.'],
    ['QA-6', () => text('connect ECONNREFUSED 10.0.0.5:5432'), 'Unavailable. It may have happened; check before you repeat a change.'],
    ['QA-4', throwing(fault.unavailable('The till is closed', { executed: 'no' })), 'The till is closed'],
    ['QA-6', throwing(fault.unavailable('The till is closed')), 'The till is closed. It may have happened; check before you repeat a change.'],
    ['QA-14', throwing(fault.unauthenticated('No token')), 'Unauthorized'],
    ['QA-3', throwing(fault.notFound('There is no such contact')), 'There is no such contact'],
    ['QA-4', () => ({ ...text('Order not found'), structuredContent: { day: 7 }, _meta: { 'a.example/b': 1 } }), 'Order not found'],
    ['QA-4', () => ({ isError: true, content: [{ type: 'text', text: 'The order' }, { type: 'text', text: 'was not found' }] }), 'The order\nwas not found'],
    ['QA-6', () => text('Patient Maria is HIV positive'), 'Unknown failure'],
    ['QA-6', () => text('SELECT * FROM users WHERE id=7 failed'), 'Unknown failure'],
  ])('%s is one text and nothing else: %s', async (_id, work, said) => {
    expect((await failing('qaqnuz', work)).result).toEqual(one(said));
  });
});

it.each(['yes', 'maybe'])(
  'ER-33 ER-83 a limit of a change that was handed on, executed: %s, is not waited out',
  async (executed) => {
    const { error } = await failing('erlmcp', () => handedOn(executed));
    expect(error).toMatchObject({ code: -32031, message: 'Tool execution failed' });
    expect(error?.data).not.toHaveProperty('retry_after');
  },
);

it('CL-9 CL-35 a limit after a change that was made is not retryable', async () => {
  const work = throwing(fault.rateLimited('Booked; the mailer is limited', { executed: 'yes' }));
  const { result } = await failing('closient', work);
  expect(result?.['error']).toMatchObject({ code: -32300, data: { retryable: false } });
});

describe('onx', () => {
  const slow = (): Promise<never> => new Promise(() => {});
  const unavailable = throwing(fault.unavailable('Backend down'));

  // biome-ignore format: a table
  it.each<[string, Work, string]>([
    ['a deadline', slow, 'timeout'],
    ['a 503', unavailable, 'unavailable'],
    ['a refused connection in the middle', throwing(refused), 'unavailable'],
  ])('EM-6 EM-32 a change with %s is 4001 and not retryable, a read is', async (_what, work, reason) => {
    const change = await failing('onx', work, { deadlineMs: 60 });
    expect(change.result?.['error']).toMatchObject({ code: 4001, retryable: false, details: { reason } });
    expect(JSON.stringify(change.result)).not.toMatch(/try again|back off/);
    const read = await failing('onx', work, { deadlineMs: 60 }, true);
    expect(read.result?.['error']).toMatchObject({ retryable: true });
  });

  it('EM-6 what never began is worth another try', async () => {
    const { result } = await failing('onx', throwing(fault.unavailable('Down', { executed: 'no' })));
    expect(result?.['error']).toMatchObject({ code: 4002, retryable: true });
  });

  it('EM-29 a field has one root', async () => {
    const server = guard(new McpServer({ name: 's', version: '1' }), { dialect: 'onx' });
    server.registerTool('pay', { inputSchema: z.object({ orderId: z.string() }) }, () => ({ content: [] }));
    server.registerResource('a', 'a://b', {}, throwing(fault.notFound('gone')));
    const client = await connectRaw(server);
    const field = async (method: string, params: object): Promise<unknown> =>
      ((await client.ask(method, params)).error?.data as { field?: unknown } | undefined)?.field;
    expect(await field('tools/call', { name: 5 })).toBe('name');
    expect(await field('tools/call', { name: 'nope' })).toBe('name');
    expect(await field('tools/call', { name: 'pay' })).toBe('orderId');
    expect(await field('resources/read', { uri: 'a://b' })).toBe('uri');
    expect(await field('resources/read', { uri: 'a://c' })).toBe('uri');
  });
});

describe('closient', () => {
  it('CL-25 says the same of an unexpected failure in the member and in the text', async () => {
    const { result } = await failing('closient', throwing(new TypeError('x is undefined')));
    expect(result?.['error']).toMatchObject({ code: -32300, data: { retryable: true, status: 500 } });
    const [block] = (result?.['content'] ?? []) as { text: string }[];
    expect(block?.text).toMatch(
      /back off, then try again. It may have happened; check before you repeat a change/,
    );
    expect(block?.text).not.toMatch(/do not retry/);
    expect(block?.text).toMatch(/Reference: /);
  });
});
