import { describe, expect, it } from 'vitest';
import type { Kind } from '../kinds.ts';
import { readBody } from './index.ts';

/** Form, body, kind. */
const FORMS: readonly (readonly [string, unknown, Kind])[] = [
  ['google', { error: { code: 403, message: 'nope', status: 'PERMISSION_DENIED' } }, 'forbidden'],
  ['aws', { __type: 'ThrottlingException', message: 'Rate exceeded' }, 'rate_limited'],
  // What an error says of itself is no list of fields.
  ['json', { error: true, details: { message: 'No such row', code: 'nope' } }, 'not_found'],
  ['aws', { Code: 'NoSuchBucket', Message: 'gone' }, 'not_found'],
  ['azure', { error: { code: 'AuthorizationFailed', message: 'no' } }, 'forbidden'],
  ['odata', { error: { code: 'Request_ResourceNotFound', message: 'no', innerError: {} } }, 'not_found'],
  [
    'stripe',
    { error: { type: 'invalid_request_error', param: 'amount', message: 'Missing required param: amount.' } },
    'invalid_arguments',
  ],
  ['openai', { error: { type: 'authentication_error', message: 'no' } }, 'unauthenticated'],
  ['anthropic', { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'overloaded'],
  ['github', { message: 'Bad credentials', documentation_url: 'https://a.example' }, 'unauthenticated'],
  [
    'graphql',
    { errors: [{ message: 'no', locations: [], path: ['a'], extensions: { code: 'FORBIDDEN' } }] },
    'forbidden',
  ],
  ['atlassian', { errorMessages: ['Issue does not exist'], errors: {} }, 'not_found'],
  ['slack', { ok: false, error: 'channel_not_found' }, 'not_found'],
  ['telegram', { ok: false, error_code: 403, description: 'Forbidden: bot was kicked' }, 'forbidden'],
  ['notion', { object: 'error', status: 409, code: 'conflict_error', message: 'no' }, 'conflict'],
  ['discord', { message: 'no', code: 10_003 }, 'not_found'],
  ['json-api', { errors: [{ status: '404', title: 'no', detail: 'no' }] }, 'not_found'],
  ['problem', { type: 'about:blank', title: 'no', status: 409 }, 'conflict'],
  [
    'zod',
    [{ code: 'invalid_type', expected: 'string', path: ['a'], message: 'Required' }],
    'invalid_arguments',
  ],
  [
    'ajv',
    [{ instancePath: '/a', schemaPath: '#/a', keyword: 'type', message: 'must be string' }],
    'invalid_arguments',
  ],
  [
    'pydantic',
    { detail: [{ loc: ['body', 'a'], msg: 'field required', type: 'missing' }] },
    'invalid_arguments',
  ],
  ['fastapi', { detail: 'Not authenticated' }, 'unauthenticated'],
  [
    'laravel',
    { message: 'The given data was invalid.', errors: { a: ['The a field is required.'] } },
    'invalid_arguments',
  ],
  ['rails', { errors: { a: ["can't be blank"] } }, 'invalid_arguments'],
  ['spring', { timestamp: 1, status: 404, error: 'Not Found', path: '/a' }, 'not_found'],
  [
    'elasticsearch',
    { error: { root_cause: [], type: 'index_not_found_exception', reason: 'no such index' }, status: 404 },
    'not_found',
  ],
  ['nest', { statusCode: 403, message: 'no', error: 'Forbidden' }, 'forbidden'],
  ['oauth', { error: 'invalid_grant', error_description: 'no' }, 'unauthenticated'],
  ['json-rpc', { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } }, 'unsupported'],
];

describe('bodies', () => {
  it.each(FORMS)('knows the form of %s', (form, body, kind) => {
    const reading = readBody(body);
    expect(reading?.kind).toBe(kind);
    expect(reading?.evidence.map(({ by }) => by)).toContain(form === 'json-rpc' ? 'code' : `body:${form}`);
  });

  it.each([
    [{ message: 'rate limited', retry_after: 0.65 }, 650],
    [{ message: 'rate limited', retryAfterMs: 1500 }, 1500],
    [{ ok: false, error_code: 429, parameters: { retry_after: 35 } }, 35_000],
    [{ error: { code: 429, details: [{ retryDelay: '3s' }] } }, 3000],
  ])('finds the wait in %j', (body, afterMs) => {
    expect(readBody(body)?.afterMs).toBe(afterMs);
  });

  it('ends at a cycle', () => {
    const body: { error?: unknown; message: string } = { message: 'Forbidden' };
    body.error = body;
    expect(readBody(body)?.kind).toBe('forbidden');
  });
});

describe('a code that tells on which way it failed', () => {
  it.each([
    [
      {
        error: 'execution_error',
        message:
          "Cannot connect to database: Database file does not exist: /tmp/a.txt. Database: '/tmp/a.txt'. Check if the database exists and is accessible.",
        database_path: '/tmp/a.txt',
        error_type: 'connection_error',
      },
      'not_found',
    ],
    [
      {
        error: 'execution_error',
        message: 'Database file does not exist: /tmp/a.db',
        error_type: 'connection_error',
      },
      'not_found',
    ],
    [{ error: 'Table users does not exist', type: 'connection_error' }, 'not_found'],
    [{ message: 'Invalid password', code: 'CONNECTION_ERROR' }, 'unauthenticated'],
    [{ error: 'network_error', message: '403 Forbidden' }, 'forbidden'],
    [{ code: 'TIMEOUT_ERROR', message: 'Invalid argument: timeout must be positive' }, 'invalid_arguments'],
    [{ code: 'SERVICE_ERROR', message: 'User 12 not found' }, 'not_found'],
    [{ code: 'CONNECTION_FAILED', message: 'database "x" does not exist' }, 'not_found'],
    [{ code: 'UNAVAILABLE', message: 'Product is not available in your country' }, 'unsupported'],
    [{ code: 'SERVICE_UNAVAILABLE', message: 'API key not valid' }, 'unauthenticated'],
    [{ type: 'server_error', message: 'Insufficient permissions for this project' }, 'forbidden'],
  ])('gives way to a sentence that says why: %j', (body, kind) => {
    expect(readBody(body)?.kind).toBe(kind);
  });

  it.each([
    [{ code: 'connection_error', message: 'Could not reach the database' }, 'unavailable'],
    [{ code: 'UNAVAILABLE', message: 'try again' }, 'unavailable'],
    [{ code: 'UNAVAILABLE', message: 'oops' }, 'unavailable'],
    [{ error: 'network_error', message: 'fetch failed' }, 'unavailable'],
    [{ code: 'TIMEOUT', message: 'The operation took too long' }, 'timeout'],
    [{ code: 'gateway_timeout', message: 'no answer' }, 'timeout'],
    [{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 10.0.0.1:5432' }, 'unavailable'],
    [{ code: 'ENOTFOUND', message: 'host not found' }, 'unavailable'],
  ])('decides where no sentence says more: %j', (body, kind) => {
    expect(readBody(body)?.kind).toBe(kind);
  });
});

it('takes a hint for what may help, not for what went wrong', () => {
  const body = { error: 'Database operation failed', hint: 'Check your query syntax and permissions' };
  expect(readBody(body)?.certainty ?? 0).toBeLessThan(0.5);
  expect(readBody({ error: 'relation "a" does not exist', hint: 'Check your permissions' })?.kind).toBe(
    'not_found',
  );
});
