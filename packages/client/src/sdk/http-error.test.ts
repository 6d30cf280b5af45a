import { describe, expect, it } from 'vitest';
import { readError } from '../agents/read.ts';
import { httpIn } from './http-error.ts';

const NOW = Date.parse('2026-11-15T10:00:00Z');
const with429 = (members: object, message = 'Request failed with status code 429'): Error =>
  Object.assign(new Error(message), members);

/** As axios has it: a class with members in lower case and a `get`. */
class AxiosHeaders {
  [name: string]: unknown;
  constructor(headers: object) {
    Object.assign(this, headers);
  }
  get(name: string): unknown {
    return this[name.toLowerCase()];
  }
  *[Symbol.iterator](): Iterator<[string, unknown]> {
    yield* Object.entries(this);
  }
}

const response = (): Response => new Response('', { status: 429, headers: { 'retry-after': '7' } });

/** A rate limit with `Retry-After: 7`, as each library throws it. */
const LIBRARIES: readonly (readonly [string, unknown])[] = [
  [
    'axios',
    with429({
      name: 'AxiosError',
      response: { status: 429, headers: new AxiosHeaders({ 'retry-after': '7' }) },
    }),
  ],
  [
    'axios, plain headers',
    with429({ name: 'AxiosError', response: { status: 429, headers: { 'Retry-After': '7' } } }),
  ],
  [
    'OpenAI',
    with429({ name: 'RateLimitError', status: 429, headers: new Headers({ 'retry-after': '7' }), error: {} }),
  ],
  ['OpenAI, milliseconds', with429({ status: 429, headers: new Headers({ 'retry-after-ms': '7000' }) })],
  ['got', with429({ name: 'HTTPError', response: { statusCode: 429, headers: { 'retry-after': '7' } } })],
  [
    'undici',
    with429({ code: 'UND_ERR_RESPONSE_STATUS_CODE', statusCode: 429, headers: { 'retry-after': '7' } }),
  ],
  [
    'undici, raw headers',
    with429({ statusCode: 429, headers: ['content-type', 'text/plain', 'retry-after', '7'] }),
  ],
  ['superagent', with429({ status: 429, response: { status: 429, header: { 'retry-after': '7' } } })],
  ['ky', with429({ name: 'HTTPError', response: response() })],
  [
    'AWS',
    with429({ name: 'ThrottlingException', $response: { statusCode: 429, headers: { 'retry-after': '7' } } }),
  ],
  ['fetch, in the cause', new Error('The call failed', { cause: response() })],
  ['fetch, the response itself', response()],
  [
    'any of them, wrapped',
    new Error('The tool failed', { cause: with429({ status: 429, headers: { 'retry-after': '7' } }) }),
  ],
  [
    'a date',
    with429({ status: 429, headers: new Headers({ 'retry-after': 'Sun, 15 Nov 2026 10:00:07 GMT' }) }),
  ],
];

describe('an error of a library', () => {
  it.each(LIBRARIES)('%s keeps Retry-After', (_, thrown) => {
    const { fault, text } = readError(thrown, NOW);
    expect(fault).toMatchObject({
      kind: 'rate_limited',
      retryable: true,
      retry: { when: 'after_wait', afterMs: 7000 },
    });
    expect(text).toContain('7 s');
  });
});

it('does not invent a wait for what does not pass', () => {
  const { fault } = readError(
    with429({ status: 404, headers: { 'retry-after': '7' } }, 'No such order'),
    NOW,
  );
  expect(fault.retryable).toBe(false);
});

it.each([
  [undefined],
  [null],
  ['text'],
  [new Error('plain')],
  [{ status: 200 }],
  [{ status: '429' }],
  [{ response: null }],
])('finds no response in %j', (thrown) => {
  expect(httpIn(thrown)).toBeUndefined();
});

it('survives hostile members and circles', () => {
  const hostile = {
    status: 503,
    get headers(): never {
      throw new Error('look away');
    },
  };
  expect(httpIn(hostile)).toEqual({ status: 503, headers: {}, body: undefined });
  const circle: { cause?: unknown } = {};
  circle.cause = circle;
  expect(httpIn(circle)).toBeUndefined();
});
