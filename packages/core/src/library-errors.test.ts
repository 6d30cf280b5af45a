/** What client libraries throw, in their own forms: the kind of it, and the wait that it asks for. */
import { describe, expect, it } from 'vitest';
import { read } from './index.ts';

const error = (message: string, members: object): Error => Object.assign(new Error(message), members);
const READ = (thrown: unknown) => read({ thrown }, { now: Date.parse('2026-01-01T00:00:00Z') });

describe('a status of gRPC', () => {
  it.each([
    [1, 'CANCELLED', 'cancelled'],
    [3, 'INVALID_ARGUMENT', 'invalid_arguments'],
    [4, 'DEADLINE_EXCEEDED', 'timeout'],
    [5, 'NOT_FOUND', 'not_found'],
    [6, 'ALREADY_EXISTS', 'conflict'],
    [7, 'PERMISSION_DENIED', 'forbidden'],
    [8, 'RESOURCE_EXHAUSTED', 'rate_limited'],
    [9, 'FAILED_PRECONDITION', 'conflict'],
    [10, 'ABORTED', 'overloaded'],
    [11, 'OUT_OF_RANGE', 'invalid_arguments'],
    [12, 'UNIMPLEMENTED', 'unsupported'],
    [13, 'INTERNAL', 'upstream_failed'],
    [14, 'UNAVAILABLE', 'unavailable'],
    [15, 'DATA_LOSS', 'upstream_failed'],
    [16, 'UNAUTHENTICATED', 'unauthenticated'],
  ])('%i %s is %s', (code, name, kind) => {
    const thrown = error(`${code} ${name}: x`, { code, details: 'x', metadata: {} });
    expect(READ(thrown)).toMatchObject({ failure: true, fault: { kind } });
    expect(READ(new Error('while paying', { cause: thrown }))).toMatchObject({ fault: { kind } });
    const connect = error(`[${name.toLowerCase()}] x`, { name: 'ConnectError', code, rawMessage: 'x' });
    expect(READ(connect)).toMatchObject({ fault: { kind } });
  });

  it('is not every small number', () => {
    expect(READ(error('Cannot open it', { code: 5 }))).not.toMatchObject({ fault: { kind: 'not_found' } });
    expect(READ(error('x', { code: 5, details: 'y' }))).not.toMatchObject({ fault: { kind: 'not_found' } });
  });
});

describe('a wait of 30 s is kept', () => {
  const limited = (members: object): Error => error('Too Many Requests', members);
  it.each<[string, unknown]>([
    [
      'AI SDK',
      limited({ name: 'AI_APICallError', statusCode: 429, responseHeaders: { 'retry-after': '30' } }),
    ],
    [
      'AI SDK after attempts',
      error('Failed after 3 attempts. Last error: Too many', {
        name: 'AI_RetryError',
        lastError: limited({ statusCode: 429, responseHeaders: { 'retry-after': '30' } }),
        errors: [],
      }),
    ],
    [
      'Azure',
      limited({
        statusCode: 429,
        response: { status: 429, headers: { toJSON: () => ({ 'retry-after': '30' }) } },
      }),
    ],
    [
      'HubSpot',
      error('HTTP-Code: 429', { code: 429, body: { message: 'x' }, headers: { 'retry-after': '30' } }),
    ],
    [
      'discord.js',
      error('Rate limited on route', { name: 'RateLimitError[/x]', timeToReset: 30_000, retryAfter: 30_000 }),
    ],
    ['the interface of Discord', limited({ status: 429, rawError: { retry_after: 30 } })],
    [
      'grammY',
      error("Call to 'sendMessage' failed! (429: Too Many Requests)", {
        error_code: 429,
        parameters: { retry_after: 30 },
      }),
    ],
    [
      'Slack',
      error('A rate limit was exceeded', { code: 'slack_webapi_rate_limited_error', retryAfter: 30 }),
    ],
    ['Linear', limited({ status: 429, retryAfter: 30 })],
    ['Shopify', error('Throttled', { response: { code: 429, statusText: 'Too Many', retryAfter: 30 } })],
    [
      'Google',
      error('{"error":{"code":429,"message":"Resource exhausted","details":[{"retryDelay":"30s"}]}}', {
        status: 429,
      }),
    ],
    ['rate-limiter-flexible', { remainingPoints: 0, msBeforeNext: 30_000, consumedPoints: 6 }],
    [
      'gRPC',
      error('8 RESOURCE_EXHAUSTED: rate', {
        code: 8,
        details: 'rate',
        metadata: { getMap: () => ({ 'retry-after': '30' }) },
      }),
    ],
  ])('%s', (_library, thrown) => {
    expect(READ(thrown)).toMatchObject({ fault: { kind: 'rate_limited', retry: { afterMs: 30_000 } } });
  });

  it('and no wait is made up of hostile members', () => {
    const hostile = limited({
      status: 429,
      metadata: {
        getMap: () => {
          throw new Error('no');
        },
      },
      headers: { toJSON: () => null },
    });
    expect(READ(hostile)).toMatchObject({ fault: { kind: 'rate_limited' } });
  });
});
