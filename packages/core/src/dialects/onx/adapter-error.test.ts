import { describe, expect, it } from 'vitest';
import { said } from '../../../test/helpers.ts';
import { causeOf, FaultError, fault, isFault, saidRetryable } from '../../index.ts';
import { AdapterError } from './index.ts';

const errorOf = (thrown: FaultError) => said(thrown.fault, 'onx').result.error;

describe('AdapterError', () => {
  it('EM-22 EM-23 EM-28 goes out as the document’s example, to the byte', () => {
    expect(JSON.stringify(errorOf(new AdapterError('ORDER_NOT_FOUND')))).toBe(
      '{"code":4001,"message":"Adapter error","retryable":false,"details":{"originalError":"ORDER_NOT_FOUND"}}',
    );
  });

  it('EM-7 EM-19 says what it is told to say, and nothing else', () => {
    const thrown = new AdapterError('warehouse.busy', {
      message: 'The warehouse is busy',
      retryable: true,
      field: 'order.sku',
      suggestion: 'Try later.',
      context: { queue: 7 },
      cause: new Error('hunter2'),
    });
    expect(errorOf(thrown)).toEqual({
      code: 4001,
      message: 'The warehouse is busy',
      retryable: true,
      details: {
        field: 'order.sku',
        suggestion: 'Try later.',
        context: { queue: 7 },
        originalError: 'warehouse.busy',
      },
    });
    expect(causeOf(thrown)).toMatchObject({ message: 'hunter2' });
    expect(saidRetryable(thrown)).toBe(true);
  });

  it.each([
    ['ORDER_NOT_FOUND', undefined, 'not_found'],
    ['INVALID_ORDER_STATE', undefined, 'conflict'],
    ['E1042', undefined, 'upstream_failed'],
    ['E1042', 'unprocessable', 'unprocessable'],
  ] as const)(
    'EM-23 %s is understood, unless its thrower knows better (%s)',
    (identifier, kind, expected) => {
      expect(new AdapterError(identifier, { kind }).fault.kind).toBe(expected);
    },
  );

  it.each([
    [{ kind: 'unavailable', executed: 'no' }, 4002, true],
    [{ kind: 'rate_limited', executed: 'no' }, 3001, true],
    [{ kind: 'timeout', retryable: true }, 3002, true],
    [{ kind: 'unsupported' }, 5001, false],
    // What may have been done is not worth another try by itself, and the document's codes all say that it is.
    [{ kind: 'unavailable' }, 4001, false],
    [{ kind: 'timeout', executed: 'maybe' }, 4001, false],
    [{ kind: 'unavailable', executed: 'no', retryable: false }, 4001, false],
    [{ kind: 'conflict', executed: 'no' }, 4001, false],
  ] as const)('EM-23 EM-35 stands beside the code of its kind: %j is %i', (options, code, retryable) => {
    const thrown = new AdapterError('STOCK_DOWN', options);
    expect(errorOf(thrown)).toMatchObject({ code, retryable, details: { originalError: 'STOCK_DOWN' } });
    expect(thrown instanceof AdapterError).toBe(true);
  });

  it('is a fault, and no other fault is one', () => {
    const thrown = new AdapterError('X');
    expect([isFault(thrown), thrown instanceof AdapterError, thrown instanceof FaultError]).toEqual([
      true,
      true,
      true,
    ]);
    expect(fault.notFound('x') instanceof AdapterError).toBe(false);
    expect(fault.conflict('x', { name: 'X' }) instanceof AdapterError).toBe(false);
  });

  it('EM-34 takes any identifier, without a secret in it and without an end to it', () => {
    const planted = new AdapterError('ghp_0123456789abcdefghijklmnopqrstuvwxyzAB');
    expect(JSON.stringify(errorOf(planted))).not.toContain('ghp_');
    expect(new AdapterError('x'.repeat(5000)).fault.name).toHaveLength(200);
    expect(() => new AdapterError('')).toThrow('Expected an identifier such as ORDER_NOT_FOUND, got ""');
  });
});

describe('what a thrower says about another try', () => {
  it('is told from what follows from the kind', () => {
    expect(saidRetryable(fault.upstreamFailed('x'))).toBeUndefined();
    expect(saidRetryable(fault.upstreamFailed('x', { retryable: true }))).toBe(true);
    expect(saidRetryable(fault.timeout('x', { retryable: false }))).toBe(false);
    const copy = FaultError.from(fault.upstreamFailed('x', { retryable: true }), { correlationId: 'c-1' });
    expect([copy.fault.correlationId, saidRetryable(copy)]).toEqual(['c-1', true]);
    expect(saidRetryable(new Error('x'))).toBeUndefined();
  });
});
