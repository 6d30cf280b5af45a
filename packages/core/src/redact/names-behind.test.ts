/** The name of a secret may stand behind it. */
import { describe, expect, it } from 'vitest';
import { redact } from './index.ts';

const strictly = (text: string): string => redact(text, { level: 'strict' }).value;

describe('a value before its name goes', () => {
  it.each([
    ['"s3cr3t-Blue-77" is not a valid password', '"[password:1]" is not a valid password'],
    ['hunter2 is not a valid password', '[password:1] is not a valid password'],
    ['"sunshine" is too weak a password', '"[password:1]" is too weak a password'],
    ['"sunshine" is not a strong password', '"[password:1]" is not a strong password'],
    ['`hunter2` is the wrong password, try again', '`[password:1]` is the wrong password, try again'],
    ["value 'x9-qq' for field password", "value '[password:1]' for field password"],
    ['s3cr3t-Blue-77 given for password', '[password:1] given for password'],
    ['s3cr3t-Blue-77 was rejected as password', '[password:1] was rejected as password'],
    ['key=order-7, "pa55word" rejected as password', 'key=order-7, "[password:1]" rejected as password'],
    ['hunter2 cannot be used as a password here', '[password:1] cannot be used as a password here'],
    ['a8Kq2-x9Zt was sent for the field api_key', '[api-key:1] was sent for the field api_key'],
    ['a8Kq2-x9Zt is not a known API key', '[api-key:1] is not a known API key'],
    ['s3cr3t-Blue-77 does not match your password', '[password:1] does not match your password'],
    ['s3cr3t-Blue-77: invalid password', '[password:1]: invalid password'],
    ['s3cr3t-Blue-77 - bad password', '[password:1] - bad password'],
    ['s3cr3t-Blue-77 (password)', '[password:1] (password)'],
    ['ann (user), s3cr3t-Blue-77 (password)', 'ann (user), [password:1] (password)'],
    ['tried "hunter2" (password) and "x" (user)', 'tried "[password:1]" (password) and "x" (user)'],
    ['hunter2 is not a valid password for hunter2', '[password:1] is not a valid password for [password:1]'],
  ])('%s', (text, safe) => {
    expect(redact(text).value).toBe(safe);
    expect(strictly(text)).toBe(safe);
    expect(redact(safe).value).toBe(safe);
  });

  it.each([
    ['hunter2 (password)', '[password:1] (password)'],
    ['login failed: hunter2 (the password)', 'login failed: [password:1] (the password)'],
    ['jane42: wrong password', '[password:1]: wrong password'],
    ["'hunter2': wrong password", "'[password:1]': wrong password"],
  ])('where nobody wrote the words for anybody: %s', (text, safe) => {
    expect(strictly(text)).toBe(safe);
    expect(redact(text).value).toBe(text);
  });
});

describe('what is no value stays', () => {
  it.each([
    '"report-2026-q3" is not a valid file; password was not needed',
    'value "sha256" for field password_hash_algorithm',
    'Vault item "prod-db-01" is not a valid secret',
    '"my-secret-01" is not a valid secret name',
    'config "app-v2" is not a known token type',
    '"foo-bar-1" is not a valid key',
    'job-8812a rejected: password required',
    'server db-prod-7 (password)',
    'Step 2fa-check (token) failed',
    'Account acc-7712 (password reset pending)',
    'user jane42 is not allowed to change the password',
    'jane is not the right password owner',
    'This is not a valid password',
    'That is the wrong password',
    'The value entered was rejected as a password',
    '"password" is not a valid password',
    '[password:1] is not a valid password',
    '<your-password> is not a valid password',
    '"job-42" was used as token subject',
  ])('%s', (text) => {
    expect(redact(text).value).toBe(text);
    expect(strictly(text)).toBe(text);
  });
});

it('costs no more than the text is long', () => {
  for (const unit of [
    'a1b2c3d4 (password) ',
    '"x9" is not a valid ',
    'is not a password ',
    '"""""" (password)',
  ]) {
    const text = unit.repeat(20_000);
    const before = performance.now();
    redact(text, { level: 'strict' });
    expect(performance.now() - before).toBeLessThan(4000);
  }
});
