/** What the client library of a backend throws in a handler. */
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { connectRaw, faultIn, textOf } from './wire.ts';

const ID = 'c0ffee00-0000-4000-8000-000000000000';

async function thrownBy(reason: unknown, args: object = {}): Promise<Message> {
  const server = guard(new McpServer({ name: 's', version: '1' }), { correlationId: () => ID });
  server.registerTool('t', { inputSchema: z.looseObject({}) }, async () => {
    throw reason;
  });
  return (await connectRaw(server)).ask('tools/call', { name: 't', arguments: args });
}

const error = (message: string, members: object): Error => Object.assign(new Error(message), members);

const axios = (status: number, headers: object = {}): Error =>
  error(`Request failed with status code ${status}`, {
    name: 'AxiosError',
    code: status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE',
    status,
    response: { status, headers, data: '' },
  });

describe('an answer that a library turned into an exception', () => {
  it.each([
    ['axios, 429', axios(429, { 'retry-after': '7' }), 'rate_limited', 7000],
    ['axios, 503', axios(503, { 'retry-after': '7' }), 'unavailable', 7000],
    ['axios, 404', axios(404), 'not_found', undefined],
    [
      'got, 429',
      error('Request failed with status code 429', {
        name: 'HTTPError',
        code: 'ERR_NON_2XX_3XX_RESPONSE',
        response: { statusCode: 429, headers: { 'retry-after': '7' } },
      }),
      'rate_limited',
      7000,
    ],
    [
      'GitHub, 403 for a rate limit',
      error('API rate limit exceeded for installation', {
        name: 'HttpError',
        status: 403,
        response: { status: 403, headers: { 'retry-after': '60' } },
      }),
      'rate_limited',
      60_000,
    ],
  ])('%s', async (_, reason, kind, afterMs) => {
    const fault = faultIn(await thrownBy(reason));
    expect([fault['kind'], (fault['retry'] as { after_ms?: number }).after_ms]).toEqual([kind, afterMs]);
    expect(fault['executed']).toBe('maybe');
  });
});

describe('a wait that ended without an answer', () => {
  class APIConnectionTimeoutError extends Error {}
  it.each([
    ['axios', error('timeout of 300ms exceeded', { name: 'AxiosError', code: 'ECONNABORTED' })],
    ['OpenAI', new APIConnectionTimeoutError('Request timed out.')],
    ['fetch', new DOMException('The operation was aborted due to timeout', 'TimeoutError')],
    ['node-fetch', error('The operation was aborted.', { name: 'AbortError', type: 'aborted' })],
    [
      'a query',
      error('canceling statement due to statement timeout', {
        code: '57014',
        severity: 'ERROR',
        routine: 'x',
      }),
    ],
  ])('%s is a timeout', async (_, reason) => {
    expect(faultIn(await thrownBy(reason))).toMatchObject({ kind: 'timeout', executed: 'maybe' });
  });
});

describe('a backend that refuses the server’s own credentials', () => {
  const LACKS = 'The server lacks a setting; tell the user, do not retry.';

  it.each<[string, unknown, string]>([
    ['HTTP 401', axios(401), 'Request failed with status code 401'],
    [
      'OpenAI',
      error('401 Incorrect API key provided: sk-proj-1234', { status: 401, headers: new Headers() }),
      '401 Incorrect API key provided: [api-key:1]',
    ],
    [
      'Stripe',
      error('Invalid API Key provided: sk_test_x', {
        type: 'StripeAuthenticationError',
        statusCode: 401,
        headers: {},
      }),
      'Invalid API Key provided: sk_test_x',
    ],
    ['words alone', new Error('Invalid API key'), 'Invalid API key'],
    [
      'words that quote it',
      new Error('Login failed for api_key=sk-proj-1234abcd5678efgh'),
      'Login failed for api_key=[api-key:1]',
    ],
  ])('%s is the operator’s to mend, who may be the user', async (_, reason, words) => {
    const answer = await thrownBy(reason);
    expect(faultIn(answer)).toMatchObject({ kind: 'misconfigured', origin: 'server', reaction: 'terminal' });
    expect(textOf({ message: answer })).toBe(`${words}. ${LACKS}`);
  });

  const ACCOUNTS: readonly (readonly [string, unknown])[] = [
    [
      'PostgreSQL',
      error('password authentication failed for user "svc"', {
        code: '28P01',
        severity: 'FATAL',
        routine: 'auth_failed',
      }),
    ],
    [
      'MySQL',
      error("Access denied for user 'svc'@'10.0.0.5'", { code: 'ER_ACCESS_DENIED_ERROR', errno: 1045 }),
    ],
    ['MongoDB', error('Authentication failed.', { name: 'MongoServerError', code: 18 })],
    ['Redis', error('WRONGPASS invalid username-password pair or user is disabled.', { name: 'ReplyError' })],
    [
      'AWS',
      error('User: arn:aws:iam::123456789012:user/svc is not authorized to perform: s3:GetObject', {
        name: 'AccessDeniedException',
        $fault: 'client',
        $metadata: { httpStatusCode: 400 },
      }),
    ],
    ['Google', error('invalid_grant', { code: '400', status: 400, response: { status: 400, headers: {} } })],
  ];

  it.each(ACCOUNTS)('%s is the operator’s to mend, and not told', async (_, reason) => {
    const answer = await thrownBy(reason);
    expect(faultIn(answer)).toMatchObject({ kind: 'misconfigured', origin: 'server', reaction: 'terminal' });
    expect(textOf({ message: answer })).toBe(`Misconfigured. ${LACKS} Reference: ${ID}.`);
  });

  it('leaves it to the caller where it sent the credential itself', async () => {
    expect(faultIn(await thrownBy(axios(401), { api_key: 'x' }))).toMatchObject({ kind: 'unauthenticated' });
  });

  it('leaves it to the caller where the author says so', async () => {
    const spoken = error('Please sign in', { status: 401, statusCode: 401, expose: true });
    expect(faultIn(await thrownBy(spoken))).toMatchObject({ kind: 'unauthenticated' });
    expect(faultIn(await thrownBy(new Error('Please log in first')))).toMatchObject({
      kind: 'unauthenticated',
    });
  });
});

it('tells a database that is down or full from one that refuses a query', async () => {
  const of = async (code: string): Promise<unknown> =>
    faultIn(await thrownBy(error('x', { code, severity: 'FATAL', routine: 'x' })))['kind'];
  expect([await of('57P03'), await of('08006'), await of('53300'), await of('23505')]).toEqual([
    'unavailable',
    'unavailable',
    'overloaded',
    'internal',
  ]);
});

it.each([
  [400, 'max_tokens: too small', { type: 'error', error: { message: 'max_tokens: too small' } }],
  [404, 'model: opus-0 not found', { error: { message: 'model: opus-0 not found' } }],
  [429, 'slow down', { message: 'slow down' }],
])(
  'says what the body says where the sentence is a status and the body: %i %s',
  async (status, words, body) => {
    const sentence = `${status} ${JSON.stringify(body)}`;
    for (const members of [
      { status },
      { status, error: body },
      { status, headers: new Headers(), error: body },
    ])
      expect(textOf({ message: await thrownBy(error(sentence, members)) })).toMatch(
        new RegExp(`^${words}\\. (?!.*[{])`),
      );
  },
);
