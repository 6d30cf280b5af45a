/** What connections, databases, files and programs say, and who can act on it. */
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { error, ID, INTERNAL, MISCONFIGURED, said, thrownBy } from './thrown.ts';
import { connectRaw, faultIn } from './wire.ts';

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
    ['kafka broker kafka-3.prod.svc.cluster.local:9092 not available', 'unavailable'],
    ['Primary db.internal:5432 is down', 'unavailable'],
    ['Missing required environment variable: STRIPE_KEY', 'misconfigured'],
    ['GITHUB_TOKEN environment variable is not set', 'misconfigured'],
  ])('%s', async (text, kind) => {
    const [heard, words] = await said(new Error(text));
    expect(heard).toBe(kind);
    expect(words).toContain(`Reference: ${ID}.`);
    expect(words).not.toMatch(/10\.0\.0\.5|db\.internal|GITHUB_TOKEN|kafka/);
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

describe('a statement that the server wrote', () => {
  it.each([
    'Failed: SELECT * FROM users WHERE id=3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    'SELECT name FROM users',
    'select * from `users` where `id` = 7 - no such thing',
    'select "id", "email" from "users" - something went wrong',
    'select id, email from users where id = 7',
    'Select failed: INSERT INTO payroll VALUES (1)',
    'Please retry: UPDATE payroll SET pay = 2',
  ])('is told to nobody: %s', async (text) => {
    const [kind, words] = await said(new Error(text));
    expect(kind).toBe('internal');
    expect(words).not.toMatch(/users|payroll|3f2504e0/);
  });

  it.each([
    'Select a country from the list',
    'Please select one of the dates',
    'Select the users from the menu',
  ])('is not what a caller is asked to do: %s', async (text) => {
    expect((await said(new Error(text)))[1]).toContain(text);
  });
});

describe('a credential of the server’s own', () => {
  it.each([
    'Stripe refused: key sk_live_51HxQyzAbCdEfGhIjKlMnOpQrStUv is not valid',
    'Mailgun: private key is invalid',
    'Our PayPal credentials were rejected',
    'The signing key has expired',
    'The certificate of bank.example has expired',
  ])('is the operator’s to renew: %s', async (text) => {
    const [kind, words] = await said(new Error(text), { amount: 5, currency: 'EUR' });
    expect(kind).toBe('misconfigured');
    expect(words).toContain('The server lacks a setting; tell the user, do not retry.');
    expect(words).not.toContain('sk_live');
  });

  it.each<[string, object]>([
    ['Key ORDERS-2024-000017 is not valid', { key: 'ORDERS-2024-000017' }],
    ['Your credentials were rejected', { user: 'ada', password: 'x' }],
    ['The license of shop.example has expired', {}],
    ['Primary key is invalid', {}],
  ])('is no value of the caller’s: %s', async (text, args) => {
    expect((await said(new Error(text), args))[0]).not.toBe('misconfigured');
  });
});

describe('a key of the server’s own that an interface refuses, in plain words', () => {
  it.each([
    'GitLab API error: Unauthorized',
    'GitHub API error: Bad credentials',
    'Slack API error: invalid_auth',
    'Notion API error: API token is invalid.',
    'Linear API error: Authentication required',
    'Jira API error (401): Client must be authenticated to access this resource.',
    'Airtable error: AUTHENTICATION_REQUIRED',
    'Figma API error: Invalid token',
    'HTTP 401: Unauthorized',
    'HTTP error 401 Unauthorized',
  ])('is the operator’s to renew, and told: %s', async (text) => {
    const [kind, words] = await said(new Error(text), { project: 'a/b' });
    expect(kind).toBe('misconfigured');
    expect(words).toBe(
      `${text.replace(/\.$/, '')}. The server lacks a setting; tell the user, do not retry.`,
    );
  });

  it.each([
    'Shopify API error: Unauthorized',
    'Failed to list issues: HTTP 401 Unauthorized',
    'Asana request failed: Not authenticated',
    'Trello returned 401: invalid token',
  ])('unseen: is the operator’s to renew: %s', async (text) => {
    expect((await said(new Error(text), { project: 'a/b' }))[0]).toBe('misconfigured');
  });

  it.each<readonly [string, object]>([
    ['Authentication required', {}],
    ['You are not signed in', {}],
    ['Please log in first', {}],
    ['Your session has expired; sign in again', {}],
    ['GitLab API error: Unauthorized', { token: 'x' }],
  ])('is not what a caller has to renew: %s', async (text, args) => {
    expect((await said(new Error(text), args))[0]).not.toBe('misconfigured');
  });
});

it.each<readonly [string, object]>([
  ['a status and words', { status: 401 }],
  ['words in a body', { response: { status: 401, data: { error: 'Insufficient scope: mail.send' } } }],
])('a scope that is missing can be asked for, whatever the status: %s', async (_what, members) => {
  const reason = Object.assign(new Error('Insufficient scope: mail.send'), members);
  expect(await said(reason, { to: 'x' })).toEqual([
    'forbidden',
    'Insufficient scope: mail.send. Ask for access; do not repeat the call without it.',
  ]);
});

describe('what the platform itself throws', () => {
  const thrown = (work: () => unknown): unknown => {
    try {
      work();
    } catch (reason) {
      return reason;
    }
    throw new Error('Expected it to throw');
  };

  const OPEN = '(ledger|';

  it.each<[string, () => unknown]>([
    ['toFixed', () => (1).toFixed(200)],
    ['toString', () => (1).toString(99)],
    ['an address', () => decodeURIComponent('%')],
    ['an expression', () => new RegExp(OPEN)],
    ['atob', () => atob('%%')],
    ['a header', () => new Headers({ 'x tenant': '1' })],
    ['a time zone', () => new Intl.DateTimeFormat('en', { timeZone: 'Mars/X' })],
    ['a locale', () => new Intl.NumberFormat('xx-invalid-locale-zz-')],
    ['a form', () => 'a'.normalize('X')],
    ['a status', () => new Response('', { status: 999 })],
    ['a clone', () => structuredClone(() => 1)],
  ])('is a mistake of the server’s: %s', async (_, work) => {
    const args = { id: 'inv-1', email: 'ada@example.com' };
    expect(await said(thrown(work), args)).toEqual(['internal', INTERNAL]);
  });

  it.each<[string, () => unknown, object]>([
    ['an expression', () => new RegExp(OPEN), { pattern: '(ledger|' }],
    ['an address', () => decodeURIComponent('%E0%A4%A'), { path: '%E0%A4%A' }],
    ['a time zone', () => new Intl.DateTimeFormat('en', { timeZone: 'Mars/X' }), { zone: 'Mars/X' }],
  ])('is the caller’s where it is over a value of theirs: %s', async (_, work, args) => {
    const [kind, words] = await said(thrown(work), args);
    expect(kind).not.toBe('internal');
    expect(words).not.toContain('Reference');
  });

  it.each([new RangeError('page must be between 1 and 10'), new TypeError('Amount must be a number')])(
    'is not what an author throws of the same class: %s',
    async (reason) => {
      expect((await said(reason))[0]).toBe('invalid_arguments');
    },
  );

  it.each([
    new RangeError('Missing named parameter "tenant_key"'),
    new RangeError('Too few parameter values were provided'),
    new RangeError('Too many parameter values were provided'),
    new TypeError('This statement does not return data. Use run() instead'),
    new TypeError('Cannot open database because the directory does not exist'),
    error('bind message supplies 1 parameters, but prepared statement "" requires 2', {
      code: '08P01',
      severity: 'ERROR',
      routine: 'exec_bind_message',
    }),
  ])('and neither is what a driver says of its use: %s', async (reason) => {
    expect(await said(reason)).toEqual(['internal', INTERNAL]);
  });
});

describe('a part of the server itself', () => {
  it.each([
    ["Cannot find module '/srv/app/image.js' imported from /srv/app/server.mjs", 'ERR_MODULE_NOT_FOUND'],
    ["Cannot find module '/srv/app/image.js' imported from /srv/app/server.mjs", undefined],
    ["Cannot find package 'sharp' imported from /srv/app/dist/tools/image.js", undefined],
    ["Cannot find module './x'\nRequire stack:\n- /srv/app/index.js", 'MODULE_NOT_FOUND'],
    ['Failed to load /srv/app/schema.json imported from config', undefined],
    ['listen EADDRINUSE: address already in use :::3000', undefined],
    ["MISCONF Redis is configured to save RDB snapshots, but it's unable to persist to disk", undefined],
  ])('that is missing is the operator’s: %s', async (text, code) => {
    expect(await said(error(text, code === undefined ? {} : { code }))).toEqual([
      'misconfigured',
      MISCONFIGURED,
    ]);
  });

  it.each([
    new Error('require() of ES Module /srv/app/node_modules/x/index.js from /srv/app/y.js not supported.'),
    new SyntaxError("The requested module './db.js' does not provide an export named 'pool'"),
    new SyntaxError(
      "Named export 'a' not found. The requested module 'x' is a CommonJS module, which may not support all module.exports",
    ),
  ])('that does not fit is a mistake of the server’s: %s', async (reason) => {
    expect(await said(reason)).toEqual(['internal', INTERNAL]);
  });

  it.each([
    ['Reached the max retries per request limit (which is 20).', 'unavailable'],
    ["READONLY You can't write against a read only replica.", 'unavailable'],
    ['CLUSTERDOWN The cluster is down', 'unavailable'],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'overloaded'],
    ['BUSY Redis is busy running a script.', 'overloaded'],
    ['WebSocket is not open: readyState 3 (CLOSED)', 'disconnected'],
    ['WebSocket is not open: readyState 0 (CONNECTING)', 'disconnected'],
  ])('that is down for a while passes: %s', async (text, kind) => {
    const [heard, words] = await said(new Error(text));
    expect(heard).toBe(kind);
    expect(words).toContain(`Reference: ${ID}.`);
  });

  it('is not somebody’s address', async () => {
    expect((await said(new Error('The email address is already in use by another account')))[0]).toBe(
      'conflict',
    );
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

  it.each<readonly [object, string]>([
    [{ path: '/srv/data/asked.md' }, '/srv/data/asked.md'],
    [{ path: 'asked.md' }, 'asked.md'],
    [{ path: './data/asked.md' }, 'data/asked.md'],
    [{ files: [{ name: 'asked' }] }, 'asked.md'],
    [{ folder: '/srv/data' }, '/srv/data/asked.md'],
    [{ project: 'data' }, 'data/…'],
  ])('that the caller named is the caller’s, as far as it named it: %j', async (args, path) => {
    expect(await said(missing('/srv/data/asked.md'), args)).toEqual([
      'not_found',
      `ENOENT: no such file or directory, open '${path}'. Check the identifier; do not repeat the same call.`,
    ]);
  });

  it('that the caller wanted to make of another one is the caller’s', async () => {
    const rename = Object.assign(missing('/srv/data/a'), { dest: '/srv/data/b' });
    expect((await said(rename, { to: '/srv/data/b' }))[0]).toBe('not_found');
  });

  it('that is a folder, unnamed, is the caller’s only if the caller named anything', async () => {
    const folder = error('EISDIR: illegal operation on a directory, read', {
      code: 'EISDIR',
      errno: -21,
      syscall: 'read',
    });
    expect(await said(folder)).toEqual(['internal', INTERNAL]);
    expect(await said(folder, { page: 2 })).toEqual(['internal', INTERNAL]);
    expect((await said(folder, { path: 'data' }))[0]).toBe('invalid_arguments');
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

it('what is no JSON, and not the caller’s, is not asked for again', async () => {
  const [kind, words] = await said(new SyntaxError('Unexpected end of JSON input'), { name: 'x' });
  expect(kind).toBe('upstream_failed');
  expect(words).toBe(`Upstream failed. Do not retry; tell the user. Reference: ${ID}.`);
});
