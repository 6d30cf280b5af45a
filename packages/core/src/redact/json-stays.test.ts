import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BENIGN, INTERNALS, PERSONAL, SECRETS } from '../../../../bench/redact-cases.ts';
import { createRandom, expand } from '../../../../bench/redact-random.ts';
import { runs } from '../../../../test/runs.ts';
import { redact } from './index.ts';

/** Texts whose findings go to the end of a line, of a quoted text or of a statement. */
const OPEN_ENDED = [
  'Enter password:',
  'Missing password:',
  'API key:',
  'Token =',
  'FTP login failed: PASS ftpPw77!',
  'AUTH default r3disPw77',
  'net use failed: net use Z: \\\\srv\\x /user:bob sm8Pw77',
  'SELECT * FROM users WHERE id = 5',
  "UPDATE users SET name = 'Franz'",
  'Failed query: select name from users limit 5',
  "NoMethodError: undefined method `name' for nil\n\tfrom /srv/app/lib/user.rb:12:in `label'",
  'Error\n#0 /var/www/html/public/index.php(12): App\\Repo->get(5)\n#1 {main}',
  'System.NullReferenceException: x\n   at Acme.Shop.Place(Order o) in C:\\build\\src\\Shop.cs:line 88',
  '** (KeyError) key :id not found in: %{}\n    (acme 0.1.0) lib/acme/user.ex:22: Acme.User.id/1',
  'panic: x\n\ngoroutine 1 [running]:\nmain.pick(...)\n\t/srv/app/main.go:14',
  'Set-Cookie: sid=abc123def456; Path=/',
  'ACME\\bruce',
  'pin 123456 \\',
];
const seed = fc.integer({ min: 1, max: 1e9 });
const saying = fc.oneof(
  { arbitrary: fc.constantFrom(...OPEN_ENDED), weight: 3 },
  {
    arbitrary: fc
      .tuple(fc.constantFrom(...SECRETS, ...PERSONAL, ...INTERNALS, ...BENIGN), seed)
      .map(([text, n]) => expand(text, createRandom(n)).replace(/[⟦⟧]/g, '')),
    weight: 3,
  },
  { arbitrary: fc.string(), weight: 1 },
);
const names = fc.constantFrom(
  'error',
  'code',
  'message',
  'query',
  'sql',
  'detail',
  'password',
  'hint',
  'data',
);
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    saying,
    fc.constantFrom<unknown>(500, 404, true, false, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4 }).map((inner) => JSON.stringify(inner)),
  ),
}));

/** The same value with every leaf that is no container gone. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value).map(([name, each]) => [name, shapeOf(each)]);
}

describe('JSON as text', () => {
  test.each([undefined, 2])(
    'stays JSON, with the names and the shape it had, with an indent of %s',
    (indent) => {
      fc.assert(
        fc.property(fc.dictionary(names, json, { minKeys: 1, maxKeys: 5 }), (value) => {
          const out = redact(JSON.stringify(value, null, indent)).value;
          expect(shapeOf(JSON.parse(out))).toEqual(shapeOf(value));
        }),
        { numRuns: runs(1500) },
      );
    },
  );

  test('in a string of JSON stays JSON too', () => {
    fc.assert(
      fc.property(fc.dictionary(names, saying, { minKeys: 1, maxKeys: 4 }), (value) => {
        const text = JSON.stringify({ status: 502, body: JSON.stringify(value) });
        const out = JSON.parse(redact(text).value) as { status: unknown; body: string };
        expect(out.status).toBe(502);
        expect(shapeOf(JSON.parse(out.body))).toEqual(shapeOf(value));
      }),
      { numRuns: runs(1000) },
    );
  });

  test.each([
    { message: 'Enter password:' },
    { error: 'Missing password:', field: 'x' },
    { query: 'SELECT * FROM users WHERE id = 5', error: 'canceling statement', code: '57014' },
    { sql: 'SELECT * FROM orders', error: 'relation "orders" does not exist', hint: 'Did you mean "order"?' },
  ])('stays as it is where nothing of it is secret: %j', (value) => {
    for (const text of [
      JSON.stringify(value),
      JSON.stringify(value, null, 2),
      JSON.stringify([JSON.stringify(value)]),
    ]) {
      expect(redact(text).value).toBe(text);
    }
  });

  test.each([
    ['FTP login failed: PASS ftpPw77!', 'FTP login failed: PASS [password:1]'],
    ["a\n\tfrom /srv/app/lib/user.rb:12:in `label'", 'a\n\t[stack:1]'],
    ["UPDATE users SET name = 'Franz'", "UPDATE users SET name = '[sql:1]'"],
  ])('loses what is found, and no member behind it: %s', (error, left) => {
    const text = JSON.stringify({ error, code: 500, retryable: false });
    expect(JSON.parse(redact(text).value)).toEqual({ error: left, code: 500, retryable: false });
  });

  test.each([
    { tokens: ['RlKmfxvxLBLT8iRZIAponsGTSsUVBAEs'] },
    { secrets: { stripe: 'mySt1ngVal9' } },
    { password: { old: '0ldPw77x' } },
    { passwords: ['p1Pw777', 'p2Pw777'] },
    { credentials: { username: 'bob', value: 'cr3dVal77' } },
  ])('is read as the value that it is inside of JSON too: %j', (inner) => {
    const once = JSON.parse(redact(JSON.stringify(inner)).value) as unknown;
    const text = JSON.stringify({ error: { message: JSON.stringify(inner) } });
    const { error } = JSON.parse(redact(text).value) as { error: { message: string } };
    expect(JSON.parse(error.message)).toEqual(once);
    expect(once).not.toEqual(inner);
  });

  test('printed by Python keeps its members behind a statement', () => {
    const text = `{'query': 'SELECT * FROM users WHERE id = 5', 'code': '57014', 'error': 'timeout'}`;
    expect(redact(text).value).toBe(text);
  });
});
