/** Secrets that a name beside, above or before them gives away: in values, in JSON as text, in tables and sentences. */
import { describe, expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { redact } from './index.ts';

const P = 'Tr0ub4dor&3';
const Q = 'hunter2Correct9x';

const VALUES: ReadonlyArray<readonly [string, unknown]> = [
  [
    'a header row',
    [
      ['user', 'password'],
      ['ann', P],
    ],
  ],
  [
    'a header row under a key',
    {
      rows: [
        ['id', 'user', 'password'],
        [1, 'ann', P],
      ],
    },
  ],
  ['columns as objects', { columns: [{ name: 'user' }, { name: 'password' }], rows: [['ann', P]] }],
  ['fields of a driver', { fields: [{ name: 'id' }, { name: 'api_key' }], rows: [[1, Q]] }],
  ['keys and values', { keys: ['id', 'secret'], values: [1, Q] }],
  ['one row', { columns: ['id', 'secret'], row: [1, Q] }],
  ['const', { properties: { password: { type: 'string', const: P } } }],
  ['default', { properties: { password: { type: 'string', default: P } } }],
  ['enum', { properties: { password: { type: 'string', enum: [P] } } }],
  ['examples', { properties: { apiKey: { examples: [P], description: 'x' } } }],
  ['a current value', { password: { current: P } }],
  ['name and default', { name: 'password', default: P }],
  ['field and expected', { field: 'password', expected: P }],
  ['field and got', { field: 'password', got: P }],
  ['k and v', { k: 'password', v: P }],
  ['a change', { field: 'password', from: 'a', to: P }],
  ['a change by attribute', { attribute: 'password', before: 'x', after: P }],
  ['a change under the name', { password: { old: P, new: 'x' } }],
  ['a telling label after another', { name: 'ann', field: 'password', got: P }],
  ['a map of secrets', { secrets: { db: Q } }],
  ['a map of passwords', { passwords: { ann: 'swordfish', bob: Q } }],
  ['a map of credentials', { credentials: { ann: Q } }],
  ['a list of records', { secrets: [{ name: 'db', value: Q }] }],
  ['a Kubernetes secret', { kind: 'Secret', stringData: { any: Q } }],
  ['a Kubernetes secret in base64', { kind: 'Secret', data: { any: 'aHVudGVyMkNvcnJlY3Q5eA==' } }],
  ['an output of Terraform', { sensitive: true, type: 'string', value: Q }],
  ['what a statement was run with', { sql: 'UPDATE users SET password=$1 WHERE id=$2', parameters: [Q, 7] }],
  ['a variable of GraphQL', { query: 'mutation($p:String!){login(password:$p)}', variables: { p: Q } }],
  ['a sentence under the name', { password: [`Ensure this value is ${P}.`] }],
  ['a sentence beside the name', { field: 'password', message: `must be ${P}` }],
  ['a message that names it', { message: 'Invalid password', details: { rejected: P } }],
];

describe.each(VALUES)('%s', (_what, value) => {
  const secret = /Tr0ub4dor|hunter2|aHVudGVy|swordfish/;
  it('goes from a value', () => expect(JSON.stringify(redact(value).value)).not.toMatch(secret));
  it('goes from JSON as text', () => expect(redact(JSON.stringify(value)).value).not.toMatch(secret));
  it('goes from JSON in a sentence, also cut off', () => {
    const text = `Not found: ${JSON.stringify(value, undefined, 2)}`;
    expect(redact(text).value).not.toMatch(secret);
    const cut = text.slice(
      0,
      text.search(secret) +
        (text.match(/Tr0ub4dor&3|hunter2Correct9x|aHVu[\w=]+|swordfish/)?.[0].length ?? 0),
    );
    expect(redact(cut).value).not.toMatch(secret);
  });
  it('goes once', () => {
    const once = redact(value).value;
    expect(redact(once)).toEqual({ value: once, findings: [] });
    const text = redact(JSON.stringify(value)).value;
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });
});

it('the owner stays where the password goes', () => {
  expect(redact(`{"passwords":{"ann":"${Q}"}}`).value).toBe('{"passwords":{"ann":"[password:1]"}}');
  expect(redact({ passwords: { ann: Q } }).value).toEqual({ passwords: { ann: '[password:1]' } });
});

it.each([
  `mysql -u root -p'${P}'`,
  `mysql -u root -p "${P}" db`,
  `The API key you gave (${P}) is not valid, expected one of your team's`,
  `Login failed for ann/${P}: account not found`,
  'The API key you gave (hunter2correct!) is not valid',
  'Passwort ist falsch: hunter2correct!; nicht gefunden',
  `tried ann:${Q} but access denied`,
  `Signature mismatch: computed ${P} but got abc; permission denied`,
  `Passwort ist falsch: ${P}; nicht gefunden`,
  `The password is\n"${P}"`,
  `client_secret ${Q} does not match`,
  `The secret ${Q} was rejected`,
  `The token you sent, ${Q}, is unknown`,
  `${Q} is not the right password`,
  `ann's password, ${Q}, has expired`,
  `recovery code ${Q} already used`,
  `Use ${Q} as the password`,
  `**Password:** ${Q}`,
  `**Password**: ${Q}`,
  `| key | value |\n|---|---|\n| password | ${Q} |`,
  `<tr><td>Password</td><td>${Q}</td></tr>`,
  `password = '''${Q}'''`,
])('goes from a text: %s', (text) => {
  const { value } = redact(text);
  expect(value).not.toMatch(/Tr0ub4dor|hunter2/);
  expect(redact(value)).toEqual({ value, findings: [] });
});

it('goes from the text after the one that names it', () => {
  const { value } = redact({
    content: [
      { type: 'text', text: 'The password is' },
      { type: 'text', text: `"${P}"` },
    ],
  });
  expect(JSON.stringify(value)).not.toContain('Tr0ub4dor');
});

it.each<[unknown]>([
  [
    {
      password: {
        type: 'string',
        minLength: 8,
        pattern: '^(?=.*[A-Z])(?=.*\\d).{8,}$',
        description: 'At least 8 characters',
      },
    },
  ],
  [{ password: ['Ensure this value has at least 8 characters.', 'Must contain 1 uppercase letter'] }],
  [
    {
      field: 'password',
      message: 'too short',
      code: 'too_small',
      minimum: 8,
      expected: 'string',
      received: 'undefined',
    },
  ],
  [{ name: 'get_token', description: 'Gets a token', version: '1.2.3' }],
  [{ name: 'api_key', in: 'header', type: 'apiKey', description: 'The key of your account' }],
  [{ credentials: { profile: 'dev1', region: 'us-east-1', user: 'ann42', source: 'env' } }],
  [{ token: { type: 'Bearer', expires_at: '2026-01-01T00:00:00Z', scope: 'read:users', expires_in: 3600 } }],
  [{ tokens: { prompt: 5, completion: 17, model: 'gpt-4o-mini' } }],
  [{ auth: { type: 'oauth2', flow: 'authorization_code', provider: 'okta-prod-2' } }],
  [{ secret: { name: 'projects/p1/secrets/db', replication: 'automatic', version: '3' } }],
  [{ secrets: [{ name: 'db-creds', namespace: 'prod' }] }],
  [
    [
      ['name', 'status'],
      ['web-1', 'CrashLoopBackOff'],
    ],
  ],
  [
    [
      ['type', 'password'],
      ['name', 'login-field'],
    ],
  ],
  [{ kind: 'Pod', data: { a: 'x1y2z3' } }],
  [{ message: 'Invalid date', received: '2026-13-01' }],
  [{ query: 'cats with 3 legs', values: ['a', 'b2'] }],
  [{ cookies: [{ name: 'theme', value: 'dark-2', domain: 'example.com' }] }],
  [{ primary_key: { column: 'id', type: 'int8' } }],
  [{ api: 'orders' }],
  [{ api: 'https://shop.example.com/api/v1' }],
  ['The token request rq_19aB33xx77 failed'],
  ['The secret prod-db-2 was not found'],
  ['The API key is not valid for project web-7'],
  ['**Password:** must have 8 characters'],
  ['| password | role |\n|---|---|'],
  ['{"password":{"minLength":8,"type":"string"},"orders":[{"id":"A1b2C3d4"}]}'],
  ['[info] started {"port":8080,"host":"web-1"}'],
])('stays: %j', (value) => {
  expect(redact(value)).toEqual({ value, findings: [] });
});

it('reads brackets without an end once', () => {
  const start = threadClock();
  redact('[{"password":['.repeat(50_000));
  redact('{"password":"'.repeat(50_000));
  redact({ rows: Array.from({ length: 20_000 }, () => ({ got: 'x1' })) });
  expect(threadClock() - start).toBeLessThan(20_000);
});

it('reads the label of a value from an object of fields', () => {
  const value = { fields: { name: 'password' }, current: 'hunter2zebra9' };
  expect(redact(value).value).toEqual({ fields: { name: 'password' }, current: '[password:1]' });
  expect(redact(JSON.stringify(value)).value).not.toContain('hunter2zebra9');
});
