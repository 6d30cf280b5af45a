/** What is proven to be the caller's own: its query, its address, its value. Those called unseen were written before the rules. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { error, ID, INTERNAL, MISCONFIGURED, said } from './thrown.ts';

const pg = (code: string, message: string, more: object = {}): Error =>
  error(message, { name: 'error', code, severity: 'ERROR', routine: 'x', ...more });
const sqlite = (message: string, code = 'SQLITE_ERROR'): Error =>
  error(message, { name: 'SqliteError', code });

type Case = readonly [reason: unknown, args: object, kind: string, says: string];
const check = async ([reason, args, kind, says]: Case): Promise<void> => {
  const [told, words] = await said(reason, args);
  expect(told).toBe(kind);
  expect(words).toContain(says);
};

describe('the caller’s own query', () => {
  it.each<Case>([
    [sqlite('near "selec": syntax error'), { sql: 'selec 1' }, 'invalid_arguments', 'near "selec"'],
    [sqlite('near "shwo": syntax error'), { sql: 'shwo tables' }, 'invalid_arguments', 'near "shwo"'],
    [pg('42601', 'syntax error at or near "selec"'), { query: 'selec 1' }, 'invalid_arguments', '"selec"'],
    [sqlite('incomplete input'), { sql: 'select' }, 'invalid_arguments', 'incomplete input'],
    [
      new RangeError('The supplied SQL string contains more than one statement'),
      { sql: 'select 1; select 2' },
      'invalid_arguments',
      'more than one statement',
    ],
    [
      pg('42703', 'column "nmae" does not exist', {
        hint: 'Perhaps you meant to reference the column "users.name".',
      }),
      { sql: 'SELECT nmae FROM users' },
      'not_found',
      'Perhaps you meant to reference the column "users.name"',
    ],
    [
      pg('42601', 'syntax error at end of input'),
      { statement: 'SELECT *' },
      'invalid_arguments',
      'end of input',
    ],
    [sqlite('no such column: foo'), { sql: 'selct foo' }, 'not_found', 'no such column: foo'],
  ])('%s', async (...one) => check(one));

  it.each<Case>([
    [
      sqlite('near "udpate": syntax error'),
      { q: 'udpate users set a=1' },
      'invalid_arguments',
      'near "udpate"',
    ],
    [
      pg('42601', 'syntax error at or near "dlete"'),
      { text: 'dlete from x' },
      'invalid_arguments',
      '"dlete"',
    ],
    [sqlite('near ";": syntax error'), { sql: 'select * from ;' }, 'invalid_arguments', 'syntax error'],
    [sqlite('incomplete input'), { query: 'insert into x' }, 'invalid_arguments', 'incomplete input'],
    [
      pg('42601', 'cannot insert multiple commands into a prepared statement'),
      { sql: 'select 1; select 2' },
      'invalid_arguments',
      'multiple commands',
    ],
    [
      pg('42883', 'function lenght(text) does not exist', {
        hint: 'No function matches the given name and argument types.',
      }),
      { query: 'select lenght(name) from users' },
      'not_found',
      'No function matches the given name',
    ],
    [
      sqlite('no such table: userz'),
      { sql_query: 'select * from userz' },
      'not_found',
      'no such table: userz',
    ],
    [
      sqlite('unrecognized token: "@@"'),
      { sql: 'select @@ from x' },
      'invalid_arguments',
      'unrecognized token',
    ],
  ])('unseen: %s', async (...one) => check(one));

  it('is not taken for granted where the caller only searched', async () => {
    expect(await said(sqlite('no such column: tenant'), { query: 'where is my order' })).toEqual([
      'internal',
      INTERNAL,
    ]);
    expect(await said(sqlite('near "SELCT": syntax error'), { id: 7 })).toEqual(['internal', INTERNAL]);
    expect(await said(pg('42703', 'column "x" does not exist', { hint: 'Perhaps u.y' }), { id: 7 })).toEqual([
      'internal',
      INTERNAL,
    ]);
  });
});

const failed = (message: string, more: object = {}): Error =>
  new TypeError('fetch failed', { cause: error(message, more) });
const unparsed = (input: string): Error =>
  new TypeError(`Failed to parse URL from ${input}`, {
    cause: Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input }),
  });
const noHost = (hostname: string): Error =>
  failed(`getaddrinfo ENOTFOUND ${hostname}`, { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname });

describe('an address', () => {
  it.each<Case>([
    [failed('unknown scheme'), { url: 'htp:/foo' }, 'invalid_arguments', 'unknown scheme'],
    [failed('unknown scheme'), { url: 'ftp://example.com/x' }, 'invalid_arguments', 'unknown scheme'],
    [
      failed('not implemented... yet...'),
      { url: 'file:///etc/passwd' },
      'invalid_arguments',
      'not implemented',
    ],
    [failed('bad port'), { url: 'http://example.com:22/' }, 'invalid_arguments', 'bad port'],
    [noHost('nohost.invalid'), { url: 'http://nohost.invalid/x' }, 'not_found', 'nohost.invalid'],
    [unparsed('foo bar'), { url: 'foo bar' }, 'invalid_arguments', 'foo bar'],
    [unparsed('undefined/orders/7'), {}, 'misconfigured', MISCONFIGURED],
    [unparsed('undefined/orders/7'), { id: '7' }, 'misconfigured', MISCONFIGURED],
    [noHost('db.internal'), { url: 'http://example.com' }, 'unavailable', `Reference: ${ID}.`],
    [failed('unknown scheme'), { id: '7' }, 'misconfigured', MISCONFIGURED],
  ])('%s %o', async (...one) => check(one));

  it.each<Case>([
    [
      failed('unknown scheme'),
      { page: { address: 'gopher://example.com' } },
      'invalid_arguments',
      'unknown scheme',
    ],
    [failed('bad port'), { target: 'http://example.com:6667/a' }, 'invalid_arguments', 'bad port'],
    [noHost('exmaple.invalid'), { urls: ['https://exmaple.invalid/'] }, 'not_found', 'exmaple.invalid'],
    [noHost('shop.invalid'), { domain: 'shop.invalid' }, 'not_found', 'shop.invalid'],
    [unparsed('http://'), { url: 'http://' }, 'invalid_arguments', 'http://'],
    [unparsed('/orders/7'), { order: '7' }, 'misconfigured', MISCONFIGURED],
    [unparsed('[object Object]'), { order: '7' }, 'misconfigured', MISCONFIGURED],
    [
      Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input: 'exa mple' }),
      { site: 'exa mple' },
      'invalid_arguments',
      'exa mple',
    ],
    [
      Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input: 'undefined' }),
      { site: 'a' },
      'misconfigured',
      MISCONFIGURED,
    ],
    [failed('bad port'), { url: 'http://example.com/' }, 'misconfigured', MISCONFIGURED],
  ])('unseen: %s %o', async (...one) => check(one));
});

const invalid = (schema: z.ZodType, value: unknown): unknown => schema.safeParse(value).error;

const ajv = (instancePath: string, keyword: string, params: object, message: string): Error =>
  error('validation failed', {
    errors: [{ instancePath, schemaPath: '#/x', keyword, params, message }],
    ajv: true,
    validation: true,
  });

describe('a value of the caller’s', () => {
  const email = { email: 'ada@example.com' };
  const taken = {
    detail: 'Key (email)=(ada@example.com) already exists.',
    table: 'users',
    constraint: 'users_email_key',
  };
  it.each<Case>([
    [
      pg('23505', 'duplicate key value violates unique constraint "users_email_key"', taken),
      email,
      'conflict',
      'email=ada@example.com already exists',
    ],
    [
      pg('23503', 'insert or update on table "orders" violates foreign key constraint "fk"', {
        detail: 'Key (customer_id)=(77) is not present in table "customers".',
      }),
      { customer_id: 77 },
      'not_found',
      'customer_id=77 does not exist',
    ],
    [error('data/count must be >= 1', {}), { count: 0 }, 'invalid_arguments', 'data/count must be >= 1'],
    [
      error('data/items/0/name must be string, data/count must be < 5', {}),
      { items: [{ name: 7 }], count: 5 },
      'invalid_arguments',
      'data/items/0/name must be string, data/count must be < 5',
    ],
    [
      ajv('/count', 'minimum', { limit: 1 }, 'must be >= 1'),
      { count: 0 },
      'invalid_arguments',
      'count: must be >= 1',
    ],
    [
      ajv('/color', 'enum', { allowedValues: ['red'] }, 'must be equal to one of the allowed values'),
      { color: 'blue' },
      'invalid_arguments',
      'color: must be equal to one of the allowed values',
    ],
    [
      ajv('/password', 'const', { allowedValue: 'hunter2zz' }, 'must be equal to constant hunter2zz'),
      { password: 'x' },
      'invalid_arguments',
      'password: not accepted',
    ],
    [
      sqlite('UNIQUE constraint failed: users.email', 'SQLITE_CONSTRAINT_UNIQUE'),
      email,
      'conflict',
      'email=ada@example.com already exists',
    ],
    [
      error(
        'E11000 duplicate key error collection: app.users index: email_1 dup key: { email: "ada@example.com" }',
        {
          name: 'MongoServerError',
          code: 11000,
          keyPattern: { email: 1 },
          keyValue: email,
        },
      ),
      email,
      'conflict',
      'email=ada@example.com already exists',
    ],
    [
      error("Duplicate entry 'ada@example.com' for key 'users.email'", {
        code: 'ER_DUP_ENTRY',
        errno: 1062,
        sqlState: '23000',
      }),
      email,
      'conflict',
      'email=ada@example.com already exists',
    ],
    [
      invalid(z.object({ when: z.iso.date() }), { when: 'tomorrow' }),
      { when: 'tomorrow' },
      'invalid_arguments',
      'when',
    ],
    [
      invalid(z.object({ size: z.number().max(10) }), { size: 11 }),
      { size: 11 },
      'invalid_arguments',
      'size',
    ],
    [new RangeError('Invalid time value'), { date: 'nonsense' }, 'invalid_arguments', 'Invalid time value'],
  ])('%s', async (...one) => check(one));

  it.each<Case>([
    [
      pg('23505', 'duplicate key value violates unique constraint "b_pk"', {
        detail: 'Key (room, day)=(12, 2026-01-05) already exists.',
      }),
      { room: 12, day: '2026-01-05' },
      'conflict',
      'room=12, day=2026-01-05 already exists',
    ],
    [
      pg('23503', 'insert or update on table "t" violates foreign key constraint "x"', {
        detail: 'Key (owner)=(zed) is not present in table "people".',
      }),
      { task: { owner: 'zed' } },
      'not_found',
      'owner=zed does not exist',
    ],
    [
      sqlite('UNIQUE constraint failed: tags.name', 'SQLITE_CONSTRAINT_UNIQUE'),
      { name: 'red' },
      'conflict',
      'name=red already exists',
    ],
    [
      error('Unique constraint failed on the fields: (`slug`)', {
        name: 'PrismaClientKnownRequestError',
        code: 'P2002',
        meta: { target: ['slug'] },
      }),
      { slug: 'home' },
      'conflict',
      'slug=home already exists',
    ],
    [
      error("Duplicate entry 'SKU-9' for key 'products.sku'", {
        code: 'ER_DUP_ENTRY',
        errno: 1062,
        sqlState: '23000',
      }),
      { sku: 'SKU-9', price: 3 },
      'conflict',
      'sku=SKU-9 already exists',
    ],
    [invalid(z.object({ id: z.uuid() }), { id: 'abc' }), { id: 'abc' }, 'invalid_arguments', 'id'],
    [
      invalid(z.object({ a: z.object({ n: z.string().min(3) }) }), { a: { n: 'x' } }),
      { a: { n: 'x' } },
      'invalid_arguments',
      'n',
    ],
    [
      invalid(z.object({ mode: z.enum(['a', 'b']) }), { mode: 'c' }),
      { mode: 'c' },
      'invalid_arguments',
      'mode',
    ],
    [invalid(z.object({ n: z.number() }), { n: '7' }), { n: '7' }, 'invalid_arguments', 'n'],
    [
      new RangeError('Invalid time value'),
      { start_time: '25 o’clock' },
      'invalid_arguments',
      'Invalid time value',
    ],
  ])('unseen: %s', async (...one) => check(one));

  it.each<readonly [unknown, object]>([
    [
      pg('23505', 'duplicate key value', {
        detail: 'Key (tenant, email)=(9, ada@example.com) already exists.',
      }),
      email,
    ],
    [pg('23503', 'x', { detail: 'Key (id)=(5) is still referenced from table "orders".' }), { name: 'a' }],
    [sqlite('UNIQUE constraint failed: sessions.nonce', 'SQLITE_CONSTRAINT_UNIQUE'), email],
    [ajv('/count', 'minimum', { limit: 1 }, 'must be >= 1'), { count: 3 }],
    [ajv('/count', 'minimum', { limit: 1 }, 'must be >= 1'), email],
    [sqlite('FOREIGN KEY constraint failed', 'SQLITE_CONSTRAINT_FOREIGNKEY'), email],
    [invalid(z.object({ id: z.string() }), { id: 7 }), { id: 'seven' }],
    [invalid(z.object({ total: z.number() }), {}), { id: 'seven' }],
    [invalid(z.object({ when: z.iso.date() }), { when: 'x' }), { when: '2026-01-05' }],
    [new RangeError('Invalid time value'), { date: '2026-01-05' }],
    [new RangeError('Invalid time value'), { name: 'nonsense' }],
  ])('that is not proven stays the operator’s: %s', async (reason, args) => {
    expect(await said(reason, args)).toEqual(['internal', INTERNAL]);
  });
});
