/** A limit is over some time: who wants nobody to try again means something else by it, and may have done something. */
import { describe, expect, it } from 'vitest';
import { read } from '../src/index.ts';

function executed(said: object, status = 429): string {
  const headers = { 'content-type': 'application/json' };
  const reading = read({ http: { status, headers, body: JSON.stringify(said) } }, { now: 0 });
  return reading.failure ? reading.fault.executed : 'success';
}

function executedFrom(from: string, code: number, data: object): string {
  const error = { code, message: 'Too many requests', data };
  const reading = read({ jsonrpc: '2.0', id: 1, error }, { from, now: 0 });
  return reading.failure ? reading.fault.executed : 'success';
}

const FORBIDDING: readonly object[] = [
  { retryable: false },
  { isRetryable: false },
  { is_retryable: false },
  { retriable: false },
  { retry: false },
  { retry: 'no' },
  { retry: 'never' },
  { canRetry: false },
  { can_retry: false },
  { shouldRetry: false },
  { should_retry: false },
  { should_retry: 'false' },
  { mayRetry: false },
  { retry_allowed: false },
  { retryAllowed: 0 },
  { allow_retry: false },
  { retryable: 'false' },
  { noRetry: true },
  { no_retry: 'true' },
  { do_not_retry: true },
  { non_retryable: true },
  { temporary: false },
  { transient: false },
  { permanent: true },
];

describe('a limit that nobody is to try again', () => {
  it.each(FORBIDDING)('%o', (said) => {
    const message = 'Too Many Requests';
    for (const status of [429, 400])
      expect(executed({ message, ...said }, status), `${status}`).toBe('maybe');
    expect(executed({ error: { message, ...said } })).toBe('maybe');
    expect(executed({ error: message, details: said })).toBe('maybe');
    expect(executed({ type: 'about:blank', title: message, status: 429, ...said })).toBe('maybe');
    expect(executed({ jsonrpc: '2.0', id: 1, error: { code: -32000, message, data: said } })).toBe('maybe');
  });

  it.each([
    ['erlmcp', -32010],
    ['closient', -32003],
    ['mcp@draft', -32023],
  ])('by a code of %s', (from, code) => {
    expect(executedFrom(from, code, {})).toBe('no');
    expect(executedFrom(from, code, { can_retry: false })).toBe('maybe');
  });
});

describe('a limit that may be tried again', () => {
  it.each([{}, { retryable: true }, { retry: true }, { canRetry: true }, { retry_after: 1 }, { retry: 0 }])(
    '%o',
    (said) => {
      expect(executed({ message: 'Too Many Requests', ...said })).toBe('no');
      expect(executed({ error: { message: 'Too Many Requests', ...said } })).toBe('no');
    },
  );

  it('is another matter than a request that stays wrong', () => {
    expect(executed({ message: 'amount is required', retryable: false }, 400)).toBe('no');
  });
});
