/** Secrets that a line break goes through, at every place, and what only looks like one without its line breaks. */
import { describe, expect, it } from 'vitest';
import { redact } from './index.ts';

const SECRETS: readonly (readonly [name: string, before: string, secret: string, after: string])[] = [
  ['a connection string', 'postgres://svc:', 'hunter2Pass9', '@10.0.0.5:5432/prod'],
  ['one with a cluster', 'mongodb+srv://svc:', 'hunter2Pass9', '@cluster0.abcd.mongodb.net/x'],
  ['a login', 'Authorization: Bearer ', 'q7Lm2Xv9Rt4Kp8Zw3Ns6Hd1Bf5Gj0Yc2Ta7Ue4Wi', ''],
  ['a key of AWS', 'aws_secret_access_key=', 'q7Lm2Xv9Rt4Kp8Zw3Ns6Hd1Bf5Gj0Yc2Ta7Ue4Wi', ''],
  ['a password', 'password=', 'Tr0ub4dor3xQ', ''],
  ['a password in quotes', '"password": "', 'Tr0ub4dor3xQ', '"'],
  [
    'a JWT',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.',
    'q7Lm2Xv9Rt4Kp8Zw3Ns6Hd1Bf5Gj0Yc2Ta7Ue4WiLp6',
    '',
  ],
  ['a key of OpenAI', 'sk-proj-', 'q7Lm2Xv9Rt4Kp8Zw3Ns6Hd1Bf5Gj0Yc2Ta7Ue4WiLp6Mx9Qz', ''],
  ['a token of npm', 'npm_', 'q7Lm2Xv9Rt4Kp8Zw3Ns6Hd1Bf5Gj0Yc2Ta7', ''],
];
/** So many letters in a row are too many. */
const TOO_MANY = 8;

/** The letters of a secret that are left in a row, wherever it was cut. */
function left(before: string, secret: string, after: string, gap: string): string[] {
  const whole = before + secret + after;
  const cuts = Array.from({ length: before.length + secret.length - 1 }, (_, index) => index + 1);
  return cuts
    .filter((at) => {
      const { value } = redact(`Order 7 not found: ${whole.slice(0, at)}${gap}${whole.slice(at)} end`);
      const flat = value.replaceAll(gap, '');
      return Array.from({ length: secret.length - TOO_MANY + 1 }, (_, from) =>
        secret.slice(from, from + TOO_MANY),
      ).some((part) => flat.includes(part));
    })
    .map((at) => `${whole.slice(0, at)}⏎${whole.slice(at)}`);
}

describe.each(SECRETS)('%s', (_, before, secret, after) => {
  it.each(['\n', '\r\n'])('goes wherever %j cuts it', (gap) => {
    expect(left(before, secret, after, gap)).toEqual([]);
  });
});

it.each([
  ['x postgres://svc:hunte\n| r2Pass9@10.0.0.5:5432/prod', 'r2Pass9'],
  ['x postgres://svc:hunte\n> r2Pass9@10.0.0.5:5432/prod', 'r2Pass9'],
  ['password=Tr0\n> ub4dor3xQ', 'ub4dor3xQ'],
])('the margin of a table or of a quote is no part of it: %j', (text, rest) => {
  expect(redact(text).value).not.toContain(rest);
});

it('a break right behind the quote is no part of it', () => {
  expect(redact('refused for "client_secret": "\nq7Lm2Xv9Rt4Kp8Zw3Ns6Hd1B" today').value).toBe(
    'refused for "client_secret": "\n[secret:1]" today',
  );
});

it.each([
  'password:\nmust be longer',
  '"message": "\nabc7def8"',
  '"title": "\nSK16c7"',
  'password\nmust be longer than 8 characters',
  'token\nexpired',
  'Invalid token\nrequest r7f3 was refused',
  'token: expired\nretry after 30s',
  'password: required\n2fa: required',
  'password is wrong\n3 attempts left',
  'password=\nusername=bob7',
  '- password\n- token2\n- name',
  'the secret\nkey=users:7 was not found',
  'see http://status.example.com:8080\nfor news',
  'status=failed\n3f9a2c1b was rolled back',
  'Error: bad token\n2026-11-18T10:00:00Z retry',
  'api_key is missing\nv2 wants one',
  'TypeError: token is undefined\nNode18 is needed',
  'step=build\nstep2=test',
  'GET /a: 200\nGET /b2: 404',
  'key: value\nkey2: value2',
  'name: web\nimage: nginx:1.27',
  'commit: fix\n16c7e42f292c6912e7710c838347ae178b4a0000',
])('stays: %j', (text) => {
  expect(redact(text)).toEqual({ value: text, findings: [] });
});

it.each([
  ['password=hunter2x9\nRetry later', 'password=[password:1]\nRetry later'],
  ['password=hunter2x9\nuser=bob', 'password=[password:1]\nuser=bob'],
  ['password=hunter2x9\n3 attempts left', 'password=[password:1]\n3 attempts left'],
  ['password=hunter2x9\n2026-11-18 10:00 retry', 'password=[password:1]\n2026-11-18 10:00 retry'],
  ['password=hunter2x9\nmain2.js was built', 'password=[password:1]\nmain2.js was built'],
  ['token: a1B2c3D4e5F6g7H8i9J0kL\nHTTP 401', 'token: [token:1]\nHTTP 401'],
])('what follows a whole secret stays: %j', (text, expected) => {
  expect(redact(text).value).toBe(expected);
});

it('is as fast for many lines', () => {
  const line = 'password=Tr0ub4dor3xQ:x\nabc7def8 postgres://a:b\n';
  const time = (count: number): number => {
    const text = line.repeat(count);
    const from = performance.now();
    redact(text);
    return performance.now() - from;
  };
  time(500);
  expect(time(8000)).toBeLessThan(Math.max(16 * 6 * time(500), 4000));
});
