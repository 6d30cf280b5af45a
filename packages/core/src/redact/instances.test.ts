/** A machine and an instance of a server on it, where a domain and a user might stand. */
import { expect, it } from 'vitest';
import { redact } from './index.ts';

it.each([
  'server=⟦SQLPRD04⟧\\INST2; network path not found',
  'A network-related error occurred (provider: Named Pipes, server: ⟦FINSQL02⟧\\PAY)',
  'Server=⟦SQLPRD04⟧\\INST2;Database=shop',
  'Data Source=⟦SQLPRD04⟧\\INST2;Initial Catalog=shop',
  'data source=⟦SQLPRD04⟧\\SQLEXPRESS',
  'Could not connect to server ⟦SQLPRD04⟧\\INST2',
  'Cannot connect to ⟦SQLPRD04⟧\\INST2.',
  "Login timeout for server '⟦SQLPRD04⟧\\INST2'",
  'sqlcmd -S ⟦SQLPRD04⟧\\INST2 failed',
  'host=⟦SQLPRD04⟧\\INST2',
  'Failed to connect to ⟦SQLPRD04⟧\\INST2 in 15000ms',
  '{"server":"⟦SQLPRD04⟧\\\\INST2"}',
  'jdbc:sqlserver://⟦SQLPRD04⟧\\INST2:1433',
  'addr: ⟦SQLPRD04⟧\\INST2',
  'instance ⟦SQLPRD04⟧\\INST2 not found',
  'serverName=⟦SQLPRD04⟧\\INST2',
])('is a machine: %s', (marked) => {
  const { value } = redact(marked.replace(/[⟦⟧]/g, ''));
  expect(value).toBe(marked.replace(/⟦[^⟧]*⟧/, '[host:1]'));
});

it.each([
  "Login failed for user 'CORP\\⟦jdoe⟧'",
  'user=CORP\\⟦jdoe⟧',
  'The server CORP\\⟦jdoe⟧ has no rights',
])('is a user: %s', (marked) => {
  const { value } = redact(marked.replace(/[⟦⟧]/g, ''));
  expect(value).toBe(marked.replace(/⟦[^⟧]*⟧/, '[user:1]'));
});

it.each([
  'server=.\\SQLEXPRESS',
  'Server=localhost\\SQLEXPRESS',
  'Server=(local)\\INST',
  'Server=(localdb)\\MSSQLLocalDB',
  'server: C:\\data',
])('stays: %s', (text) => {
  expect(redact(text).value).toBe(text);
});
