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
])('%s', async (text) => {
  expect(await said(new Error(text))).toEqual(['misconfigured', MISCONFIGURED]);
});

it.each<readonly [string, object]>([
  ['relation "orders" does not exist', { table: 'orders' }],
  ['no such column: salary', { sort: 'salary' }],
  ['No such bucket: my-photos', { bucket: 'my-photos' }],
  ['no such table: audit_log', { sql: 'select * from audit_log' }],
])('that the caller named are not: %s', async (text, args) => {
  const [kind, words] = await said(new Error(text), args);
  expect([kind, words.startsWith(text)]).toEqual(['not_found', true]);
});
