/** Tables, buckets, certificates and directory accounts that no argument names are the operator's. */
import { expect, it } from 'vitest';
import { MISCONFIGURED, said } from './thrown.ts';

it.each([
  'relation "tenant_acme.users" does not exist',
  'column users.password_hash does not exist',
  "Unknown column 'u.ssn'",
  'No such bucket: acme-prod-backups',
  'Table arn:aws:dynamodb:eu-west-1:123456789012:table/orders not found',
  'certificate for *.internal.corp has expired',
  'LDAP bind for cn=svc,dc=corp failed: invalid credentials',
  'relation "shop_eu.carts" does not exist',
  'column orders.margin does not exist',
  "Unknown column 'p.cost' in 'field list'",
  'No such bucket: corp-eu-logs',
  'Queue arn:aws:sqs:eu-west-1:210987654321:jobs not found',
  'certificate for db.prod.local has expired',
  "table acme.sessions doesn't exist",
  'The specified bucket does not exist: acme-exports',
  'Role arn:aws:iam::210987654321:role/x does not exist',
  'no such table: audit_log',
  'no such column: u.salary',
  'Topic projects/acme-prod/topics/orders not found',
  'database "tenant_7" does not exist',
  'schema "billing" does not exist',
  'role "app_rw" does not exist',
  'function calc_margin(integer) does not exist',
  'type "order_state" does not exist',
  'PROCEDURE shop.close_month does not exist',
  "Unknown database 'tenant_7'",
  "Invalid object name 'dbo.payroll'",
  "Invalid column name 'margin'",
  "Could not find stored procedure 'dbo.close_month'",
  "Keyspace 'acme_prod' does not exist",
  'index_not_found_exception: no such index [orders-2026]',
  'permission denied for table payroll',
  'permission denied for schema billing',
  'must be owner of table payroll',
  "SELECT command denied to user 'svc'@'10.0.0.7' for table 'payroll'",
  "The SELECT permission was denied on the object 'payroll', database 'erp'",
])('%s', async (text) => {
  expect(await said(new Error(text))).toEqual(['misconfigured', MISCONFIGURED]);
});

it.each<readonly [string, object]>([
  ['relation "orders" does not exist', { table: 'orders' }],
  ['no such column: salary', { sort: 'salary' }],
  ['No such bucket: my-photos', { bucket: 'my-photos' }],
  ['no such table: audit_log', { sql: 'select * from audit_log' }],
  ['role "editor" does not exist', { role: 'editor' }],
  ['no such index [orders-2026]', { index: 'orders-2026' }],
])('that the caller named are not: %s', async (text, args) => {
  const [kind, words] = await said(new Error(text), args);
  expect([kind, words.startsWith(text)]).toEqual(['not_found', true]);
});

it.each<readonly [string, string, RegExp]>([
  ['duplicate key value violates unique constraint "users_email_key"', 'conflict', /users_email_key/],
  ['null value in column "tenant_id" violates not-null constraint', 'invalid_arguments', /tenant_id/],
  [
    'insert or update on table "orders" violates foreign key constraint "orders_user_fk"',
    'conflict',
    /orders_user_fk/,
  ],
])('keys and columns of a table stay with the operator: %s', async (text, kind, names) => {
  const [heard, words] = await said(new Error(text));
  expect(heard).toBe(kind);
  expect(words).not.toMatch(names);
});

it('a key over which the caller wrote the statement is told', async () => {
  const text = 'duplicate key value violates unique constraint "users_email_key"';
  const [, words] = await said(new Error(text), { sql: "insert into users values ('a')" });
  expect(words).toContain('users_email_key');
});

it.each([
  'No such index: choose one from 1 to 12',
  'Your role does not exist any more; ask the owner of the project',
  'Permission denied for this project',
])('a sentence for callers is told: %s', async (text) => {
  expect((await said(new Error(text)))[1]).toContain(text);
});
