/** Words go to those who can act on them: the caller, or the operator. */
import { type FaultError, fault, KINDS } from '@mayday/core';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type GuardOptions, guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { connectRaw, faultIn, textOf } from './wire.ts';

const ID = 'c0ffee00-0000-4000-8000-000000000000';

async function thrownBy(reason: unknown, options: GuardOptions = {}, args: object = {}): Promise<Message> {
  const server = guard(new McpServer({ name: 's', version: '1' }), { correlationId: () => ID, ...options });
  server.registerTool('t', { inputSchema: z.looseObject({}) }, async () => {
    throw reason;
  });
  return (await connectRaw(server)).ask('tools/call', { name: 't', arguments: args });
}

const words = async (reason: unknown, options?: GuardOptions, args?: object): Promise<string> =>
  textOf({ message: await thrownBy(reason, options, args) });

/** What published servers throw, and what a model can do about it. */
const FOR_THE_CALLER: readonly (readonly [string, string])[] = [
  ['Could not find exact match for edit:\n  const a = 1;', 'unprocessable'],
  ['Access denied - path outside allowed directories: /etc/hosts not in /srv/files', 'forbidden'],
  ['Parent directory does not exist: files/a', 'not_found'],
  ['Destination already exists: report.txt', 'conflict'],
  ['Entity with name zzz not found', 'not_found'],
  ['Cannot specify both head and tail parameters simultaneously', 'invalid_arguments'],
  ['The index is still building, try again in a few seconds', 'not_ready'],
  ['File exceeds the maximum size of 10 MB', 'too_large'],
  ['Refunds over 100 EUR require approval by a manager', 'approval_required'],
  ['Rate limit exceeded, retry in 30 seconds', 'rate_limited'],
  ['Session expired, start a new one', 'expired'],
  ['Insufficient stock: only 3 left of SKU-9', 'unprocessable'],
  ['Not enough seats for 12 people', 'unprocessable'],
  ['Timezone required', 'unprocessable'],
  ['Currency missing', 'unprocessable'],
  ['Invalid cron expression', 'unprocessable'],
  ['Unsupported colour space CMYK-2', 'unsupported'],
  ['Branch main is protected; open a pull request', 'forbidden'],
  ['Issue 7 is locked', 'conflict'],
  ['This board is archived - create a new one', 'conflict'],
  ['Value for "limit" was 500, the maximum is 100', 'unprocessable'],
  ['Ambiguous: 4 contacts are called Anna; give an id', 'invalid_arguments'],
  ['User declined the request', 'cancelled'],
  ['Pod web-1 is in CrashLoopBackOff', 'unprocessable'],
  ['La date de fin doit être après la date de début', 'invalid_arguments'],
  ['Das Konto ist gesperrt', 'unprocessable'],
  ['Version conflict: expected 5, found 7', 'conflict'],
  ['Timeout waiting for selector #login', 'timeout'],
  ['nothing to render. Pass either `payload_refs` or inline `layers`.', 'invalid_arguments'],
];

describe('an exception that the caller can act on', () => {
  it.each(FOR_THE_CALLER)('keeps its words: %s', async (text, kind) => {
    const answer = await thrownBy(new Error(text));
    expect(textOf({ message: answer })).toContain(text);
    expect(faultIn(answer)).toMatchObject({ kind, message: text, executed: 'maybe' });
    expect(await words(text)).toContain(text);
  });

  it('is what a program said, without what its wrapper says', async () => {
    const said = await words(new Error('exit status 1: npm ERR! missing script: build'));
    expect(said).toContain('npm ERR! missing script: build');
    expect(said).not.toContain('exit status');
  });

  it('is what another service answered over gRPC', async () => {
    const reason = Object.assign(new Error('5 NOT_FOUND: Topic orders does not exist'), {
      code: 5,
      details: 'Topic orders does not exist',
      metadata: {},
    });
    const answer = await thrownBy(reason);
    expect(textOf({ message: answer })).toContain('Topic orders does not exist');
    expect(faultIn(answer)).toMatchObject({ kind: 'not_found' });
  });

  it.each<[object, object, string, string]>([
    [
      { name: 'CastError', message: 'Cast to ObjectId failed for value "abc" (type string) at path "_id"' },
      { id: 'abc' },
      'invalid_arguments',
      'Cast to ObjectId failed for value "abc"',
    ],
    [
      { message: 'Undefined symbol foo' },
      { expression: '2 * foo' },
      'invalid_arguments',
      'Undefined symbol foo',
    ],
    [
      {
        name: 'PrismaClientKnownRequestError',
        code: 'P2025',
        message: 'An operation failed because it depends on records. Record to update not found.',
      },
      { id: '7' },
      'not_found',
      'Record to update not found',
    ],
    [
      {
        name: 'ReplyError',
        message: 'WRONGTYPE Operation against a key holding the wrong kind of value',
        command: { name: 'GET', args: ['k1'] },
      },
      { key: 'k1' },
      'invalid_arguments',
      'WRONGTYPE Operation against a key holding the wrong kind of value',
    ],
  ])('is what a library says of a value that the caller sent: %j', async (members, args, kind, said) => {
    const answer = await thrownBy(Object.assign(new Error('x'), members), {}, args);
    expect(faultIn(answer)).toMatchObject({ kind, message: said });
    const others = await thrownBy(Object.assign(new Error('x'), members), {}, {});
    expect(faultIn(others)).toMatchObject({ kind: 'internal' });
  });

  it('is the sentence in the body that a client made its message of', async () => {
    const reason = Object.assign(
      new Error('{"error":{"code":429,"message":"Too many tokens","details":[{"retryDelay":"30s"}]}}'),
      { status: 429 },
    );
    const answer = await thrownBy(reason);
    expect(textOf({ message: answer })).toMatch(/^Too many tokens\b/);
    expect(faultIn(answer)).toMatchObject({ kind: 'rate_limited', retry: { after_ms: 30_000 } });
  });

  it.each([
    'Die Verbindung zur Datenbank muss neu aufgebaut werden',
    'La connexion est bloquée',
    'Heap size is 500, the limit is 400',
    'Cache shard 3 was 9, the maximum is 4 in the worker pool',
  ])('is not what only an operator can act on: %s', async (text) => {
    expect(await words(new Error(text))).not.toContain(text);
  });

  it('is followed by advice, once', async () => {
    expect(await words(new Error('Entity with name zzz not found'))).toBe(
      'Entity with name zzz not found. Check the identifier; do not repeat the same call.',
    );
    const said = 'No such entity. Check the identifier; do not repeat the same call.';
    expect(await words(new Error(said))).toBe(said);
  });

  it('loses the secrets in them, and nothing else', async () => {
    const text = 'Order 7 not found with key sk_live_4eC39HqLyjWDarjtT1zdp7dc for ada@example.com';
    expect(await words(new Error(text))).toMatch(
      /^Order 7 not found with key \[[\w-]+:1\] for \[[\w-]+:1\]\. /,
    );
  });

  it('is not cut at sixty words', async () => {
    const text = `Could not find exact match for edit: ${'word '.repeat(300)}end`;
    expect(await words(new Error(text))).toContain('word end');
  });

  it('keeps the words of a file system’s error', async () => {
    const reason = Object.assign(new Error("ENOENT: no such file or directory, open 'notes.txt'"), {
      code: 'ENOENT',
    });
    expect(await words(reason, {}, { path: 'notes.txt' })).toContain(
      "no such file or directory, open 'notes.txt'",
    );
  });
});

/** What only the operator can act on. */
const FOR_THE_OPERATOR: readonly (readonly [string, unknown])[] = [
  ['a setting', new Error('STRIPE_WEBHOOK_URL missing')],
  ['the storage', new Error('Insufficient storage on volume 3')],
  ['a piece of a program', new Error('Unknown opcode 0x7f')],
  ['a lock', new Error('Row lock is taken over; queue is full')],
  ['a connection', Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' })],
  ['a bug', new TypeError("Cannot read properties of undefined (reading 'rows')")],
  ['another bug', new ReferenceError('orders is not defined')],
  ['a module', new Error("Cannot find module 'pg'")],
  ['a setting', new Error('Missing OPENAI_API_KEY environment variable')],
  ['an unknown failure', new Error('Something broke in stage two')],
  ['a backend', Object.assign(new Error('backend said: table orders_v2 is locked'), { status: 503 })],
  [
    'a database',
    Object.assign(new Error('relation "customers_internal" does not exist'), {
      code: '42P01',
      severity: 'ERROR',
      routine: 'parserOpenTable',
    }),
  ],
  ['a validator over a backend', z.object({ orders_internal: z.string() }).safeParse({}).error],
  ['an object', { message: 'boom', table: 'orders' }],
  ['a number', 42],
  ['nothing', undefined],
];

describe('an exception that only the operator can act on', () => {
  it.each(FOR_THE_OPERATOR)('says the standard sentence and a reference: %s', async (_name, reason) => {
    const answer = await thrownBy(reason);
    const { kind } = faultIn(answer) as { kind: keyof typeof KINDS };
    const { title, advice } = KINDS[kind];
    expect(
      textOf({ message: answer }).replace(' It may have happened; check before you repeat a change.', ''),
    ).toBe(`${title}. ${advice} Reference: ${ID}.`);
    expect(faultIn(answer)).toMatchObject({ message: title, correlation_id: ID });
  });

  it('says of an answer that nobody can read that it comes again', async () => {
    expect(await words(new Error('Invalid response from the ledger'))).toBe(
      `Upstream failed. Do not retry; tell the user. Reference: ${ID}.`,
    );
  });

  it('tells to check before a change is repeated, unless the tool only reads', async () => {
    const down = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    const told = await words(down);
    expect(told).toBe(
      `Unavailable. The service is down; back off, then try again. It may have happened; check before you repeat a change. Reference: ${ID}.`,
    );
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('reads', { annotations: { readOnlyHint: true } }, async () => {
      throw down;
    });
    const client = await connectRaw(server);
    const read = textOf({ message: await client.ask('tools/call', { name: 'reads' }) });
    expect(read).toMatch(/^Unavailable\. The service is down; back off, then try again\. Reference/);
  });

  it('keeps a database’s words where the caller wrote the query', async () => {
    const reason = Object.assign(new Error('relation "custmers" does not exist'), {
      code: '42P01',
      severity: 'ERROR',
      routine: 'parserOpenTable',
    });
    expect(await words(reason, {}, { sql: 'SELECT * FROM custmers' })).toContain('"custmers" does not exist');
  });
});

describe('the option `messages`', () => {
  const actionable = new Error('Entity with name zzz not found');
  const private_ = new Error('Something broke in stage two');

  it('can keep every word back', async () => {
    expect(await words(actionable, { messages: 'none' })).not.toContain('zzz');
    const complaint = z.object({ qty: z.number() }).safeParse({ qty: 'x' }).error;
    expect(await words(complaint as Error, {}, { qty: 'x' })).toContain('qty');
    expect(await words(complaint as Error, { messages: 'none' }, { qty: 'x' })).not.toMatch(/qty|number/);
    expect(await words(fault.notFound('No order 7'), { messages: 'none' })).toContain('No order 7');
  });

  it('can let every word out, redacted', async () => {
    expect(await words(private_, { messages: 'all' })).toContain('Something broke in stage two');
    const leak = new Error('connect ECONNREFUSED postgres://svc:hunter2@10.0.0.5:5432/prod');
    expect(await words(leak, { messages: 'all' })).toContain('connect ECONNREFUSED');
    expect(await words(leak, { messages: 'all' })).not.toContain('hunter2');
  });

  it('is one of three', () => {
    const make = (messages: unknown) => () =>
      guard(new McpServer({ name: 's', version: '1' }), { messages } as GuardOptions);
    expect(make('some')).toThrow('Expected `messages` to be "actionable", "none" or "all", got "some"');
  });
});

describe('the option `mapError`', () => {
  class OrderError extends Error {}

  it('that gives null leaves it to the guard, and is no mistake', async () => {
    const boom = new Error('boom');
    const causes: unknown[] = [];
    await thrownBy(boom, { mapError: () => null as never, onFault: ({ cause }) => void causes.push(cause) });
    expect(causes).toEqual([boom]);
  });

  it('gets the exception and the call, and decides', async () => {
    const seen: unknown[] = [];
    const mapError = (
      error: unknown,
      call: { readonly name: string | undefined },
    ): FaultError | undefined => {
      seen.push(call.name);
      return error instanceof OrderError
        ? fault.conflict('The order is shipped already', { executed: 'no' })
        : undefined;
    };
    const answer = await thrownBy(new OrderError('secret'), { mapError });
    expect(faultIn(answer)).toMatchObject({
      kind: 'conflict',
      message: 'The order is shipped already',
      executed: 'no',
    });
    expect(faultIn(await thrownBy(new Error('boom'), { mapError }))).toMatchObject({ kind: 'internal' });
    expect(seen).toEqual(['t', 't']);
  });

  it('does not get faults, and costs nobody an answer when it throws', async () => {
    const mapError = (): never => {
      throw new Error('a bug in mapError');
    };
    expect(faultIn(await thrownBy(fault.notFound('No order'), { mapError }))).toMatchObject({
      kind: 'not_found',
    });
    const errors: unknown[] = [];
    const answer = await thrownBy(new Error('Entity zzz not found'), {
      mapError,
      logger: { error: (fields) => void errors.push(fields), warn: (fields) => void errors.push(fields) },
    });
    expect(textOf({ message: answer })).toContain('Entity zzz not found');
    expect(JSON.stringify(errors.map((entry) => String((entry as { err?: unknown }).err)))).toContain(
      'a bug in mapError',
    );
  });

  it('has to answer at once, and the log says which function did not', async () => {
    const errors: unknown[] = [];
    const answer = await thrownBy(new Error('Entity zzz not found'), {
      mapError: (async () => fault.conflict('late')) as never,
      logger: { error: (fields) => void errors.push(fields), warn: (fields) => void errors.push(fields) },
    });
    expect(textOf({ message: answer })).toContain('Entity zzz not found');
    expect(JSON.stringify(errors.map((entry) => String((entry as { err?: unknown }).err)))).toContain(
      'Expected `mapError` to answer at once, got a promise',
    );
  });
});

describe('a wait that an HTTP client’s error carries', () => {
  const cases: readonly (readonly [string, object])[] = [
    ['axios', { response: { status: 429, headers: { 'retry-after': '7' }, data: 'slow down' } }],
    ['OpenAI', { status: 429, headers: new Headers({ 'retry-after': '7' }) }],
    ['OpenAI in milliseconds', { status: 429, headers: { 'retry-after-ms': '7000' } }],
    ['got', { response: { statusCode: 429, headers: { 'retry-after': '7' } } }],
    ['undici', { statusCode: 429, headers: { 'retry-after': '7' }, body: 'slow down' }],
    ['ky', { response: new Response('slow', { status: 429, headers: { 'retry-after': '7' } }) }],
    [
      'a wrapper',
      { cause: Object.assign(new Error('429'), { status: 429, headers: { 'Retry-After': '7' } }) },
    ],
    ['Octokit', { status: 403, response: { status: 403, headers: { 'retry-after': '7' } } }],
    ['AWS', { $metadata: { httpStatusCode: 429 }, $response: { headers: { 'retry-after': '7' } } }],
  ];
  it.each(cases)('is kept: %s', async (_name, members) => {
    const answer = await thrownBy(
      Object.assign(new Error('Too many requests: rate limit exceeded'), members),
    );
    expect(faultIn(answer)).toMatchObject({ kind: 'rate_limited', retry: { after_ms: 7000 } });
    expect(textOf({ message: answer })).toContain('Wait at least 7 s.');
  });
});

describe('where a fault of a handler goes', () => {
  it.each(['parseError', 'invalidRequest'] as const)('fault.%s is a tool’s failure too', async (name) => {
    const answer = await thrownBy(fault[name]('The third line is not valid CSV'));
    expect(answer.error).toBeUndefined();
    expect(textOf({ message: answer })).toMatch(/^The third line is not valid CSV\. /);
  });

  it('a tool of a backend that was not found is not this server’s tool', async () => {
    const answer = await thrownBy(fault.notFound('No tool x', { subject: { type: 'tool', id: 'x' } }));
    expect(answer.result).toMatchObject({ isError: true });
  });
});

describe('what is too much for a model', () => {
  it('is cut, and says so', async () => {
    const text = await words(new Error(`Invalid value: ${'x'.repeat(5_000_000)}`));
    expect(text.length).toBeLessThan(101_000);
    expect(text).toMatch(/… \[[\d,]+ more characters\]/);
    expect(
      (await words(new Error(`Invalid value: ${'x'.repeat(900)}`), { maxTextLength: 200 })).length,
    ).toBeLessThan(400);
  });

  it('is a page for people', async () => {
    const page =
      '<!DOCTYPE html>\n<html><head><title>404 Not Found</title><style>a{}</style></head><body><h1>Not Found</h1></body></html>';
    const text = await words(new Error(`Request failed: not found: ${page}`));
    expect(text).not.toMatch(/<html|<style/);
    expect(text).toContain('404 Not Found');
  });
});

/** What was done before it failed. */
const PARTLY: readonly string[] = [
  'Payment booked as pay_991, but the receipt mail failed: 503',
  'The receipt mail failed (503), but the payment was booked as pay_991',
  '3 of 5 rows written, then: duplicate key row 4',
  'Order 7 created. Sending the confirmation timed out',
  'Failed to notify the customer after the refund was issued: 502 Bad Gateway',
  'Uploaded 2/5 files; connection lost',
  'Order 7 was created before the mail failed: 503',
  'Ticket T-9 was saved, however assigning it failed with 500',
  'Deployment went through but the health check is down',
  '12 contacts imported from leads.csv; row 13 failed: bad address',
  'User pool created, but adding its domain failed',
  'Booking B-77 confirmed. Sending the ticket failed with ECONNRESET',
  'Item added to cart; price update failed',
  'Wrote 3 of 5 rows',
  'Zahlung gebucht als pay_991, aber die Quittung konnte nicht gesendet werden',
];

/** Nothing was done, or not by this call. */
const NOT_DONE: readonly string[] = [
  'Payment could not be booked: 503',
  'The order was not created because the bank failed: 503',
  'Order created, mail failed: 503; everything was rolled back',
  'Request sent, but the connection was reset: ECONNRESET',
  'Fetch failed: 503',
  'Session closed: 503',
  '0 of 5 rows written: 503',
  'It failed before anything was written: 503',
  'The bank failed with 503 before the order was created',
  'Cannot reach node:billing.svc imported from catalogue.internal',
  'Pool created, but could not connect to db-1.internal:5432',
];

describe('a failure that tells of something that was done', () => {
  it.each(PARTLY)('keeps its words, and does not invite to do it again: %s', async (text) => {
    const gateway = Object.assign(new Error(text), { status: 503 });
    for (const reason of [new Error(text), gateway, fault.unavailable(text)]) {
      const answer = await thrownBy(reason);
      expect(textOf({ message: answer })).toContain(text);
      expect(textOf({ message: answer })).not.toMatch(/try again|call again|back off/);
      expect(faultIn(answer)).toMatchObject({ message: text, executed: 'maybe', retryable: false });
    }
  });

  it('says what to do', async () => {
    const reason = Object.assign(new Error('Payment booked as pay_991, but the receipt mail failed: 503'), {
      status: 503,
    });
    expect(await words(reason)).toBe(
      'Payment booked as pay_991, but the receipt mail failed: 503. A part of it was done. Find out which; do not repeat the call.',
    );
    expect(await words(new Error('Payment booked as pay_991, but the receipt address is invalid'))).toBe(
      'Payment booked as pay_991, but the receipt address is invalid. A part of it was done. Find out which; do not repeat the call.',
    );
  });

  it('keeps no secret in them', async () => {
    const text = 'Payment booked as pay_991, but postgres://svc:hunter2Sup3r@10.0.0.5/x failed: 503';
    const said = await words(new Error(text));
    expect(said).toContain('Payment booked as pay_991');
    expect(said).not.toMatch(/hunter2|10\.0\.0/);
  });

  it('may be returned as well: the words stay, and nobody is told to try again', async () => {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    const [text] = PARTLY as [string];
    server.registerTool('t', {}, async () => ({ isError: true, content: [{ type: 'text', text }] }));
    const answer = await (await connectRaw(server)).ask('tools/call', { name: 't', arguments: {} });
    expect(JSON.stringify(answer)).toContain(text);
    expect(JSON.stringify(answer)).not.toMatch(/try again|call again|back off/);
    expect(faultIn(answer)).toMatchObject({ retryable: false, executed: 'maybe' });
  });

  it('leaves the decision to an author who says it', async () => {
    const [text] = PARTLY as [string];
    const answer = await thrownBy(fault.unavailable(text, { retryable: true }));
    expect(faultIn(answer)).toMatchObject({ retryable: true });
  });

  it.each(NOT_DONE)('is not one that tells of nothing done: %s', async (text) => {
    const answer = await thrownBy(Object.assign(new Error(text), { status: 503 }));
    expect(faultIn(answer)).toMatchObject({ kind: 'unavailable', message: 'Unavailable', retryable: true });
  });
});

describe('a returned failure that names what is unknown', () => {
  it('is followed by advice', async () => {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    const text = 'city "Atlantis" is unknown. Known cities: Berlin, Paris';
    const config = { annotations: { readOnlyHint: true } };
    server.registerTool('t', config, async () => ({ isError: true, content: [{ type: 'text', text }] }));
    const answer = await (await connectRaw(server)).ask('tools/call', { name: 't', arguments: {} });
    expect(answer.result?.['content']).toEqual([
      { type: 'text', text },
      { type: 'text', text: 'Check the identifier; do not repeat the same call.' },
    ]);
  });
});
