import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faults } from '../test/arbitraries.ts';
import { isRetryable } from './entries/fault.ts';
import { fromDocument, KIND_NAMES, KINDS, makeFault, toDocument } from './index.ts';

describe('the kinds', () => {
  // Frozen: kinds are append-only, and their defaults are part of what callers rely on.
  it('are these, with these defaults', () => {
    const table = KIND_NAMES.map((kind) => {
      const { reaction, when, executed, http } = KINDS[kind];
      return [kind, reaction, when, executed, http].join(' ');
    });
    expect(table).toEqual([
      'parse_error validation after_change no 400',
      'invalid_request validation after_change no 400',
      'invalid_arguments validation after_change no 400',
      'unprocessable validation after_change no 422',
      'too_large validation after_change no 413',
      'unsupported_media validation after_change no 415',
      'expired validation after_change no 410',
      'unsupported terminal never no 501',
      'unauthenticated permission after_auth no 401',
      'forbidden permission never no 403',
      'approval_required permission after_approval no 403',
      'input_required permission after_change no 403',
      'not_found terminal never no 404',
      'conflict terminal never no 409',
      'not_ready retryable backoff no 503',
      'rate_limited retryable after_wait no 429',
      'quota_exhausted terminal never no 429',
      'overloaded retryable backoff no 503',
      'timeout retryable backoff maybe 504',
      'cancelled terminal never maybe 499',
      'disconnected retryable backoff maybe 502',
      'unavailable dependency backoff no 503',
      'upstream_failed dependency backoff maybe 502',
      'misconfigured terminal never no 500',
      'invalid_output terminal never yes 500',
      'internal terminal never maybe 500',
      'unknown terminal never maybe 500',
    ]);
  });

  it('each have an advice of their own, which the text for the model ends with', () => {
    const advice = KIND_NAMES.map((kind) => KINDS[kind].advice);
    expect(new Set(advice).size).toBe(advice.length);
    for (const text of advice) expect(text.split(' ').length).toBeLessThan(20);
  });
});

describe('makeFault', () => {
  it('takes what is not ready, and does not become so by waiting, for a step that its caller has left out', () => {
    const fix = {
      kind: 'not_ready',
      reaction: 'validation',
      retryable: false,
      retry: { when: 'after_change' },
    };
    expect(makeFault({ kind: 'not_ready', retryable: false })).toMatchObject(fix);
    const stop = { kind: 'not_ready', reaction: 'terminal', retryable: false, retry: { when: 'never' } };
    expect(makeFault({ kind: 'not_ready', reaction: 'terminal' })).toMatchObject(stop);
    expect(makeFault({ kind: 'not_ready', reaction: 'terminal', retryable: false })).toMatchObject(stop);
    expect(makeFault({ kind: 'not_ready', retryable: false, retry: { when: 'never' } })).toMatchObject(stop);
  });

  it.each([
    ['validation', 'conflict', 'after_change'],
    ['validation', 'internal', 'after_change'],
    ['permission', 'not_found', 'after_auth'],
    ['permission', 'timeout', 'after_auth'],
    ['terminal', 'invalid_arguments', 'never'],
    ['terminal', 'unauthenticated', 'never'],
    ['permission', 'forbidden', 'never'],
    ['permission', 'approval_required', 'after_approval'],
    ['retryable', 'internal', 'backoff'],
  ] as const)('%s decides when %s is worth another try: %s', (reaction, kind, when) => {
    expect(makeFault({ kind, reaction }).retry).toEqual({ when });
  });

  it('keeps retryable, reaction and retry consistent, whatever is declared', () => {
    fc.assert(
      fc.property(faults, (made) => {
        expect(made.retryable).toBe(isRetryable(made.reaction));
        expect(['now', 'backoff', 'after_wait'].includes(made.retry.when)).toBe(made.retryable);
      }),
    );
  });

  it('lets a declaration decide over the kind', () => {
    expect(makeFault({ kind: 'internal', retryable: true })).toMatchObject({
      reaction: 'retryable',
      retry: { when: 'backoff' },
    });
    expect(makeFault({ kind: 'timeout', retryable: false })).toMatchObject({
      reaction: 'terminal',
      retry: { when: 'never' },
    });
    expect(makeFault({ kind: 'unavailable', retryable: true }).reaction).toBe('dependency');
  });

  it('rounds waits up to whole milliseconds and drops nonsense', () => {
    const wait = (afterMs: number) => makeFault({ kind: 'rate_limited', retry: { afterMs } }).retry.afterMs;
    expect([wait(1.2), wait(0), wait(-1), wait(Number.NaN), wait(Number.POSITIVE_INFINITY)]).toEqual([
      2,
      0,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

it('tells how many bytes there are, and none of them', () => {
  const bytes = new TextEncoder().encode('password=hunter2');
  const { details } = makeFault({
    kind: 'internal',
    details: { bytes, view: new DataView(bytes.buffer) } as never,
  });
  expect(details).toEqual({ bytes: '16 bytes', view: '16 bytes' });
});

describe('the fault document', () => {
  it('holds the whole fault', () => {
    fc.assert(
      fc.property(faults, (made) => {
        expect(fromDocument(JSON.parse(JSON.stringify(toDocument(made))))).toEqual(made);
      }),
    );
  });

  it('is nothing but a document when it has a kind', () => {
    expect([
      fromDocument({}),
      fromDocument({ kind: '__proto__' }),
      fromDocument(null),
      fromDocument({ kind: 'constructor' }),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });
});

it.each(['', ' ', '\n\t '])('has the words of its kind where nobody has any: %j', (message) => {
  expect(makeFault({ kind: 'unavailable', message }).message).toBe('Unavailable');
});
