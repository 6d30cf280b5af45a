/** What databases and mappers refuse: told where the column or the value is an argument, and else to nobody but the operator. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { registered } from './checking.ts';
import { error, INTERNAL, said } from './thrown.ts';
import { connectRaw, faultIn, textOf } from './wire.ts';

type Told = readonly [what: string, reason: unknown, args: object, kind: string, says: string];
type Kept = readonly [what: string, reason: unknown, args: object];

const tells = async (...[, reason, args, kind, says]: Told): Promise<void> => {
  const [told, words] = await said(reason, args);
  expect([told, words]).toEqual([kind, expect.stringContaining(says)]);
  expect(words).not.toMatch(/SECRET|PIN4711|internal_|orders_v3|prod/);
};
const keeps = async (...[, reason, args]: Kept): Promise<void> => {
  expect(await said(reason, args)).toEqual(['internal', INTERNAL]);
};

const node = (message: string, errcode = 1): Error =>
  error(message, { code: 'ERR_SQLITE_ERROR', errcode, errstr: 'SQL logic error' });
const pg = (code: string, message: string, more: object = {}): Error =>
  error(message, { name: 'error', code, severity: 'ERROR', routine: 'x', ...more });
const mysql = (code: string, message: string, statement = ''): Error =>
  error(statement + message, { code, errno: 1, sqlState: '23000', sqlMessage: message });
const prisma = (code: string | undefined, message: string, meta: object = {}): Error =>
  error(`\nInvalid \`prisma.order.create()\` invocation in\n/app/src/o.ts:3:4\n\n\n${message}`, {
    name: code === undefined ? 'PrismaClientValidationError' : 'PrismaClientKnownRequestError',
    code,
    meta,
    clientVersion: '6.1.0',
  });

describe('the caller’s own query to `node:sqlite` and its kin', () => {
  const told: readonly Told[] = [
    [
      'first word',
      node('near "selec": syntax error'),
      { query: 'selec * from u' },
      'invalid_arguments',
      'near "selec"',
    ],
    [
      'later word',
      node('near "frm": syntax error'),
      { query: 'select a frm u' },
      'invalid_arguments',
      'near "frm"',
    ],
    ['table', node('no such table: ux'), { query: 'select * from ux' }, 'not_found', 'no such table: ux'],
    ['column', node('no such column: foo'), { sql: 'select foo from u' }, 'not_found', 'no such column: foo'],
    [
      'token',
      node(`unrecognized token: "'"`),
      { sql: "select '" },
      'invalid_arguments',
      'unrecognized token',
    ],
    ['search', node('fts5: syntax error near ""'), { q: 'a AND' }, 'invalid_arguments', 'fts5: syntax error'],
    ['search word', node('fts5: syntax error near "AND"'), { q: 'AND b' }, 'invalid_arguments', 'near "AND"'],
    ['search quote', node('unterminated string'), { q: 'a"' }, 'invalid_arguments', 'unterminated string'],
    [
      'search column',
      node('no such column: foo'),
      { q: 'foo:bar' },
      'invalid_arguments',
      'no such column: foo',
    ],
    [
      'better-sqlite3',
      error('fts5: syntax error near "*"', { name: 'SqliteError', code: 'SQLITE_ERROR' }),
      { q: '*' },
      'invalid_arguments',
      'near "*"',
    ],
    [
      'libsql',
      error('SQLITE_ERROR: near "selec": syntax error', { name: 'LibsqlError', code: 'SQLITE_ERROR' }),
      { query: 'selec 1' },
      'invalid_arguments',
      'near "selec"',
    ],
    [
      'D1',
      error('D1_ERROR: near "selec": syntax error at offset 0: SQLITE_ERROR'),
      { query: 'selec 1' },
      'invalid_arguments',
      'near "selec"',
    ],
    [
      'tsquery',
      pg('42601', 'syntax error in tsquery: "a &"'),
      { search: 'a &' },
      'invalid_arguments',
      'tsquery: "a &"',
    ],
  ];
  it.each(told)('%s', tells);

  const kept: readonly Kept[] = [
    ['a query of the server’s', node('near "selec": syntax error'), { id: 'o7' }],
    ['a table of the server’s', node('no such table: internal_t'), { id: 1 }],
    ['a column of the server’s', node('no such column: internal_c'), { q: 'where is it' }],
    ['a search of the server’s', node('fts5: syntax error near ""'), { id: 7 }],
    ['a search for something else', node('fts5: syntax error near "AND"'), { q: 'shoes' }],
    ['a search that is whole', node('fts5: syntax error near ""'), { q: 'red shoes' }],
    ['a quote of the server’s', node('unterminated string'), { q: 'shoes' }],
    ['Node’s own', error('database is not open', { code: 'ERR_INVALID_STATE' }), { sql: 'select 1' }],
  ];
  it.each(kept)('not %s', keeps);

  it.each([
    [5, 'database is locked', 'overloaded'],
    [261, 'database is locked', 'overloaded'],
    [6, 'database table is locked', 'overloaded'],
    [13, 'database or disk is full', 'misconfigured'],
  ])('errcode %i is how the database is', async (errcode, message, kind) => {
    const [told, words] = await said(node(message, errcode), { sql: 'select 1' });
    expect(told).toBe(kind);
    expect(words).not.toContain(message);
  });
});

describe('a rule of a column', () => {
  const row = { detail: 'Failing row contains (10, SECRETROW, -5).', table: 'customers' };
  const told: readonly Told[] = [
    ['SQLite, check', node('CHECK constraint failed: age>0', 275), { age: -1 }, 'invalid_arguments', 'age'],
    [
      'SQLite, a named check',
      node('CHECK constraint failed: age_ok', 275),
      { age: -1 },
      'invalid_arguments',
      'age is not accepted',
    ],
    [
      'SQLite, null',
      node('NOT NULL constraint failed: u.email', 1299),
      { email: null },
      'invalid_arguments',
      'email must not be null',
    ],
    [
      'better-sqlite3',
      error('CHECK constraint failed: age > 0 AND age < 150', {
        name: 'SqliteError',
        code: 'SQLITE_CONSTRAINT_CHECK',
      }),
      { age: 900 },
      'invalid_arguments',
      'age > 0 AND age < 150',
    ],
    [
      'PostgreSQL, check',
      pg('23514', 'new row for relation "customers" violates check constraint "customers_balance_check"', {
        ...row,
        constraint: 'customers_balance_check',
      }),
      { balance: -5 },
      'invalid_arguments',
      'balance is not accepted',
    ],
    [
      'PostgreSQL, null',
      pg('23502', 'null value in column "email" of relation "customers" violates not-null constraint', {
        ...row,
        column: 'email',
      }),
      { email: null },
      'invalid_arguments',
      'email must not be null',
    ],
    [
      'another spelling',
      pg('23502', 'null value in column "unit_price" of relation "customers" violates not-null constraint', {
        ...row,
        column: 'unit_price',
      }),
      { unitPrice: null },
      'invalid_arguments',
      'unitPrice must not be null',
    ],
    [
      'Drizzle',
      error('Failed query: insert into x values ($1)\nparams: PIN4711', {
        cause: pg('23514', 'violates check constraint "customers_balance_check"', {
          ...row,
          constraint: 'customers_balance_check',
        }),
      }),
      { balance: -5 },
      'invalid_arguments',
      'balance is not accepted',
    ],
    [
      'PostgreSQL, JSON',
      pg('22P02', 'invalid input syntax for type json', { detail: 'Token "a" is invalid.' }),
      { j: '{a' },
      'invalid_arguments',
      'invalid input syntax for type json',
    ],
    ['PostgreSQL, zero', pg('22012', 'division by zero'), { by: 0 }, 'invalid_arguments', 'division by zero'],
    [
      'PostgreSQL, expression',
      pg('2201B', 'invalid regular expression: parentheses () not balanced'),
      { pattern: '(' },
      'invalid_arguments',
      'not balanced',
    ],
    [
      'MySQL, too long',
      mysql('ER_DATA_TOO_LONG', "Data too long for column 'note' at row 1"),
      { note: 'abcdefgh' },
      'invalid_arguments',
      'note is too long',
    ],
    [
      'MySQL, null',
      mysql('ER_BAD_NULL_ERROR', "Column 'note' cannot be null"),
      { note: null },
      'invalid_arguments',
      'note must not be null',
    ],
    [
      'MySQL, range',
      mysql('ER_WARN_DATA_OUT_OF_RANGE', "Out of range value for column 'qty' at row 1"),
      { qty: 1e12 },
      'invalid_arguments',
      'qty is out of range',
    ],
    [
      'MySQL, type',
      mysql('ER_TRUNCATED_WRONG_VALUE_FOR_FIELD', "Incorrect integer value: 'abc' for column 'qty' at row 1"),
      { qty: 'abc' },
      'invalid_arguments',
      'qty is not accepted',
    ],
    [
      'MySQL, choice',
      mysql('WARN_DATA_TRUNCATED', "Data truncated for column 'status' at row 1"),
      { status: 'weird' },
      'invalid_arguments',
      'status is not accepted',
    ],
    [
      'MySQL, check',
      mysql('ER_CHECK_CONSTRAINT_VIOLATED', "Check constraint 'chk_age' is violated."),
      { age: -1 },
      'invalid_arguments',
      'age is not accepted',
    ],
    [
      'SQLite, key',
      node('FOREIGN KEY constraint failed', 787),
      { user_id: 99, note: 'x' },
      'conflict',
      'user_id=99 does not exist, or is still referenced',
    ],
    [
      'MySQL, key',
      mysql(
        'ER_NO_REFERENCED_ROW_2',
        'Cannot add or update a child row: a foreign key constraint fails (`prod`.`orders`, CONSTRAINT `fk_c` FOREIGN KEY (`customer_id`) REFERENCES `customers` (`id`))',
      ),
      { customer_id: 7 },
      'not_found',
      'customer_id=7 does not exist',
    ],
    [
      'Knex, unique',
      mysql(
        'ER_DUP_ENTRY',
        "Duplicate entry 'bob' for key 'users.name'",
        "insert into `users` (`name`, `pin`) values ('bob', 'PIN4711') - ",
      ),
      { name: 'bob' },
      'conflict',
      'name=bob already exists',
    ],
    [
      'Knex, SQLite',
      error(
        "insert into `users` (`name`, `pin`) values ('bob', 'PIN4711') - UNIQUE constraint failed: users.name",
        { code: 'SQLITE_CONSTRAINT_UNIQUE' },
      ),
      { name: 'bob' },
      'conflict',
      'name=bob already exists',
    ],
    [
      'SQL Server, null',
      error(
        "Cannot insert the value NULL into column 'email', table 'prod.dbo.users'; column does not allow nulls. INSERT fails.",
        { name: 'RequestError', code: 'EREQUEST', number: 515 },
      ),
      { email: null },
      'invalid_arguments',
      'email must not be null',
    ],
    [
      'SQL Server, unique',
      error(
        "Violation of UNIQUE KEY constraint 'UQ_users'. Cannot insert duplicate key in object 'dbo.users'. The duplicate key value is (bob).",
        { name: 'RequestError', code: 'EREQUEST', number: 2627 },
      ),
      { name: 'bob' },
      'conflict',
      'name=bob already exists',
    ],
    [
      'SQL Server, too long',
      error(
        "String or binary data would be truncated in table 'prod.dbo.orders', column 'note'. Truncated value: 'abcde'.",
        { name: 'RequestError', code: 'EREQUEST', number: 2628 },
      ),
      { note: 'abcdefgh' },
      'invalid_arguments',
      'note is too long',
    ],
    [
      'Prisma, key',
      prisma('P2003', 'Foreign key constraint violated on the constraint: `User_orgId_fkey`', {
        constraint: 'User_orgId_fkey',
        field_name: 'orgId',
      }),
      { orgId: 7 },
      'not_found',
      'orgId=7 does not exist',
    ],
    [
      'Prisma, key by constraint',
      prisma('P2003', 'Foreign key constraint violated on the constraint: `User_orgId_fkey`', {
        modelName: 'User',
        constraint: 'User_orgId_fkey',
      }),
      { orgId: 7 },
      'not_found',
      'orgId=7 does not exist',
    ],
    [
      'Prisma, too long',
      prisma('P2000', "The provided value for the column is too long for the column's type. Column: note", {
        column_name: 'note',
      }),
      { note: 'abcdefgh' },
      'invalid_arguments',
      'note is too long',
    ],
    [
      'Prisma, null',
      prisma('P2011', 'Null constraint violation on the fields: (`email`)', { target: ['email'] }),
      { email: null },
      'invalid_arguments',
      'email must not be null',
    ],
    [
      'Prisma, type',
      prisma(
        undefined,
        '{\n  data: {\n    qty: "abc",\n         ~~~~~\n    pin: "PIN4711"\n  }\n}\n\nArgument `qty`: Invalid value provided. Expected Int, provided String.',
      ),
      { qty: 'abc' },
      'invalid_arguments',
      'qty: Expected Int, provided String',
    ],
  ];
  it.each(told)('%s', tells);

  const kept: readonly Kept[] = [
    ['a check of a column of its own', node('CHECK constraint failed: internal_state', 275), { age: -1 }],
    [
      'a check over more than the argument',
      node('CHECK constraint failed: internal_total > age', 275),
      { qty: -1 },
    ],
    ['a null of its own', node('NOT NULL constraint failed: u.email', 1299), { id: 5 }],
    ['a null where something was sent', node('NOT NULL constraint failed: u.email', 1299), { email: 'ada' }],
    [
      'a null of its own in PostgreSQL',
      pg('23502', 'null value in column "email" of relation "customers" violates not-null constraint', {
        ...row,
        column: 'email',
      }),
      { id: 5 },
    ],
    [
      'a check of its own in PostgreSQL',
      pg('23514', 'violates check constraint "ledger_state_check"', {
        ...row,
        constraint: 'ledger_state_check',
      }),
      { id: 5 },
    ],
    [
      'a key of its own',
      mysql(
        'ER_NO_REFERENCED_ROW_2',
        'Cannot add or update a child row: a foreign key constraint fails (`prod`.`orders`, CONSTRAINT `fk_c` FOREIGN KEY (`shard_id`) REFERENCES `shards` (`id`))',
      ),
      { customer_id: 7 },
    ],
    [
      'somebody else’s value',
      mysql(
        'ER_DUP_ENTRY',
        "Duplicate entry 'zed' for key 'users.name'",
        "insert into `users` values ('zed') - ",
      ),
      { name: 'bob' },
    ],
    [
      'a length of its own',
      mysql('ER_DATA_TOO_LONG', "Data too long for column 'audit' at row 1"),
      { note: 'abcdefgh' },
    ],
    ['JSON of its own', pg('22P02', 'invalid input syntax for type json'), { id: 'o7' }],
    [
      'an expression of its own',
      pg('2201B', 'invalid regular expression: parentheses () not balanced'),
      { id: 'o7' },
    ],
    ['a zero of its own', pg('22012', 'division by zero'), { id: 'o7' }],
    [
      'a duplicate of its own in SQL Server',
      error(
        "Violation of UNIQUE KEY constraint 'UQ_u'. Cannot insert duplicate key in object 'dbo.users'. The duplicate key value is (zed).",
        { name: 'RequestError', code: 'EREQUEST', number: 2627 },
      ),
      { name: 'bob' },
    ],
    [
      'a key of its own in Prisma',
      prisma('P2003', 'Foreign key constraint violated on the constraint: `User_shardId_fkey`', {
        constraint: 'User_shardId_fkey',
      }),
      { orgId: 7 },
    ],
    [
      'a value of its own in Prisma',
      prisma(undefined, 'Argument `shard`: Invalid value provided. Expected Int, provided String.'),
      { qty: 'abc' },
    ],
    [
      'a type that was sent as it should be',
      prisma(undefined, 'Argument `qty`: Invalid value provided. Expected Int, provided String.'),
      { qty: 5 },
    ],
  ];
  it.each(kept)('not %s', keeps);

  it('is told of what was left out where the tool says that it takes it', async () => {
    const takes = z.object({ email: z.string().optional(), id: z.number() });
    const ask = async (message: string): Promise<readonly [unknown, string]> => {
      const server = registered(takes, () => {
        throw node(message, 1299);
      });
      const answer = await (await connectRaw(server)).ask('tools/call', { name: 't', arguments: { id: 5 } });
      return [faultIn(answer)['kind'], textOf({ message: answer })];
    };
    expect(await ask('NOT NULL constraint failed: u.email')).toEqual([
      'invalid_arguments',
      expect.stringContaining('email must not be null'),
    ]);
    expect((await ask('NOT NULL constraint failed: u.shard'))[0]).toBe('internal');
  });

  it('says nothing of a credential but its name', async () => {
    const [, words] = await said(mysql('ER_DATA_TOO_LONG', "Data too long for column 'api_key' at row 1"), {
      api_key: 'sk_live_0123456789abcdefghij',
    });
    expect(words).not.toContain('sk_live');
  });
});
