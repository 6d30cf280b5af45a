/** Drivers that give their exceptions no code: the words alone decide the same. */
import { expect, it } from 'vitest';
import { error, INTERNAL, said } from './thrown.ts';

it.each([
  'NOT NULL constraint failed: internal_ledger.secret_margin',
  'D1_ERROR: NOT NULL constraint failed: internal_ledger.secret_margin: SQLITE_CONSTRAINT',
  'D1_ERROR: CHECK constraint failed: internal_rule_7: SQLITE_CONSTRAINT',
  'D1_ERROR: UNIQUE constraint failed: internal_ledger.secret_ref: SQLITE_CONSTRAINT',
  'UNIQUE constraint failed: internal_ledger.secret_ref',
  'Failed to save the order: NOT NULL constraint failed: internal_ledger.secret_margin',
  'table internal_ledger has no column named qty2',
  'D1_ERROR: table internal_ledger has no column named qty2: SQLITE_ERROR',
  'table internal_ledger already exists',
  'internal_ledger.secret_margin may not be NULL',
  'cannot modify internal_view because it is a view',
  'attempt to write a readonly database',
  'ambiguous column name: secret_id',
  'no such function: internal_margin',
  'near "FORM": syntax error',
  "Field 'secret_margin' doesn't have a default value",
  "Column 'secret_margin' cannot be null",
  "Data too long for column 'secret_margin' at row 1",
  "Incorrect integer value: 'abc' for column `prod`.`internal_ledger`.`qty` at row 1",
  "Check constraint 'chk_secret' is violated.",
  "Duplicate entry 'zed' for key 'internal_users.name'",
  'Cannot delete or update a parent row: a foreign key constraint fails (`prod`.`internal_orders`)',
  "Violation of UNIQUE KEY constraint 'UQ_internal'. Cannot insert duplicate key in object 'dbo.internal_users'. The duplicate key value is (zed).",
  'The INSERT statement conflicted with the CHECK constraint "internal_ck". The conflict occurred in database "prod".',
])('stays with the operator: %s', async (text) => {
  expect(await said(error(text), { ref: 'a7' })).toEqual(['internal', INTERNAL]);
});

it.each<readonly [string, object, string, string]>([
  ['NOT NULL constraint failed: u.email', { email: null }, 'invalid_arguments', 'email must not be null'],
  [
    'D1_ERROR: UNIQUE constraint failed: users.email: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_UNIQUE)',
    { email: 'ada@example.org' },
    'conflict',
    'email=ada@example.org already exists',
  ],
  ['CHECK constraint failed: age > 0', { age: -1 }, 'invalid_arguments', 'age is not accepted: age > 0'],
  [
    'table sales has no column named qty2',
    { sql: 'insert into sales (qty2) values (1)' },
    'unprocessable',
    'table sales has no column named qty2',
  ],
  ["Column 'price' cannot be null", { columns: ['price'] }, 'invalid_arguments', "Column 'price'"],
])('is the caller’s where its own: %s', async (text, args, kind, says) => {
  const [told, words] = await said(error(text), args);
  expect([told, words.slice(0, says.length)]).toEqual([kind, says]);
});
