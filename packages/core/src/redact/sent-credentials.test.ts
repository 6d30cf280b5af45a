/** What was sent as a credential, in whatever its name holds. */
import { describe, expect, it } from 'vitest';
import { beginningOf, sentCredentials } from './sent-credentials.ts';

const SECRET = 'callerSec-8Kd3mZq1Vw0P';

const isFound = (name: string, held: unknown, secret = SECRET): boolean =>
  sentCredentials({ name: 'act', arguments: { [name]: held } }).includes(secret);

const SHAPES: readonly (readonly [string, (secret: string) => unknown])[] = [
  ['itself', (secret) => secret],
  ['an object', (value) => ({ value })],
  ['an object beside its type', (value) => ({ type: 'bearer', value })],
  ['a list', (secret) => [secret]],
  ['a list of objects', (value) => [{ value }]],
];

describe.each(SHAPES)('as %s', (_shape, held) => {
  it.each(
    `api_token apiToken apitoken API_TOKEN api-token api_key access_token bot_token session_key sessionKey account_key accountKey
      password client_secret private_key token`.split(/\s+/),
  )('%s', (name) => {
    expect(isFound(name, held(SECRET))).toBe(true);
  });

  it.each(
    'pin otp totp mfa_code mfaCode cvv cvc security_code recovery_code backup_code verification_code'.split(
      ' ',
    ),
  )('%s', (name) => {
    expect(isFound(name, held('493817'), '493817')).toBe(true);
  });

  it('cookie', () => {
    expect(isFound('cookie', held(`sid=${SECRET}`))).toBe(true);
  });

  it.each(
    'pageToken next_page_token nextToken sync_token cursor session_id sessionId key sort_key public_key code area_code'.split(
      ' ',
    ),
  )('not %s', (name) => {
    expect(isFound(name, held(SECRET))).toBe(false);
  });

  it.each([
    ['userKey', 'ann-smith'],
    ['account_key', 'northwind-2024'],
    ['session_key', 'monday-standup'],
    ['project_key', 'APOLLO-11'],
    ['token', 'USDC'],
  ])('not what is the name of a thing: %s %s', (name, thing) => {
    expect(isFound(name, held(thing), thing)).toBe(false);
  });
});

it('tells what stands beside a secret in a list from it', () => {
  const found = sentCredentials({ pin: [{ value: '493817', label: 'front door', owner: 'ann-smith' }] });
  expect(found).toEqual(['493817']);
});

const beneath = (depth: number, held: unknown): unknown =>
  depth === 0 ? held : { spec: beneath(depth - 1, held) };

it.each([4, 5, 8, 60, 250])('beneath %d others', (depth) => {
  for (const name of ['password', 'api_token', 'private_key', 'authorization'])
    expect(sentCredentials(beneath(depth, { [name]: SECRET }))).toEqual([SECRET]);
  expect(sentCredentials(beneath(depth, [{ env: [{ name: 'DB_PASSWORD', value: SECRET }] }]))).toEqual([
    SECRET,
  ]);
});

it.each([400, 1000, 2500])('behind %d others', (count) => {
  const members = Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
  expect(sentCredentials({ ...members, password: SECRET })).toEqual([SECRET]);
  const rows = Array.from({ length: count }, (_, i) => ({ a: i, b: `${i}` }));
  expect(sentCredentials({ rows, login: { api_token: [{ value: SECRET }] } })).toEqual([SECRET]);
  expect(sentCredentials({ rows, env: [{ name: 'DB_PASSWORD', value: SECRET }] })).toEqual([SECRET]);
});

it('has no members but own ones', () => {
  const sent = JSON.parse(`{"__proto__":{"password":"${SECRET}"},"constructor":{"token":"${SECRET}2"}}`);
  expect(sentCredentials(sent)).toEqual([SECRET, `${SECRET}2`]);
  expect(Object.keys(beginningOf(sent) as object)).toEqual(['__proto__', 'constructor']);
  expect(({} as { password?: string }).password).toBeUndefined();
});

it('takes no longer than it has to', () => {
  const nested = (depth: number): unknown => (depth === 0 ? { value: 'x' } : [nested(depth - 1)]);
  const many = Array.from({ length: 50_000 }, (_, i) => ({ value: `${i}` }));
  const before = performance.now();
  sentCredentials({ otp: many, pin: nested(2000), api_token: many });
  expect(performance.now() - before).toBeLessThan(1500);
});
