import { createRandom } from './redact-random.ts';

/** An ordinary, clean error message. */
const CLEAN =
  'The request could not be completed because the upstream service did not answer in time. Try again in a few seconds, or narrow the query to fewer rows; the limit is 500 items for each page. Error code 504, attempt 3 of 5, request 7f3c2a10-55aa-4c0e-9d1e-0f2b6a7c8d9e at 2026-11-15T02:10:30.123Z.\n';

/** So many characters of clean messages, no two of them alike: what only repeats itself is not read to its end. */
export function cleanText(size: number): string {
  let text = '';
  for (let count = 1; text.length < size; count++) {
    text += CLEAN.replace('500', `${count}`).replace('attempt 3', `attempt ${count % 7}`);
  }
  return text.slice(0, size);
}

/**
 * A part over and over, at random with a blank between, or with one of the other parts in its place: no stretch of it is a
 * repetition of another.
 */
export function inDisorder(part: string, size: number, others: readonly string[] = []): string {
  const random = createRandom(5);
  const parts = [part, ...others];
  let text = '';
  while (text.length < size) {
    const next = parts[Math.floor(random() * parts.length)] ?? part;
    text += random() < 0.5 || others.length > 0 ? next : `${next} `;
  }
  return text;
}

/** Pieces that, repeated, wake a rule at every step without ever satisfying it, or satisfy it all the time. */
export const ADVERSARIAL: readonly string[] = [
  'a',
  '1',
  ' ',
  '\n',
  '(',
  '[',
  '"',
  '\\',
  '/',
  ':',
  '=',
  '@',
  '.',
  '-----',
  'password=',
  'password="',
  'password: ',
  "password='\\",
  'token key ',
  'key (',
  'secret is ',
  'Authorization: ',
  'Cookie: ',
  'Bearer ',
  'Basic ',
  'eyJ',
  'eyJ.',
  'ghp_',
  'sk-',
  'AKIA',
  'datadog ',
  'a1B2',
  `${'a1B2'.repeat(4)} `,
  '1.1',
  '1.1.1.1',
  '1111 ',
  '4111111111111111',
  '4111-1111-',
  'GB82',
  '123-45-',
  '+1 ',
  'tel ',
  'ssn ',
  'x@',
  '@a.b',
  'a@b.c',
  '::',
  'fd00:',
  '://',
  'http://a:b',
  '.internal',
  '/home/',
  'C:\\Users\\',
  ' -p',
  'mysql -p',
  'at ',
  ' at (',
  '\n    at f (',
  '\\n    at ',
  '\n at ',
  'File "',
  '\n  File "x", line 1\n',
  '#0 ',
  '\n0: ',
  'goroutine ',
  'select ',
  'where ',
  "SELECT a FROM t WHERE x='",
  "values ('",
  "near '",
  'Duplicate entry ',
  '%3d',
  '%70',
  '\\u0022',
  '-----BEGIN RSA PRIVATE KEY-----',
  '[api-key:1]',
  '[token:',
  '$2a$',
  'hooks.slack.com/',
  '{"a":',
  '.php',
  'Set-Cookie: a=b\n',
  'password=a1b2c3d4 ',
  'ghp_a1b2c3d4e5f6a1b2c3d4e5f6 ',
  '<password>',
  '?key=',
  '&sig=',
  'пароль',
  '密码',
  '\ud800',
  '\u0000',
];
