import { expect, it } from 'vitest';
import { meantAmong } from './meant.ts';

const SERVERS = ['db1', 'db2', 'eu', 'us', 'bank', 'bank-a', 'bank-b', 'test', 'shop-test', 'files'];

it.each([
  ['db1_write', ['db2_write']],
  ['eu_write', ['us_write']],
  ['bank-a_write', ['bank-b_write', 'bank_write']],
  ['bank-c_write', ['bank-b_write', 'bank_write']],
  ['test_write', ['shop-test_write', 'test_die']],
  ['db3_write', ['db1_write', 'db2_write']],
  ['dbwrite', ['db1_write']],
  ['fles_read', ['files_read']],
  ['files_get', ['files_set']],
  ['files_read_1', ['files_read_2']],
  ['files_gone', ['files_gone', 'files_gonee']],
  ['files', ['files_read']],
  ['east_write', ['west_write']],
  ['eu1_write', ['eu2_write']],
  [`files_${'a'.repeat(100_000)}`, ['files_read']],
  ['', ['files_read']],
])('%#: leads to no other server, and to no other tool: %s', (wrong, known) => {
  expect(meantAmong(SERVERS)(wrong, known)).toBeUndefined();
});

it.each([
  ['db1_wirte', ['db2_wirte', 'db1_write'], 'db1_write'],
  ['files_raed', ['files_read', 'db1_read'], 'files_read'],
  ['files.read_file', ['files_read_file'], 'files_read_file'],
  ['filesReadFile', ['files_read_file'], 'files_read_file'],
  ['Files_readfile', ['files_read_file'], 'files_read_file'],
  ['files_read_text', ['files_read_text_file'], 'files_read_text_file'],
  ['bank_payy', ['bank_pay', 'bank-a_pay'], 'bank_pay'],
  ['bank-a_payy', ['bank_pay', 'bank-a_pay'], 'bank-a_pay'],
  ['lok', ['look', 'files_look'], 'look'],
])('%#: finds what was meant by %s', (wrong, known, meant) => {
  expect(meantAmong(SERVERS)(wrong, known)).toBe(meant);
});
