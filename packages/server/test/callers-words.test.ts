/** What backends, databases, files and programs say, and who can act on it. */
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { connectRaw, faultIn, textOf } from './wire.ts';

const ID = 'c0ffee00-0000-4000-8000-000000000000';
const INTERNAL = `Internal error. Unexpected failure in the server; do not retry, tell the user. Reference: ${ID}.`;
const MISCONFIGURED = `Misconfigured. The server lacks a setting; tell the user, do not retry. Reference: ${ID}.`;

/** A tool that only reads, so that advice comes without the caution for changes. */
async function thrownBy(reason: unknown, args: object = {}): Promise<Message> {
  const server = guard(new McpServer({ name: 's', version: '1' }), { correlationId: () => ID });
  const config = { inputSchema: z.looseObject({}), annotations: { readOnlyHint: true } };
  server.registerTool('t', config, async () => {
    throw reason;
  });
  return (await connectRaw(server)).ask('tools/call', { name: 't', arguments: args });
}

const said = async (reason: unknown, args?: object): Promise<readonly [unknown, string]> => {
  const answer = await thrownBy(reason, args);
  return [faultIn(answer)['kind'], textOf({ message: answer })];
};

const error = (message: string, members: object = {}): Error => Object.assign(new Error(message), members);

const axios = (status: number, data: unknown, headers: object = {}): Error =>
  error(`Request failed with status code ${status}`, {
    name: 'AxiosError',
    code: 'ERR_BAD_REQUEST',
    status,
    response: { status, headers, data },
  });

describe('a backend’s 400', () => {
  const CORRECT = 'Correct the arguments, then call again.';
  it.each<readonly [string, Error, string]>([
    [
      'axios',
      axios(400, { message: 'start_date must be in ISO 8601 format' }),
      `start_date must be in ISO 8601 format. ${CORRECT}`,
    ],
    ['axios, a text', axios(400, 'Unknown sort order: upwards'), `Unknown sort order: upwards. ${CORRECT}`],
    ['axios, no words', axios(400, ''), `Request failed with status code 400. ${CORRECT}`],
    [
      'got',
      error('Request failed with status code 400 (Bad Request): GET http://api.example.com/x', {
        name: 'HTTPError',
        code: 'ERR_NON_2XX_3XX_RESPONSE',
        response: { statusCode: 400, headers: {}, body: '{"message":"limit must be below 50"}' },
      }),
      `limit must be below 50. ${CORRECT}`,
    ],
    [
      'Stripe',
      error('Missing required param: amount.', { statusCode: 400, headers: {} }),
      `Missing required param: amount. ${CORRECT}`,
    ],
    [
      'OpenAI',
      error("400 Unsupported value: 'temperature' does not support 3.5.", {
        status: 400,
        headers: new Headers(),
      }),
      `400 Unsupported value: 'temperature' does not support 3.5. ${CORRECT}`,
    ],
    [
      'a status alone',
      error('The colour is not one we sell', { status: 400 }),
      `The colour is not one we sell. ${CORRECT}`,
    ],
  ])('about the arguments reaches the caller: %s', async (_, reason, text) => {
    expect(await said(reason)).toEqual(['invalid_arguments', text]);
  });

  it('is what its words say, where they know better', async () => {
    const long =
      "This model's maximum context length is 8192 tokens. Please reduce the length of the messages.";
    expect(await said(axios(400, { error: { message: long } }))).toEqual([
      'too_large',
      `${long} Send less at once, then call again.`,
    ]);
    expect(
      await said(axios(400, { error: { message: 'API key not valid. Please pass a valid API key.' } })),
    ).toEqual(['misconfigured', MISCONFIGURED]);
  });

  it('about the request itself is the server’s own mistake', async () => {
    for (const words of [
      'Invalid content-type header',
      'Could not parse body',
      'Unrecognized request URL (GET: /v1/x)',
    ])
      expect(await said(axios(400, { message: words }))).toEqual(['internal', INTERNAL]);
    expect((await said(axios(400, { message: 'headers must be a list' }), { headers: 'x' }))[1]).toBe(
      `headers must be a list. ${CORRECT}`,
    );
  });
});

describe('what a backend says in the body that its client kept', () => {
  it('reaches the caller in place of the status', async () => {
    expect(await said(axios(404, { message: 'Project 4711 does not exist' }))).toEqual([
      'not_found',
      'Project 4711 does not exist. Check the identifier; do not repeat the same call.',
    ]);
    expect((await said(axios(403, { message: 'You need the role editor' })))[1]).toMatch(
      /^You need the role editor\. /,
    );
    expect((await said(axios(404, {})))[1]).toMatch(/^Request failed with status code 404\. /);
    expect((await said(axios(404, '<html><body>gone</body></html>')))[1]).toMatch(
      /^Request failed with status code 404\. /,
    );
  });

  it('names the fields', async () => {
    const errors = { start_date: ['must be before end_date'], email: ['is not a valid address'] };
    const answer = await thrownBy(axios(422, { errors }));
    expect(textOf({ message: answer })).toBe(
      'Request failed with status code 422: start_date: must be before end_date; email: is not a valid address. The input is well-formed but cannot be accepted; change it, then call again.',
    );
    expect(faultIn(answer)).toMatchObject({
      kind: 'unprocessable',
      issues: [
        { path: ['start_date'], message: 'must be before end_date' },
        { path: ['email'], message: 'is not a valid address' },
      ],
    });
    const github = {
      message: 'Validation Failed',
      errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }],
    };
    expect((await said(axios(422, github)))[1]).toMatch(/^Validation Failed: title: missing_field\. /);
  });

  it.each<readonly [string, Error, string, string]>([
    [
      'Nest',
      axios(400, { statusCode: 400, message: ['a must be b', 'c must be d'] }),
      'invalid_arguments',
      'a must be b; c must be d',
    ],
    [
      'Fastify',
      axios(400, { statusCode: 400, error: 'Bad Request', message: 'body/limit must be integer' }),
      'invalid_arguments',
      'body/limit must be integer',
    ],
    [
      'Spring',
      axios(400, { status: 400, error: 'Bad Request', path: '/orders' }),
      'invalid_arguments',
      'Request failed with status code 400',
    ],
    [
      'Google',
      axios(400, {
        error: { code: 400, message: "Invalid value at 'page_size'", status: 'INVALID_ARGUMENT' },
      }),
      'invalid_arguments',
      "Invalid value at 'page_size'",
    ],
    [
      'a problem',
      axios(422, { type: 'about:blank', title: 'No', status: 422, detail: 'The start lies after the end' }),
      'unprocessable',
      'The start lies after the end',
    ],
    [
      'Django',
      axios(400, { start_date: ['This field is required.'] }),
      'invalid_arguments',
      'Request failed with status code 400: start_date: This field is required',
    ],
    [
      'Pydantic',
      axios(422, { detail: [{ loc: ['body', 'limit'], msg: 'too big', type: 'x' }] }),
      'unprocessable',
      'Request failed with status code 422: body.limit: too big',
    ],
    [
      'Kubernetes',
      error('HTTP request failed', {
        statusCode: 404,
        body: { kind: 'Status', message: 'pods "web" not found', code: 404 },
      }),
      'not_found',
      'pods "web" not found',
    ],
    [
      'ofetch',
      error('[GET] "http://billing/x": 409 Conflict', {
        status: 409,
        data: { message: 'The branch is taken' },
      }),
      'conflict',
      'The branch is taken',
    ],
    [
      'ofetch without a body',
      error('[GET] "http://billing/x": 409 Conflict', { status: 409 }),
      'conflict',
      '409 Conflict',
    ],
    [
      'Gemini',
      axios(429, { error: { code: 429, message: 'You exceeded your current quota. Please retry in 20s.' } }),
      'rate_limited',
      'You exceeded your current quota. Please retry in 20s',
    ],
  ])('is found in any form: %s', async (_, reason, kind, text) => {
    const [heard, words] = await said(reason);
    expect(heard).toBe(kind);
    expect(words.startsWith(`${text}. `)).toBe(true);
  });

  it('is read where nobody has read it yet, and not waited for', async () => {
    const answer = (body: string | ReadableStream, type = 'application/json'): Error => {
      const response = new Response(body, { status: 422, headers: { 'content-type': type } });
      return error('Request failed with status code 422 Unprocessable Entity: POST http://x.test/', {
        name: 'HTTPError',
        response,
      });
    };
    const fields = { errors: { start_date: ['must be before end_date'] } };
    const advice = 'The input is well-formed but cannot be accepted; change it, then call again.';
    const ky = answer(JSON.stringify(fields));
    expect((await said(ky))[1]).toMatch(
      /^Request failed with status code 422 Unprocessable Entity: start_date: must be before end_date\. /,
    );
    expect((ky as unknown as { response: Response }).response.bodyUsed).toBe(false);
    expect((await said(answer('Nothing to sell', 'text/plain')))[1]).toBe(`Nothing to sell. ${advice}`);
    const silent = answer(new ReadableStream());
    expect((await said(silent))[1]).toBe(
      `Request failed with status code 422 Unprocessable Entity. ${advice}`,
    );
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error('cut')) });
    expect((await said(answer(broken)))[1]).toMatch(/^Request failed with status code 422 /);
  });

  it('loses its secrets, and stays inside where it is the words of a database', async () => {
    const leak = {
      message: 'No order for ada@example.com',
      errors: { note: ['contains sk_live_4eC39HqLyjWDarjtT1zdp7dc'] },
    };
    const [, text] = await said(axios(422, leak));
    expect(text).toContain('No order for [email:1]');
    expect(text).not.toContain('4eC39');
    const keyed = { errors: { 'postgres://svc:Zq8vT3mK1xW7@10.0.0.5/prod': ['is wrong'] } };
    expect((await said(axios(422, keyed)))[1]).toMatch(/^Request failed with status code 422: is wrong\. /);
    const constraint = { message: 'insert violates foreign key constraint "orders_customer_fk"' };
    expect(await said(axios(409, constraint))).toEqual([
      'conflict',
      `Conflict. Look at the current state first; do not repeat the same call. Reference: ${ID}.`,
    ]);
  });
});

describe('a limit', () => {
  const reset = {
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 90),
  };
  it.each([
    [
      'Octokit',
      error('API rate limit exceeded for user ID 1.', {
        status: 403,
        response: { status: 403, headers: reset },
      }),
    ],
    ['axios', axios(403, { message: 'API rate limit exceeded for user ID 1.' }, reset)],
    ['axios, without words', axios(403, '', reset)],
  ])('of GitHub keeps its wait: %s', async (_, reason) => {
    const fault = faultIn(await thrownBy(reason));
    expect(fault).toMatchObject({ kind: 'rate_limited', retry: { when: 'after_wait' } });
    expect((fault['retry'] as { after_ms: number }).after_ms).toBeGreaterThan(60_000);
  });

  it('that only words tell of is one too', async () => {
    const secondary = { message: 'You have exceeded a secondary rate limit.' };
    expect(faultIn(await thrownBy(axios(403, secondary, { 'retry-after': '45' })))).toMatchObject({
      kind: 'rate_limited',
      retry: { after_ms: 45_000 },
    });
  });

  it('that is used up does not pass by waiting', async () => {
    const words = 'You exceeded your current quota, please check your plan and billing details.';
    const used = 'The quota is used up; do not retry, tell the user.';
    const openai = error(`429 ${words}`, { status: 429, code: 'insufficient_quota', headers: new Headers() });
    expect(await said(openai)).toEqual(['quota_exhausted', `429 ${words} ${used}`]);
    const body = { error: { message: words, type: 'insufficient_quota', code: 'insufficient_quota' } };
    expect(await said(axios(429, body))).toEqual(['quota_exhausted', `${words} ${used}`]);
    expect((await said(axios(429, body, { 'retry-after': '20' })))[0]).toBe('rate_limited');
  });

  it('is not a card that is declined', async () => {
    const words = 'Your card has insufficient funds.';
    const advice = 'The input is well-formed but cannot be accepted; change it, then call again.';
    for (const reason of [error(words, { statusCode: 402, type: 'StripeCardError' }), error(words)])
      expect(await said(reason)).toEqual(['unprocessable', `${words} ${advice}`]);
    expect((await said(axios(402, { message: 'Monthly quota exceeded' })))[0]).toBe('quota_exhausted');
  });
});

describe('a connection that only words tell of', () => {
  it.each([
    ['connect ECONNREFUSED 10.0.0.5:5432', 'unavailable'],
    ['getaddrinfo ENOTFOUND db.internal', 'unavailable'],
    ['request to http://10.0.0.5/ failed, reason: connect ECONNREFUSED 10.0.0.5:80', 'unavailable'],
    ['read ECONNRESET', 'disconnected'],
    ['socket hang up', 'disconnected'],
    ['Connection terminated unexpectedly', 'disconnected'],
    ['connect ETIMEDOUT 10.0.0.5:443', 'timeout'],
    ['database is locked', 'overloaded'],
    ['upstream answered 503 Service Unavailable', 'unavailable'],
    ['Missing required environment variable: STRIPE_KEY', 'misconfigured'],
    ['GITHUB_TOKEN environment variable is not set', 'misconfigured'],
  ])('%s', async (text, kind) => {
    const [heard, words] = await said(new Error(text));
    expect(heard).toBe(kind);
    expect(words).toContain(`Reference: ${ID}.`);
    expect(words).not.toMatch(/10\.0\.0\.5|db\.internal|GITHUB_TOKEN/);
  });

  it('is not all, where something had been done', async () => {
    for (const text of [
      'booked, but the mail failed: connect ECONNREFUSED',
      'Order saved; read ECONNRESET',
      'booked, but the mail failed: 503',
    ])
      expect((await said(new Error(text)))[0]).toBe('internal');
  });
});

describe('a file', () => {
  const missing = (path: string, code = 'ENOENT'): Error =>
    error(`${code}: no such file or directory, open '${path}'`, { code, errno: -2, syscall: 'open', path });

  it('that the caller never named is the operator’s', async () => {
    const pem = '/etc/orders/private/service-account.pem';
    expect(await said(missing(pem))).toEqual(['misconfigured', MISCONFIGURED]);
    expect(await said(missing(pem), { order: 'etc' })).toEqual(['misconfigured', MISCONFIGURED]);
    expect(
      await said(missing('/var/lib/orders/tenants/acme/ledger.db', 'EACCES'), { tenant: 'acme' }),
    ).toEqual(['misconfigured', MISCONFIGURED]);
    expect(
      await said(new Error(`Failed to start: ENOENT: no such file or directory, open '${pem}'`)),
    ).toEqual(['misconfigured', MISCONFIGURED]);
    expect(await said(missing('/srv/out', 'EEXIST'))).toEqual(['internal', INTERNAL]);
  });

  it.each([
    [{ path: '/srv/data/asked.md' }],
    [{ path: 'asked.md' }],
    [{ path: './data/asked.md' }],
    [{ files: [{ name: 'asked' }] }],
    [{ folder: '/srv/data' }],
    [{ project: 'data' }],
  ])('that the caller named is the caller’s: %j', async (args) => {
    expect(await said(missing('/srv/data/asked.md'), args)).toEqual([
      'not_found',
      "ENOENT: no such file or directory, open '/srv/data/asked.md'. Check the identifier; do not repeat the same call.",
    ]);
  });

  it('that the caller wanted to make of another one is the caller’s', async () => {
    const rename = Object.assign(missing('/srv/data/a'), { dest: '/srv/data/b' });
    expect((await said(rename, { to: '/srv/data/b' }))[0]).toBe('not_found');
  });

  it('that is a resource is the caller’s', async () => {
    const server = guard(new McpServer({ name: 's', version: '1' }), { correlationId: () => ID });
    server.registerResource('notes', 'file:///srv/notes.md', {}, async () => {
      throw missing('/srv/notes.md');
    });
    const answer = await (await connectRaw(server)).ask('resources/read', { uri: 'file:///srv/notes.md' });
    expect(answer.error?.message).toContain('ENOENT');
  });

  it('of a folder that is named after somebody is named only to whoever did so', async () => {
    const denied = new Error(
      'Access denied - path outside allowed directories: /etc/passwd not in /home/ada/work',
    );
    expect((await said(denied))[1]).toContain('not in /home/[user:1]/work');
    expect((await said(denied, { root: '/home/ada/work' }))[1]).toContain('not in /home/ada/work');
  });
});

describe('a program', () => {
  it('that is not installed is the operator’s', async () => {
    const spawn = error('spawn ffmpeg ENOENT', {
      code: 'ENOENT',
      syscall: 'spawn ffmpeg',
      path: 'ffmpeg',
      spawnargs: [],
    });
    expect(await said(spawn)).toEqual(['misconfigured', MISCONFIGURED]);
    expect(await said(new Error('spawn ffmpeg ENOENT'))).toEqual(['misconfigured', MISCONFIGURED]);
    expect((await said(spawn, { command: 'ffmpeg -i a.mp4' }))[0]).toBe('not_found');
  });

  const failed = (stderr: string, members: object = {}): Error =>
    error(`Command failed: git -C /srv/repos log nope\n${stderr}`, {
      code: 128,
      killed: false,
      signal: null,
      cmd: 'git -C /srv/repos log nope',
      stderr,
      ...members,
    });

  it('says what it said, without the server’s command line', async () => {
    const [kind, text] = await said(
      failed('fatal: not a git repository (or any of the parent directories): .git\n'),
    );
    expect([kind, text]).toEqual([
      'not_ready',
      'fatal: not a git repository (or any of the parent directories): .git. A step before it is missing; take that first, then call again.',
    ]);
    expect(await said(failed('Segmentation fault\n'))).toEqual(['internal', INTERNAL]);
    expect(await said(failed("ls: cannot access '/srv/x': No such file or directory\n"))).toEqual([
      'misconfigured',
      MISCONFIGURED,
    ]);
    expect((await said(failed('', { killed: true, signal: 'SIGTERM', code: null })))[0]).toBe('timeout');
  });
});

describe('a database', () => {
  const pg = (code: string, message: string): Error =>
    error(message, { code, severity: 'ERROR', routine: 'x' });
  it.each([
    ['a deadlock', pg('40P01', 'deadlock detected')],
    ['a lost race', pg('40001', 'could not serialize access due to concurrent update')],
    ['a lost race without more', error('could not serialize access', { code: '40001' })],
    ['SQLite', error('SQLITE_BUSY: database is locked', { code: 'SQLITE_BUSY', errno: 5 })],
    ['MySQL', error('Deadlock found when trying to get lock', { code: 'ER_LOCK_DEADLOCK', errno: 1213 })],
    ['MongoDB', error('WriteConflict error', { name: 'MongoServerError', code: 112 })],
    ['Prisma', error('Transaction failed', { name: 'PrismaClientKnownRequestError', code: 'P2034' })],
    ['Sequelize', error('x', { name: 'SequelizeDatabaseError', original: pg('40P01', 'deadlock detected') })],
  ])('passes by repeating: %s', async (_, reason) => {
    expect(faultIn(await thrownBy(reason))).toMatchObject({ kind: 'overloaded', retryable: true });
  });

  it('that cannot be reached is down', async () => {
    const mongo = error('connect ECONNREFUSED 127.0.0.1:27017', { name: 'MongoServerSelectionError' });
    const prisma = error('x', { name: 'PrismaClientInitializationError', errorCode: 'P1001' });
    for (const reason of [mongo, prisma]) expect((await said(reason))[0]).toBe('unavailable');
  });

  it('quotes the caller’s own query, and nobody else’s', async () => {
    const syntax = pg('42601', 'syntax error at or near "FORM"');
    expect((await said(syntax, { sql: 'select * FORM x' }))[1]).toMatch(/^syntax error at or near "FORM"\. /);
    const other = pg('42601', 'syntax error at or near "hunter2"');
    expect((await said(other, { sql: 'select * from x' }))[1]).not.toContain('hunter2');
    expect((await said(syntax))[1]).toBe(INTERNAL);
  });
});

it('answers whatever an exception does when it is looked at', async () => {
  const throwing = new Proxy(new Error('x'), {
    get: () => {
      throw new Error('look away');
    },
  });
  const fake = { response: Object.create(Response.prototype) as unknown };
  const inner = Object.defineProperty(new Error('y'), 'response', {
    get: () => {
      throw new Error('look away');
    },
  });
  for (const reason of [throwing, fake, inner]) expect((await said(reason))[1]).toBe(INTERNAL);
});

it('says what a browser waited for', async () => {
  const words =
    "page.click: Timeout 30000ms exceeded.\nCall log:\n\u001b[2m  - waiting for locator('#submit')\u001b[22m\n";
  const [kind, text] = await said(error(words, { name: 'TimeoutError' }));
  expect(kind).toBe('timeout');
  expect(text).toMatch(
    /^page\.click: Timeout 30000ms exceeded\.\nCall log:\n {2}- waiting for locator\('#submit'\)\n/,
  );
  expect((await said(error('took too long: 10.0.0.5', { name: 'TimeoutError' })))[1]).not.toContain(
    '10.0.0.5',
  );
});

it.each([
  ['Export is still being generated, try again in a minute', 'not_ready'],
  ['Maximum of 100 items per request, got 250', 'too_large'],
  ['No order 4711', 'not_found'],
  ['No open tabs. Use browser_navigate first.', 'not_ready'],
])('keeps its words: %s', async (text, kind) => {
  const [heard, words] = await said(new Error(text));
  expect([heard, words.startsWith(text)]).toEqual([kind, true]);
  expect(words).not.toMatch(/do not retry/i);
});
