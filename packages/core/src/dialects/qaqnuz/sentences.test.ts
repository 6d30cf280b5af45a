import { describe, expect, it } from 'vitest';
import { read } from '../../index.ts';
import { classify, retryDelay } from './reference.ts';
import { sentenceKind, TEXTS } from './sentences.ts';

describe('the platform’s sentences', () => {
  it('QA-33 are the same to the letter for everybody', () => {
    expect(TEXTS).toEqual({
      rateLimited: 'Rate limit exceeded. Please wait before sending more requests.',
      unauthorized: 'Unauthorized',
      unreachable: 'This tool is not available for your key.',
      openChange: 'The call was not completed. It may have happened; check before you repeat a change.',
    });
  });

  it('QA-13 QA-26 QA-27 a change that may have been made is not for repeating, to anybody who reads it', () => {
    const text = 'The call was not completed. It may have happened; check before you repeat a change.';
    const answer = { isError: true, content: [{ type: 'text', text }] };
    expect(text).not.toMatch(/rate limit/i);
    expect(classify({ isError: true, text })).toBe('terminal');
    for (const options of [{}, { from: 'qaqnuz' }])
      expect(read(answer, options)).toMatchObject({ fault: { retryable: false, executed: 'maybe' } });
  });

  it.each([
    ['Invalid arguments for get_contact: email', 'invalid_arguments'],
    ['Unrecognized key: rate limit', 'invalid_arguments'],
    ['This tool is not available for your key.', 'forbidden'],
    ['Unauthorized', 'unauthenticated'],
    ['issue_refund requires approval (request r-1)', 'approval_required'],
    ['The call to issue_refund was denied', 'forbidden'],
    ['Permission denied', 'forbidden'],
    ['Your plan does not include exports', 'forbidden'],
    ['Rate limit exceeded. Please wait before sending more requests.', 'rate_limited'],
    ['The stock provider is busy', 'overloaded'],
    ['The stock provider cannot be reached', 'upstream_failed'],
    ['The backend timed out', 'upstream_failed'],
    ['No such contact', undefined],
    [`${'x'.repeat(490)} rate limit`, undefined],
    [`${'x'.repeat(489)} rate limit`, 'rate_limited'],
  ])('%s: %s', (text, kind) => {
    expect(sentenceKind(text)).toBe(kind);
  });

  it('QA-25 sort an outcome that is only text, or not even that', () => {
    expect(classify({ text: 'Unauthorized' })).toBe('success');
    expect(classify({ isError: true, text: 'Unauthorized' })).toBe('permission');
    expect(classify({ isError: true, text: 'No such contact' })).toBe('terminal');
    expect(classify({ isError: true })).toBe('terminal');
  });
});

describe('QA-17 QA-18 QA-19 QA-20 the wait of a hint', () => {
  it.each([
    [{ afterMs: 400 }, 1, 0.5, 400],
    [{ afterMs: 400 }, 3, 0.5, 400],
    [{ afterMs: 400, backoff: 'exponential' }, 1, 0.5, 400],
    [{ afterMs: 400, backoff: 'exponential' }, 3, 0.5, 1600],
    [{ afterMs: 1000 }, 1, 0, 800],
    [{ afterMs: 1000 }, 1, 1, 1200],
    [{ afterMs: 1000, jitter: 0 }, 1, 0, 1000],
    [{ afterMs: 1000, jitter: 2 }, 1, 0, 800],
    [{}, 1, 1, 0],
    [{ afterMs: 400, maxAttempts: 2 }, 2, 0.5, 400],
    [{ afterMs: 400, maxAttempts: 2 }, 3, 0.5, undefined],
  ] as const)('%j, attempt %i, drawn %d: %s', (hint, attempt, random, wait) => {
    expect(retryDelay(hint, attempt, random)).toBe(wait);
  });
});

it.each([1, -0.1, 7, Number.NaN])('QA-20 a jitter of %d is none: it is 0.2', (jitter) => {
  expect(retryDelay({ afterMs: 1000, jitter }, 1, 0)).toBe(800);
});
