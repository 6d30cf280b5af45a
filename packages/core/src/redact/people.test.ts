import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

describe('people', () => {
  test.each([
    ["Login failed for user 'ACME\\bruce'.", "Login failed for user 'ACME\\[user:1]'."],
    ["Login failed for user 'ACME\\alice'.", "Login failed for user 'ACME\\[user:1]'."],
    ['CORP\\tom : Logon failure: unknown user name', 'CORP\\[user:1] : Logon failure: unknown user name'],
    ['Login failed for user jdoe', 'Login failed for user [user:1]'],
    ['Access denied for user t.stark.', 'Access denied for user [user:1].'],
    ['login as mmuster failed: wrong password', 'login as [user:1] failed: wrong password'],
    ['su: Authentication failure for hpotter', 'su: Authentication failure for [user:1]'],
    ['530 Login incorrect for sstrange.', '530 Login incorrect for [user:1].'],
    ['Invalid login: alice.cooper from 7', 'Invalid login: [user:1] from 7'],
  ])('in failed logins go, in quotes or not: %s', (text, left) => {
    expect(redact(text).value).toBe(left);
  });

  test.each([
    ['NIR 1 85 05 78 006 084 91 invalide', 'NIR [id-number:1] invalide'],
    ['SVNR 1237 010180 unbekannt', 'SVNR [id-number:1] unbekannt'],
    ['Personalausweis L01X00T471 abgelaufen', 'Personalausweis [id-number:1] abgelaufen'],
    ['手机号 13812345678 已注册', '手机号 [phone:1] 已注册'],
    ['携帯番号「080-9876-5432」は無効です', '携帯番号「[phone:1]」は無効です'],
    ['account number 000123456789 not found', 'account number [iban:1] not found'],
    ['Konto 532013000 gesperrt', 'Konto [iban:1] gesperrt'],
    ['acct no. 12345678 not found', 'acct no. [iban:1] not found'],
  ])('are told by the label of their number: %s', (text, left) => {
    expect(redact(text).value).toBe(left);
  });

  test.each([
    ['Cookie: n6ui4bsOfWZEPxP4D85axnYXjbK53dD1', 'Cookie: [cookie:1]'],
    ['invalid session cookie: s:n6ui4bsOfWZEPxP4D85axn.R_SX9kd82jd', 'invalid session cookie: [cookie:1]'],
  ])('are known by a cookie without its name too: %s', (text, left) => {
    expect(redact(text).value).toBe(left);
  });

  test.each([
    'Permission denied for user settings',
    'Authentication failed for user input.',
    'Login failed for user root',
    'ERROR\\nlogin failed',
    'Cookie: missing',
    'account number is required',
    'syntax error at or near "FORM"',
    "You have an error in your SQL syntax near 'FORM users' at line 1",
  ])('are not in: %s', (text) => {
    expect(redact(text).value).toBe(text);
  });
});
