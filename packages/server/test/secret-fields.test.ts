/** What a validator, or an author, says of a field that holds a secret. */
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import { guard as guardV1 } from '../src/v1.ts';
import { said, thrownBy } from './thrown.ts';
import { askV1 } from './v1-fixture.ts';
import { connectRaw } from './wire.ts';

const SECRETS = ['hunter2zz', 'q7Zk29XbPm4TnV81', 'a8f5f167f44f4964e6c998dee827110c'];

function complaint(schema: z.ZodType, args: object): unknown {
  return schema.safeParse(args).error;
}

const NAMES = ['password', 'api_key', 'apiKey', 'token', 'otp', 'pin', 'client_secret', 'key', 'secretValue'];

const FORMS: readonly (readonly [string, (secret: string) => z.ZodType])[] = [
  ['literal', (secret) => z.literal(secret)],
  ['enum', (secret) => z.enum([secret, 'b'])],
  ['regex', (secret) => z.string().regex(new RegExp(`^${secret}$`))],
  ['startsWith', (secret) => z.string().startsWith(secret)],
  ['union', (secret) => z.union([z.literal(secret), z.literal('b')])],
];

describe.each(NAMES)('a validator in a handler, over %s', (name) => {
  it.each(FORMS)('does not tell what it expected: %s', async (_form, schema) => {
    for (const secret of SECRETS) {
      const args = { [name]: 'x' };
      const answer = await thrownBy(complaint(z.object({ [name]: schema(secret) }), args), args);
      expect(JSON.stringify(answer)).not.toContain(secret);
    }
  });
});

describe('a validator in a handler', () => {
  it('hides what looks like a secret under any name', async () => {
    const args = { code: 'x' };
    const secret = 'a8f5f167f44f4964e6c998dee827110c';
    const answer = await thrownBy(complaint(z.object({ code: z.literal(secret) }), args), args);
    expect(JSON.stringify(answer)).not.toContain(secret);
  });

  it('says that a secret is not accepted, and what its type or length must be', async () => {
    const over = async (schema: z.ZodType, args: object): Promise<string> =>
      (await said(complaint(schema, args), args))[1];
    expect(await over(z.object({ password: z.literal('hunter2zz') }), { password: 'x' })).toContain(
      'password: not accepted',
    );
    expect(await over(z.object({ password: z.string().min(12) }), { password: 'x' })).toContain('>=12');
    expect(await over(z.object({ token: z.string() }), { token: 7 })).toContain('expected string');
    expect(await over(z.object({ pin: z.number().max(4711) }), { pin: 9999 })).not.toContain('4711');
  });

  it.each(['color', 'sort_key', 'next_page_token'])('says what %s can be', async (name) => {
    const args = { [name]: 'x' };
    const [, words] = await said(complaint(z.object({ [name]: z.enum(['red', 'blue']) }), args), args);
    expect(words).toContain('"red"|"blue"');
  });
});

describe('a secret behind its word, in an exception', () => {
  it.each<readonly [string, string]>([
    ['Secret hunter2zz not found', 'hunter2zz'],
    ['Secret "hunter2zz" not found', 'hunter2zz'],
    ['API key Tr0ub4dor&3 not found', 'Tr0ub4dor&3'],
    ['Credential Summer2024! does not exist', 'Summer2024!'],
    ['User bob (password swordfish) not found', 'swordfish'],
    ['Login svc/q7Zk29XbPm4TnV81 not found', 'q7Zk29XbPm4TnV81'],
    ['Template password-hunter2zz not found', 'hunter2zz'],
    ['Branch token/hunter2zz not found', 'hunter2zz'],
  ])('goes: %s', async (text, secret) => {
    expect(JSON.stringify(await thrownBy(new Error(text)))).not.toContain(secret);
  });

  it.each<readonly [string, object]>([
    ['Secret stripe-prod not found', {}],
    ['Secret k8s-web not found', {}],
    ['Secret hunter2zz not found', { name: 'hunter2zz' }],
    ['Template password-reset not found', {}],
    ['Token USDC not found', {}],
    ['Account acme/production not found', {}],
  ])('stays where it is a name: %s', async (text, args) => {
    expect((await said(new Error(text), args))[1]).toContain(text);
  });
});

const S = 'q7Zk29XbPm4TnV81';
const RETURNED: readonly (readonly [string, string])[] = [
  [`password: ${S} must be longer`, S],
  [`api_key '${S}' must be 32 characters`, S],
  [`encryption key ${S} must be 32 bytes`, S],
  [`Signature mismatch: expected ${S}`, S],
  [`password '${S}' must be longer`, S],
  [`Password "${S}" must contain a digit`, S],
  [`token "${S}" is required to be longer`, S],
  [`secret '${S}' should be a string`, S],
  [`DB_PASSWORD "${S}" must be set`, S],
  [`api_key 'a8f5f167f44f4964e6c998dee827110c' must be 32 characters`, 'a8f5f167f44f4964e6c998dee827110c'],
  [`password 'hunter2zz' must be at least 12 characters`, 'hunter2zz'],
];

describe('a secret that is taken out of a returned failure', () => {
  const returning = (text: string) => async () => ({
    isError: true,
    content: [{ type: 'text' as const, text }],
  });

  it.each(RETURNED)('stands nowhere else in the answer: %s', async (text, secret) => {
    const v2 = guard(new McpServer({ name: 's', version: '1' }));
    v2.registerTool('t', {}, returning(text));
    const v1 = guardV1(new McpServerV1({ name: 's', version: '1' }));
    v1.registerTool('t', {}, returning(text));
    const call = { name: 't', arguments: {} };
    for (const answer of [
      await (await connectRaw(v2)).ask('tools/call', call),
      await askV1(v1, 'tools/call', call),
    ])
      expect(JSON.stringify(answer)).not.toContain(secret);
  });
});

const FIELDS = [
  ...[
    'password',
    'pw',
    'pass',
    'passcode',
    'pin',
    'otp',
    'auth',
    'credentials',
    'key',
    'apiKey',
    'x-api-key',
    'sig',
    'hash',
  ],
  ...[
    'clientSecret',
    'tokens',
    'jwt',
    'bearer',
    'authorization',
    'cookie',
    'session',
    'csrf',
    'access_code',
    'accessCode',
  ],
  ...[
    'unlock_code',
    'admin_code',
    'invite_code',
    'pwd',
    'password_confirmation',
    'mfa',
    'totp',
    'security_answer',
  ],
];

function answeredWith(status: number, data: unknown): Error {
  return Object.assign(new Error(`Request failed with status code ${status}`), {
    isAxiosError: true,
    response: { status, headers: {}, data },
  });
}

/** The same complaint, as other validators and backends make it. */
const OTHERS: readonly (readonly [string, (name: string, secret: string) => Error])[] = [
  [
    'Yup',
    (name, secret) =>
      Object.assign(new Error(`${name} must be one of the following values: ${secret}`), {
        name: 'ValidationError',
        path: name,
        type: 'oneOf',
        errors: [`${name} must be one of the following values: ${secret}`],
        inner: [],
        value: { [name]: 'x' },
      }),
  ],
  [
    'Joi',
    (name, secret) =>
      Object.assign(new Error(`"${name}" must be [${secret}]`), {
        name: 'ValidationError',
        isJoi: true,
        details: [{ message: `"${name}" must be [${secret}]`, path: [name], type: 'any.only' }],
      }),
  ],
  [
    'FastAPI',
    (name, secret) =>
      answeredWith(422, {
        detail: [
          { loc: ['body', name], msg: `Input should be '${secret}'`, type: 'literal_error', input: 'x' },
        ],
      }),
  ],
  [
    'Rails',
    (name, secret) =>
      answeredWith(422, { message: 'Validation failed', errors: { [name]: [`must be ${secret}`] } }),
  ],
  ['an author', (name, secret) => new Error(`Invalid ${name}: expected "${secret}", got "x"`)],
];

describe.each(OTHERS)('%s, in a handler', (_who, complain) => {
  it.each(FIELDS)('does not tell what %s should have been', async (name) => {
    for (const secret of SECRETS) {
      const answer = await thrownBy(complain(name, secret), { [name]: 'x' });
      expect(JSON.stringify(answer)).not.toContain(secret);
    }
  });
});

describe('in plain words', () => {
  it.each([
    'Wrong password (expected "hunter2zz", got "x")',
    'Wrong password, expected hunter2zz',
    'Secret is wrong: hunter2zz',
    'SECRET_KEY_BASE hunter2zz is too short',
    'private_key hunter2zz is invalid',
    'Invalid OTP: expected q7Zk29XbPm4TnV81',
    '2FA code q7Zk29XbPm4TnV81 is invalid',
    'PASSWORD\nq7Zk29XbPm4TnV81\nis invalid',
  ])('a secret is not told: %s', async (words) => {
    const answer = JSON.stringify(await thrownBy(new Error(words), { password: 'x' }));
    for (const secret of SECRETS) expect(answer).not.toContain(secret);
  });

  it.each([
    'status must be one of open, closed',
    'status must be one of the following values: open, closed',
    'password must be at least 12 characters',
    'token must be a string',
    'sort_key must be one of name, date',
    'commit_hash must be one of abc, def',
  ])('anything else is: %s', async (words) => {
    const [, text] = await said(new Error(words), { status: 'x' });
    expect(text).toContain(words);
  });
});

describe('over a field that holds a secret', () => {
  it.each([
    'User validation failed: password: Path `password` is shorter than the minimum allowed length (20).',
    'Variable "$password" is invalid; Expected type Int.',
    'password is invalid: expected Int',
    'password must be at least 12 characters',
  ])('types and lengths are told: %s', async (text) => {
    expect((await said(new Error(text)))[1]).toContain(text);
  });

  it('no choice of many is told', async () => {
    const text = "error: option '--password <n>' is invalid. Allowed choices are alpha, beta.";
    expect((await said(new Error(text)))[1]).toContain('Allowed choices are [password:1], [password:2].');
    expect((await said(new Error('token must be one of alpha, beta or gamma')))[1]).toContain(
      'token must be one of [token:1], [token:2] or [token:3]',
    );
  });

  it('what one place gives away goes from the others', async () => {
    const text = `'hunter2correctZ' is too short\n\nOn instance['password']:\n    'hunter2correctZ'`;
    expect(JSON.stringify(await thrownBy(new Error(text)))).not.toContain('hunter2correctZ');
  });
});
