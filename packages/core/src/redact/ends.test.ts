import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

/** What a message may stand in, with what follows it there. */
const AROUND: ReadonlyArray<readonly [before: string, after: string]> = [
  ['<error><message>', '</message><code>500</code></error>'],
  ['<soap:Fault><faultstring>', '</faultstring><detail>x</detail></soap:Fault>'],
  ['Tool failed (', ') with code 500 on attempt 3'],
  ['Tool failed (', '), attempt 3'],
  ['level=error msg="', '" code=500 attempt=3'],
  ["{'error': '", "', 'code': 500, 'retryable': False}"],
];

const FINDINGS = [
  'redis: AUTH default k7Hq2mZx9',
  'FTP: PASS k7Hq2mZx9',
  'a1 LOGIN jane k7Hq2mZx9',
  'machine api.example.com login jane password k7Hq2mZx9',
  'sqlcmd -S db -U sa -P k7Hq2mZx9',
  'invalid token ghp_16C7e42F292c6912E7710c838347Ae178B4a',
  'Cannot deliver to +43 660 1234567',
  'NoMethodError: undefined method\\n\\tfrom /srv/app/lib/user.rb:12:in `label`',
  'boom\\n#0 /srv/app/x.php(12): App->run()\\n#1 {main}',
];

describe('what a message stands in', () => {
  test.each(AROUND)('stays whatever is found in the message: %s…%s', (before, after) => {
    for (const found of FINDINGS) {
      const left = redact(before + found + after).value;
      expect(left).not.toContain('k7Hq2mZx9');
      expect(left).not.toContain('/srv/app');
      expect(left).not.toBe(before + found + after);
      expect(left.endsWith(after)).toBe(true);
    }
  });

  test.each([
    ['password="a</b>c9" is wrong', 'password="[password:1]" is wrong'],
    [
      'jwt malformed: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl. Sign in again.',
      'jwt malformed: [jwt:1]. Sign in again.',
    ],
    ['Error: x\n    at f (/srv/a.js:1:2)\n    at g (/srv/b.js:3:4)', 'Error: x\n    [stack:1]'],
  ])('is not taken for the end of a secret: %s', (text, left) => {
    expect(redact(text).value).toBe(left);
  });
});

test('the quotes of a printed map are no value of the name before them', () => {
  for (const text of [
    "{'error': 'Enter password:', 'code': 500, 'retryable': False}",
    "['Missing token:', 'Missing secret:', 'x']",
  ]) {
    expect(redact(text).value).toBe(text);
  }
});

test('a statement in a printed map ends before the next member', () => {
  expect(redact("{'error': 'INSERT INTO p VALUES (\"Ada\")', 'code': 500, 'retryable': False}").value).toBe(
    "{'error': 'INSERT INTO p VALUES (\"[sql:1]\")', 'code': 500, 'retryable': False}",
  );
});
