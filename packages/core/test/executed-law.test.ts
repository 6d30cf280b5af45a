import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { read } from '../src/index.ts';
import { plan } from '../src/plan/index.ts';
import { executed, http, rpc } from './failing-wires.ts';
import { NOW } from './helpers.ts';

/** What tools say, for every kind; each may come after the work was done. */
const WORDS: readonly string[] = [
  'fetch failed',
  'booked, but the mail failed: 503',
  'Payment accepted; receipt email failed: 503 Service Unavailable',
  '3 of 5 rows written, then rate limit exceeded',
  'created but the notification service is unavailable',
  'connect ECONNREFUSED 127.0.0.1:5432',
  'getaddrinfo ENOTFOUND mail.example.com',
  'Request failed with status code 429',
  'Too many requests, retry in 7 seconds',
  'Service Unavailable',
  'Server is busy, try again later',
  'Not ready yet: the index is being built',
  'Timed out after 30 s',
  'socket hang up',
  'Unauthorized',
  'Permission denied',
  'requires approval',
  'Order 4711 not found',
  'Already exists',
  'Invalid arguments: amount must be a number',
  'Unprocessable entity',
  'Payload too large',
  'Unsupported media type',
  'Session expired',
  'Not supported',
  'Monthly quota exceeded',
  'STRIPE_API_KEY is not set',
  'Internal error',
  'This call was not executed; nothing happened, it is safe to retry',
  'notProcessed: true, executed: no',
  '',
];
const STATUSES = [400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504];

const words = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS)).map((two) => two.join('. ')),
);
const status = fc.constantFrom(...STATUSES);
const code = fc.oneof(
  status,
  fc.constantFrom(
    -32700,
    -32600,
    -32602,
    -32603,
    -32000,
    -32001,
    -32003,
    -32010,
    -32023,
    -32300,
    2001,
    3001,
    4001,
    4002,
  ),
);
const flag = fc.boolean();

/** Everything that a tool's result can be made of, except a declaration. */
const results: fc.Arbitrary<object> = fc.oneof(
  words.map((text) => ({ isError: true, content: [{ type: 'text', text }] })),
  fc.record({ text: words, status }).map(({ text, status: said }) => ({
    isError: true,
    content: [{ type: 'text', text: JSON.stringify({ status: said, error: text }) }],
    structuredContent: { status: said, error: text },
  })),
  fc.record({ text: words, status }).map(({ text, status: said }) => ({
    isError: true,
    content: [{ type: 'text', text: JSON.stringify({ code: said, error: text }) }],
  })),
  fc.record({ text: words, code, retryable: flag }).map(({ text, ...error }) => ({
    error: { ...error, message: text },
    isError: true,
    content: [{ type: 'text', text }],
  })),
  fc.record({ text: words, code }).map(({ text, code: said }) => ({
    isError: true,
    content: [{ type: 'text', text: `MCP error ${said}: ${text}` }],
  })),
  fc
    .record({ text: words, retryable: flag, executed: fc.constantFrom('no', false) })
    .map(({ text, ...more }) => ({
      isError: true,
      content: [{ type: 'text', text }],
      structuredContent: { error: { message: text, ...more }, notProcessed: true },
    })),
);

/** The same result in everything that it can come in. */
const wrapped: fc.Arbitrary<unknown> = fc
  .tuple(results, fc.constantFrom('bare', 'rpc', 'http', 'text', 'batch'), status)
  .map(([result, how, said]) => {
    const message = { jsonrpc: '2.0', id: 1, result };
    if (how === 'bare') return result;
    if (how === 'http') return http(said, message);
    if (how === 'text') return JSON.stringify(message);
    return how === 'batch' ? [message] : message;
  });

const exceptions: fc.Arbitrary<unknown> = fc
  .record(
    {
      name: fc.constantFrom(
        'Error',
        'TypeError',
        'AxiosError',
        'SdkHttpError',
        'McpError',
        'ThrottlingException',
      ),
      message: words,
      code: fc.oneof(
        code,
        fc.constantFrom('ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'NOT_CONNECTED'),
      ),
      syscall: fc.constantFrom('connect', 'getaddrinfo'),
      status,
      response: status.map((said) => ({ status: said })),
      cause: fc.constantFrom({ code: 'ECONNREFUSED' }, { code: 'ENOTFOUND' }),
    },
    { requiredKeys: ['name', 'message'] },
  )
  .map((thrown) => ({ thrown }));

describe('law 7: without evidence it may have happened', () => {
  const options = { numRuns: 2000, seed: 7 };

  it.each([
    ['a tool’s result', wrapped],
    ['a text', words],
    ['an exception of nobody knows whom', exceptions],
    [
      'an answer of HTTP 5xx',
      fc.tuple(fc.integer({ min: 500, max: 599 }), words).map(([said, body]) => http(said, body)),
    ],
    [
      'a number that no protocol layer refuses with',
      fc
        .tuple(fc.constantFrom(-32603, -32000, -32001, -32003, -32005, -32010, -32023, 429, 503, 3001), words)
        .map(([said, text]) => rpc(said, text)),
    ],
  ] as const)('%s is never “no”', (_, wires) => {
    fc.assert(
      fc.property(wires as fc.Arbitrary<unknown>, flag, (wire, disguised) => {
        expect(executed(wire, { disguised })).not.toBe('no');
      }),
      options,
    );
  });

  it('a success that is a failure in disguise is never “no”', () => {
    fc.assert(
      fc.property(words, (text) => {
        expect(
          executed({ content: [{ type: 'text', text: `Error: ${text}` }] }, { disguised: true }),
        ).not.toBe('no');
      }),
      options,
    );
  });

  it('anything at all is never “no” once the work had begun', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          wrapped,
          exceptions,
          words,
          fc.tuple(code, words).map(([said, text]) => rpc(said, text)),
          fc.tuple(status, words).map(([said, body]) => http(said, body)),
        ),
        (wire) => {
          expect(executed(wire, { began: true })).not.toBe('no');
        },
      ),
      options,
    );
  });

  it('a write is not made again after any of them', () => {
    fc.assert(
      fc.property(fc.oneof(wrapped, exceptions), (wire) => {
        const reading = read(wire, { now: NOW });
        expect(reading.failure && plan(reading.fault, {}, { attempt: 1 }).retry).toBe(false);
      }),
      options,
    );
  });
});
