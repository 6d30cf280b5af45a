import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heard, said } from '../../../test/helpers.ts';
import { adviceFor } from '../../entries/render.ts';
import { fault, KIND_NAMES, makeFault, read, write } from '../../index.ts';
import { envelopeFor, classify as qaqnuzClass, retryDelay as qaqnuzDelay } from './index.ts';

const HINT = { retry_after_ms: 1000, max_attempts: 1, backoff: 'fixed', jitter: 0.2 };
const CLASSES = ['validation', 'permission', 'retryable', 'dependency', 'terminal'] as const;

describe('qaqnuz envelope', () => {
  it.each(CLASSES)(
    'QA-5 QA-9…QA-13 QA-31 class %s is the reaction, with full certainty and whatever text',
    (error_class) => {
      const reading = heard({ error_class, sanitized_error: 'zq 17' });
      expect(reading).toMatchObject({
        dialect: 'qaqnuz',
        certainty: 1,
        placement: 'envelope',
        fault: { reaction: error_class, message: 'zq 17' },
      });
      expect(reading.fault.retryable).toBe(error_class === 'retryable' || error_class === 'dependency');
    },
  );

  it('QA-5 an unknown class becomes terminal, never a sixth one', () => {
    expect(heard({ error_class: 'weird', sanitized_error: 'x' }, 'qaqnuz').fault.reaction).toBe('terminal');
  });

  it('QA-1 has the same members for every class, and for every kind of fault', () => {
    const keys = KIND_NAMES.map((kind) => Object.keys(envelopeFor(fault(kind, 'x').fault)).join());
    expect([...new Set(keys)]).toEqual(['error_class,sanitized_error']);
  });

  it('QA-8 QA-16 QA-17 QA-18 QA-19 reads the hint, and only where a retry makes sense', () => {
    const of = (error_class: string) =>
      heard({ error_class, sanitized_error: 'x', retry_hint: HINT }).fault.retry;
    expect(of('retryable')).toEqual({
      when: 'after_wait',
      afterMs: 1000,
      maxAttempts: 1,
      backoff: 'fixed',
      jitter: 0.2,
    });
    expect(of('dependency')).toMatchObject({ afterMs: 1000 });
    for (const error_class of ['validation', 'permission', 'terminal'])
      expect(of(error_class)).not.toHaveProperty('afterMs');
  });

  it('QA-22 drops a hint where there is nothing to retry', () => {
    const odd = makeFault({ kind: 'forbidden', message: 'x', retry: { afterMs: 1000 } });
    expect(envelopeFor(odd)).toEqual({ error_class: 'permission', sanitized_error: 'x' });
  });

  it('writes the hint back as it came', () => {
    const { envelope } = write(
      heard({ error_class: 'retryable', sanitized_error: 'x', retry_hint: HINT }).fault,
      'qaqnuz',
    );
    expect(envelope).toEqual({ error_class: 'retryable', sanitized_error: 'x', retry_hint: HINT });
  });

  it('QA-20 jitter is a fraction in [0, 1), 0.2 when absent', () => {
    const jitterOf = (jitter?: number) =>
      heard({ error_class: 'retryable', sanitized_error: 'x', retry_hint: { ...HINT, jitter } }).fault.retry
        .jitter;
    expect([jitterOf(0), jitterOf(undefined), jitterOf(1), jitterOf(-1)]).toEqual([0, 0.2, 0.2, 0.2]);
  });

  it('QA-10 the text refines the kind inside a class, and cannot leave it', () => {
    const kindOf = (error_class: string, text: string) =>
      heard({ error_class, sanitized_error: text }).fault.kind;
    expect(kindOf('permission', 'This action requires approval (request 17)')).toBe('approval_required');
    expect(kindOf('permission', 'Unauthorized')).toBe('unauthenticated');
    expect(kindOf('validation', "field 'rate limit' is required")).toBe('invalid_arguments');
    expect(kindOf('retryable', 'Rate limit exceeded.')).toBe('rate_limited');
  });
});

describe('qaqnuz wire', () => {
  it.each([
    [null, 'success'],
    [{ isError: true, text: 7 }, 'terminal'],
  ])('QA-23 sorts whatever comes: %j', (outcome, expected) => {
    expect(qaqnuzClass(outcome as never)).toBe(expected);
  });

  const wire = {
    result: {
      content: [{ type: 'text', text: 'Rate limit exceeded. Please wait before sending more requests.' }],
      isError: true,
    },
  };

  it('QA-4 QA-7 is exactly one text block and isError', () => {
    const { result } = said(fault.forbidden('Not for you', { details: { secret: 'x' } }).fault, 'qaqnuz');
    expect(result).toEqual({ content: [{ type: 'text', text: 'Not for you' }], isError: true });
  });

  it('writes the document’s form back', () => {
    expect(said(heard(wire, 'qaqnuz').fault, 'qaqnuz').result).toEqual(wire.result);
  });

  it('QA-11 QA-23 class read from text alone has low certainty', () => {
    const reading = heard(wire, 'qaqnuz');
    expect(reading.fault).toMatchObject({ kind: 'rate_limited', retryable: true });
    expect(reading.certainty).toBeLessThanOrEqual(0.5);
  });

  it('QA-23 QA-24 QA-25 QA-27 sorts any outcome', () => {
    expect([
      qaqnuzClass({ isError: false, text: 'rate limit' }),
      qaqnuzClass({ isError: true }),
      qaqnuzClass({ isError: true, text: 'Rate limit exceeded' }),
    ]).toEqual(['success', 'terminal', 'retryable']);
    expect([
      qaqnuzClass({ isError: true, text: 'Unauthorized' }),
      qaqnuzClass({ isError: true, text: 'zq' }),
    ]).toEqual(['permission', 'terminal']);
    fc.assert(
      fc.property(fc.string(), fc.boolean(), (text, isError) => {
        expect(['success', ...CLASSES]).toContain(qaqnuzClass({ text, isError }));
      }),
    );
  });

  it.each([
    ['Rate limit exceeded. Please wait before sending more requests.', 'retryable'],
    ['The stock provider is busy', 'retryable'],
    ['Unauthorized', 'permission'],
    ['This tool is not available for your key.', 'permission'],
    ['Your plan does not include the tool platform.', 'permission'],
    ['The call to issue_refund was denied (request apr_1)', 'permission'],
    ['issue_refund requires approval (request apr_1)', 'permission'],
    ['Invalid arguments. a: required', 'validation'],
    ['Invalid arguments. Unrecognized key: "rate limit"', 'validation'],
    ['The stock provider failed', 'dependency'],
    ['The stock provider cannot be reached', 'dependency'],
    ['There is no such contact', 'terminal'],
    ['The refund failed', 'terminal'],
  ])('QA-23 %j is class %s', (text, expected) => {
    expect(qaqnuzClass({ isError: true, text })).toBe(expected);
  });

  it('QA-5 an unknown class is terminal, whatever the text says', () => {
    const reading = heard({ error_class: 'weird', sanitized_error: 'Rate limit exceeded' });
    expect(reading).toMatchObject({ dialect: 'qaqnuz', fault: { reaction: 'terminal', retryable: false } });
    expect(reading.certainty).toBeLessThan(0.5);
  });

  it.each([
    {
      result: {
        isError: true,
        content: [{ type: 'text', text: 'This tool is not available for your key.' }],
      },
    },
    { isError: true, content: [{ type: 'text', text: 'This tool is not available for your key.' }] },
    'This tool is not available for your key.',
  ])('QA-33 a refusal tells no reason, and none is read into it: %j', (value) => {
    for (const reading of [heard(value), heard(value, 'qaqnuz')]) {
      expect(reading).toMatchObject({
        dialect: 'qaqnuz',
        fault: { kind: 'forbidden', reaction: 'permission', retryable: false },
      });
      expect(reading.certainty).toBeLessThanOrEqual(0.5);
      expect(reading.fault).not.toHaveProperty('subject');
      expect(reading.fault).not.toHaveProperty('name');
    }
  });

  it('QA-2 a failure never throws across the boundary', () => {
    expect(read({ result: { isError: true, content: [] } }, { from: 'qaqnuz' })).toMatchObject({
      failure: true,
      fault: { message: 'Unknown failure' },
    });
  });

  it('QA-32 QA-33 wording does not decide what the class already says, and a generic refusal has no reason', () => {
    const reading = heard({ error_class: 'permission', sanitized_error: 'timeout while denying' });
    expect(reading.fault).toMatchObject({ kind: 'forbidden', reaction: 'permission', issues: [] });
    expect(reading.fault).not.toHaveProperty('subject');
  });
});

describe('qaqnuz waits', () => {
  it('QA-17 QA-20 a wait is a number, however often it is doubled, in either spelling', () => {
    const doubled = { afterMs: 1000, backoff: 'exponential', jitter: 0 } as const;
    expect(qaqnuzDelay(doubled, 2000, 0.5)).toBe(9_007_199_254_740_991);
    expect(qaqnuzDelay({ afterMs: Number.NaN }, 1, 0.5)).toBe(0);
    expect(qaqnuzDelay({ retry_after_ms: 1000, backoff: 'exponential', jitter: 0 }, 2, 0.5)).toBe(2000);
  });

  it('QA-17 QA-19 QA-20 QA-21 fixed keeps, exponential doubles, jitter is symmetric', () => {
    const wait = (backoff: 'fixed' | 'exponential', attempt: number, random: number) =>
      qaqnuzDelay({ afterMs: 1000, backoff, jitter: 0.2 }, attempt, random);
    expect([wait('fixed', 1, 0.5), wait('fixed', 3, 0.5)]).toEqual([1000, 1000]);
    expect([wait('exponential', 1, 0.5), wait('exponential', 2, 0.5), wait('exponential', 3, 0.5)]).toEqual([
      1000, 2000, 4000,
    ]);
    expect([wait('fixed', 1, 0), wait('fixed', 1, 0.999_999)]).toEqual([800, 1200]);
    expect(qaqnuzDelay({ afterMs: 1000 }, 1, 0)).toBe(800);
  });

  it('QA-18 max_attempts counts further attempts: 1 allows one', () => {
    const hint = { afterMs: 10, maxAttempts: 1, jitter: 0 };
    expect([qaqnuzDelay(hint, 1, 0), qaqnuzDelay(hint, 2, 0)]).toEqual([10, undefined]);
  });

  it('QA-12 a dependency failure is retried with backoff', () => {
    const reading = heard({ error_class: 'dependency', sanitized_error: 'x' }).fault;
    expect([reading.kind, reading.retry.when]).toEqual(['upstream_failed', 'backoff']);
    expect(adviceFor(reading)).toContain('back off');
  });
});
