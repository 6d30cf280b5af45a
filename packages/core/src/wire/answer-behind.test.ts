import { describe, expect, it } from 'vitest';
import { read } from '../index.ts';
import { answerBehind } from './answer-behind.ts';

const NOW = Date.parse('2026-11-15T10:00:00Z');
const with429 = (members: object, message = 'Request failed with status code 429'): Error =>
  Object.assign(new Error(message), members);
const hidden = (error: Error, name: string, value: unknown): Error =>
  Object.defineProperty(error, name, { value, enumerable: false });

/** As axios has it: a class with members in the server's spelling and a `get`. */
class AxiosHeaders {
  [name: string]: unknown;
  constructor(headers: object) {
    Object.assign(this, headers);
  }
  get(name: string): unknown {
    return this[name];
  }
  *[Symbol.iterator](): Iterator<[string, unknown]> {
    yield* Object.entries(this);
  }
}

/** As got has it: status and headers are accessors of Node's `IncomingMessage`. */
class IncomingMessage {
  get statusCode(): number {
    return 429;
  }
  get headers(): object {
    return { 'retry-after': '7' };
  }
}

/** As node-fetch has it: only looking at `data` prints a warning. */
class NodeFetchResponse {
  get status(): number {
    return 429;
  }
  get headers(): Headers {
    return new Headers({ 'retry-after': '7' });
  }
  get data(): never {
    throw new Error('DeprecationWarning');
  }
}

class RateLimitError extends Error {
  readonly status = 429;
  readonly headers = new Headers({ 'retry-after': '7' });
}

const response = (): Response => new Response('', { status: 429, headers: { 'retry-after': '7' } });

/** A rate limit with a wait of 7 s, as each library throws it. */
const LIBRARIES: readonly (readonly [string, unknown])[] = [
  [
    'axios',
    with429({
      name: 'AxiosError',
      code: 'ERR_BAD_REQUEST',
      status: 429,
      response: { status: 429, headers: new AxiosHeaders({ 'Retry-After': '7' }), data: {} },
    }),
  ],
  ['got', with429({ name: 'HTTPError', code: 'ERR_NON_2XX_3XX_RESPONSE', response: new IncomingMessage() })],
  ['ky', with429({ name: 'HTTPError', response: response() })],
  ['undici', with429({ code: 'UND_ERR_RESPONSE', statusCode: 429, headers: { 'retry-after': '7' } })],
  ['node-fetch', with429({ response: new NodeFetchResponse() })],
  ['OpenAI, Anthropic', new RateLimitError('429 nope')],
  [
    'Stripe',
    with429({ type: 'StripeRateLimitError', statusCode: 429, headers: { 'retry-after': '7' }, detail: '' }),
  ],
  [
    'Octokit',
    with429({ name: 'HttpError', status: 429, response: { status: 429, headers: { 'retry-after': '7' } } }),
  ],
  ['gaxios', with429({ code: 429, status: 429, response: response() })],
  [
    'AWS',
    hidden(with429({ name: 'Unknown', $metadata: { httpStatusCode: 429 } }), '$response', {
      statusCode: 429,
      headers: { 'retry-after': '7' },
    }),
  ],
  ['superagent', with429({ status: 429, response: { status: 429, header: { 'retry-after': '7' } } })],
  ['a map', with429({ status: 429, headers: new Map([['Retry-After', '7']]) })],
  ['pairs', with429({ status: 429, headers: [['Retry-After', '7']] })],
  ['raw headers', with429({ status: 429, headers: ['Content-Type', 'text/plain', 'Retry-After', '7'] })],
  ['raw bytes', with429({ status: 429, headers: [Buffer.from('retry-after'), Buffer.from('7')] })],
  ['lists of contents', with429({ status: 429, headers: { 'retry-after': ['7'] } })],
  ['a number', with429({ status: 429, headers: { 'retry-after': 7 } })],
  ['a date', with429({ status: 429, headers: { 'retry-after': 'Sun, 15 Nov 2026 10:00:07 GMT' } })],
  ['milliseconds', with429({ status: 429, headers: { 'retry-after-ms': '7000' } })],
  ['a reset, as a time', with429({ status: 429, headers: { 'x-ratelimit-reset': '1794736807' } })],
  [
    'a reset, in milliseconds',
    with429({ status: 429, headers: { 'X-RateLimit-Reset': String(NOW + 7000) } }),
  ],
  ['a reset, in seconds', with429({ status: 429, headers: { 'ratelimit-reset': '7' } })],
  ['a reset, as a span', with429({ status: 429, headers: { 'x-ratelimit-reset-requests': '6s1000ms' } })],
  [
    'a reset, as a date',
    with429({ status: 429, headers: { 'anthropic-ratelimit-requests-reset': '2026-11-15T10:00:07Z' } }),
  ],
  ['a policy', with429({ status: 429, headers: { ratelimit: '"default";r=0;t=7' } })],
  ['an older policy', with429({ status: 429, headers: { ratelimit: 'limit=60, remaining=0, reset=7' } })],
  [
    'GitHub, with 403 and nothing left',
    with429({
      status: 403,
      response: { headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1794736807' } },
    }),
  ],
  ['fetch, in the cause', new Error('The call failed', { cause: response() })],
  ['fetch, the response itself', response()],
  ['discord.js', with429({ rawError: { retry_after: 7 }, retryAfter: 7000, status: 429 })],
  [
    'wrapped',
    new Error('The tool failed', { cause: with429({ status: 429, headers: { 'retry-after': '7' } }) }),
  ],
];

describe('a rate limit', () => {
  it.each(LIBRARIES)('of %s keeps its wait', (_, thrown) => {
    const expected = { kind: 'rate_limited', retry: { when: 'after_wait', afterMs: 7000 } };
    expect(read({ thrown }, { now: NOW })).toMatchObject({ failure: true, fault: expected });
    expect(read(thrown, { now: NOW })).toMatchObject({ failure: true, fault: expected });
  });
});

class APIConnectionTimeoutError extends Error {}
class APIConnectionError extends Error {}
const timer = new DOMException('The operation was aborted due to timeout', 'TimeoutError');

describe('what never got an answer', () => {
  it.each<readonly [string, unknown, string]>([
    [
      'axios, its timer',
      with429({ name: 'AxiosError', code: 'ECONNABORTED' }, 'timeout of 300ms exceeded'),
      'timeout',
    ],
    ['axios, cut', with429({ name: 'AxiosError', code: 'ECONNABORTED' }, 'Request aborted'), 'disconnected'],
    ['axios, ETIMEDOUT', with429({ name: 'AxiosError', code: 'ETIMEDOUT' }, 'timeout'), 'timeout'],
    ['axios, refused', with429({ name: 'AxiosError', code: 'ECONNREFUSED' }, ''), 'unavailable'],
    [
      'axios, in a browser',
      with429({ name: 'AxiosError', code: 'ERR_NETWORK' }, 'Network Error'),
      'disconnected',
    ],
    ['OpenAI, its timer', new APIConnectionTimeoutError('Request timed out.'), 'timeout'],
    ['OpenAI, cut', new APIConnectionError('Connection error.'), 'disconnected'],
    [
      'OpenAI, refused',
      Object.assign(new APIConnectionError('Connection error.'), {
        cause: Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }),
      }),
      'unavailable',
    ],
    [
      'Stripe, refused',
      with429(
        { type: 'StripeConnectionError', detail: with429({ code: 'ECONNREFUSED' }, '') },
        'An error occurred',
      ),
      'unavailable',
    ],
    [
      'gaxios, its timer',
      Object.assign(new Error('The operation was aborted.'), {
        config: { signal: AbortSignal.abort(timer) },
        cause: Object.assign(new Error('The operation was aborted.'), { name: 'AbortError' }),
      }),
      'timeout',
    ],
    ['an abort', new DOMException('Aborted', 'AbortError'), 'cancelled'],
  ])('%s', (_, thrown, kind) => {
    expect(read({ thrown })).toMatchObject({ failure: true, fault: { kind } });
  });
});

it('is forbidden where something is left of the limit', () => {
  const headers = { 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': '1794736807' };
  expect(read({ http: { status: 403, headers, body: '' } }, { now: NOW })).toMatchObject({
    fault: { kind: 'forbidden' },
  });
});

it('waits for a reset only after a refusal: many interfaces send it with every answer', () => {
  const headers = { 'x-ratelimit-reset': '1794736807' };
  const reading = read({ http: { status: 404, headers, body: '' } }, { now: NOW });
  expect(reading).toMatchObject({ fault: { kind: 'not_found' } });
  expect(reading).not.toHaveProperty('fault.retry.afterMs');
});

it.each([[undefined], [null], ['text'], [new Error('plain')], [{ status: 200 }], [{ status: '429' }]])(
  'finds no answer in %j',
  (thrown) => {
    expect(answerBehind(thrown)).toBeUndefined();
  },
);

it('is no failure as a response that succeeded', () => {
  expect(read(new Response('fine'))).toEqual({ failure: false });
});

it('survives hostile members and circles', () => {
  const hostile = {
    status: 503,
    get headers(): never {
      throw new Error('look away');
    },
  };
  expect(answerBehind(hostile)).toEqual({ status: 503, headers: new Map(), body: undefined });
  const circle: { cause?: unknown } = {};
  circle.cause = circle;
  expect(answerBehind(circle)).toBeUndefined();
});
