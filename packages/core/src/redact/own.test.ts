import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

const SHA = '3f2a9c1d4e5b6a7f8091a2b3c4d5e6f708192a3b';

describe('what the reader wrote himself', () => {
  test.each([
    [`Nothing at ${SHA}`, SHA],
    ['No order for ada@example.com', '{"email":"ada@example.com"}'],
    ['no such file /home/ada/x.txt', 'cat /home/ada/x.txt'],
    ['no answer of http://db.internal:8080/x', 'db.internal'],
    ['near "FORM users": syntax error', 'SELECT * FORM users'],
    ['Session 7c9e6679-7425-40de-944b-e07fc1f90ae7 not found', '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
    [
      'Token 0x6B175474E89094C44Da98b954EedeAC495271d0F not found',
      '0x6B175474E89094C44Da98b954EedeAC495271d0F',
    ],
    ['Phone number +491701234567 is invalid', '+49 170 1234567'],
    ['IBAN DE89370400440532013000 not found', 'de89 3704 0044 0532 0130 00'],
  ])('stays: %s', (text, own) => {
    expect(redact(text, { level: 'strict', own: [own] }).value).toBe(text);
    expect(redact(text, { level: 'strict', own: ['something else'] }).value).not.toBe(text);
  });

  test.each([
    ['password=hunter2hunter2', 'hunter2hunter2'],
    ['password hunter2hunter2 is wrong', 'hunter2hunter2'],
    ['token=a8Kq2x9Zt4mW7rB5', 'a8Kq2x9Zt4mW7rB5'],
    ['Token a8Kq2x9Zt4mW7rB5 not found', 'x a8Kq2x9Zt4mW7rB5'],
    ['Phone number +491701234567 is invalid', 'call +49 170 1234568'],
    ['Session 7c9e6679-7425-40de-944b-e07fc1f90ae7 not found', 'x 7c9e6679-7425-40de-944b-e07fc1f90ae7'],
    ['Authorization: Session 7c9e6679-7425-40de-944b-e07fc1f90ae7', '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
    ['using ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
    ['postgres://app:hunter2@example.com/x', 'postgres://app:hunter2@example.com/x'],
  ])('goes where it is a secret: %s', (text, own) => {
    expect(redact(text, { own: [own] })).toEqual(redact(text));
  });

  test('is a word of its own, not a part of one by chance', () => {
    expect(redact('mail to ada@example.com', { own: ['canada@example.com'] }).value).toBe(
      'mail to [email:1]',
    );
    expect(redact('mail to ada@example.com', { own: ['(ada@example.com)'] }).value).toBe(
      'mail to ada@example.com',
    );
  });

  test('is not looked for in what others wrote beside it', () => {
    const text = 'ada@example.com, bob@example.com';
    expect(redact(text, { own: ['ada@example.com'] }).value).toBe('ada@example.com, [email:1]');
  });
});

describe('at the strict level', () => {
  test.each([
    'claude-3-opus-20240229',
    'text-embedding-3-large',
    'Payment pay_7Hq2ZpL9xR4mWt6KcV1bNs8J',
    'job id: 7Hq2ZpL9xR4mWt6KcV1bNs8J',
    'etag W/"a1b2c3d4e5f6a7b8c9d0"',
    'ch_3MtwBwLkdIwHu7ix0snN0B15',
  ])('a public name stays: %s', (text) => {
    expect(redact(text, { level: 'strict' }).value).toBe(text);
  });

  test.each([
    'key 7Hq2ZpL9xR4mWt6KcV1bNs8J',
    'left 7Hq2ZpL9xR4mWt6KcV1bNs8J',
    'session_7Hq2ZpL9xR4mWt6KcV1bNs8J',
    'xkcd-9f8e-ab12-zz09-qwrt-1234',
  ])('a random word does not: %s', (text) => {
    expect(redact(text, { level: 'strict' }).value).not.toBe(text);
  });
});

test('a licence key is one, whatever it is made of', () => {
  expect(redact('license key ABCD-EFGH-IJKL-MNOP is invalid').value).toBe(
    'license key [api-key:1] is invalid',
  );
});
