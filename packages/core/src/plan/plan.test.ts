import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fault, type FaultInit, makeFault } from '../fault.ts';
import { read, write } from '../index.ts';
import { KIND_NAMES } from '../kinds.ts';
import type { PlannedCall } from './call.ts';
import { plan } from './plan.ts';

const reads: PlannedCall = { readOnly: true };
const writes: PlannedCall = {};
const first = { attempt: 1 };

function faultOf(kind: FaultInit['kind'], init: Omit<FaultInit, 'kind'> = {}): Fault {
  return makeFault({ kind, ...init });
}

function readFault(wire: object): Fault {
  const reading = read(wire);
  if (!reading.failure) throw new TypeError('Expected a failure');
  return reading.fault;
}

/** A fault put together by hand, past the checks of `makeFault`. */
function crooked(kind: FaultInit['kind'], retry: object): Fault {
  const whole = faultOf(kind);
  return { ...whole, retry: { ...whole.retry, ...retry } };
}

describe('whether to try again', () => {
  it('retries what was not executed, whatever the tool does', () => {
    expect(plan(faultOf('unavailable'), writes, first)).toEqual({
      retry: true,
      afterMs: 50,
      reason: 'Attempt 2 of 3 follows in 50 ms: unavailable, and the call was not executed',
      rule: 'retry',
      safe: true,
    });
  });

  it('never repeats a write after a timeout or a lost connection', () => {
    for (const kind of ['timeout', 'disconnected', 'upstream_failed'] as const) {
      expect(plan(faultOf(kind), writes, first)).toMatchObject({
        retry: false,
        rule: 'would_repeat',
        safe: false,
      });
    }
    expect(plan(faultOf('timeout'), writes, first).reason).toBe(
      'Not tried again: after timeout, the call may have been executed, and it could happen twice',
    );
  });

  it.each([
    ['read-only', { readOnly: true }, 'the tool only reads'],
    ['idempotent', { idempotent: true }, 'the tool is idempotent'],
    ['keyed', { idempotencyKey: 'k-1' }, 'the server recognises the call by its idempotency key'],
    ['a listing', { method: 'tools/list' }, 'tools/list changes nothing'],
    ['declared by the operator', { repeatable: true }, 'the operator says that the call can be repeated'],
  ])('repeats an ambiguous call that is %s', (_, call, because) => {
    const decided = plan(faultOf('timeout'), call, first);
    expect(decided).toMatchObject({ retry: true, safe: true });
    expect(decided.reason).toContain(because);
  });

  it('lets the operator overrule an annotation that is too generous', () => {
    const call = { readOnly: true, idempotent: true, repeatable: false };
    expect(plan(faultOf('timeout'), call, first)).toMatchObject({ retry: false, rule: 'would_repeat' });
    expect(plan(faultOf('overloaded'), call, first).retry).toBe(true);
  });

  it('never repeats what the operator says must not be repeated, unless nothing was executed', () => {
    const call = { readOnly: true, idempotent: true, idempotencyKey: 'k-1', repeatable: false };
    for (const executed of ['maybe', 'yes'] as const) {
      expect(plan(faultOf('rate_limited', { executed }), call, first)).toMatchObject({
        retry: false,
        rule: 'would_repeat',
        safe: false,
      });
    }
    expect(plan(faultOf('rate_limited', { executed: 'no' }), call, first)).toMatchObject({
      retry: true,
      safe: true,
    });
  });

  it('does not take a destructive tool’s other words', () => {
    const call = { destructive: true, readOnly: true, idempotent: true };
    expect(plan(faultOf('timeout'), call, first)).toMatchObject({
      retry: false,
      reason:
        'Not tried again: after timeout, the tool is destructive and the call may have been executed, and it could happen twice',
    });
    expect(plan(faultOf('timeout'), { ...call, repeatable: true }, first).retry).toBe(true);
    expect(plan(faultOf('timeout'), { ...call, idempotencyKey: 'k-1' }, first).retry).toBe(true);
    expect(plan(faultOf('rate_limited', { executed: 'no' }), call, first).retry).toBe(true);
  });

  it('tries again what the caller says passes, where that is safe', () => {
    const retryIf = (fault: Fault, call: PlannedCall): boolean | undefined =>
      fault.kind === 'internal' && call.readOnly === true ? true : undefined;
    const failed = faultOf('internal');
    expect(plan(failed, reads, first)).toMatchObject({ retry: false, rule: 'not_retryable' });
    expect(plan(failed, reads, first, { retryIf })).toMatchObject({ retry: true, rule: 'retry' });
    expect(plan(failed, writes, first, { retryIf })).toMatchObject({ retry: false, rule: 'not_retryable' });
    expect(plan(failed, writes, first, { retryIf: () => true })).toMatchObject({
      retry: false,
      rule: 'would_repeat',
    });
    expect(plan(failed, reads, { attempt: 3 }, { retryIf })).toMatchObject({ rule: 'attempts_used' });
  });

  it('leaves what the caller says does not pass', () => {
    expect(plan(faultOf('timeout'), reads, first, { retryIf: () => false })).toMatchObject({
      retry: false,
      rule: 'retry_if',
      reason: 'Not tried again: retryIf says that timeout does not pass',
    });
    expect(plan(faultOf('timeout'), reads, first, { retryIf: () => undefined }).retry).toBe(true);
  });

  it('CL-37 EM-31 ER-84 QA-13 QA-27 does not repeat what a repetition cannot mend', () => {
    const stays = KIND_NAMES.filter((kind) => !faultOf(kind).retryable);
    expect(stays).toContain('not_found');
    for (const kind of stays) {
      expect(plan(faultOf(kind), reads, first)).toMatchObject({
        retry: false,
        rule: 'not_retryable',
        afterMs: 0,
      });
    }
  });

  it('ER-79 ER-82 retries a timeout and a rate limit', () => {
    expect(plan(faultOf('timeout'), reads, first).retry).toBe(true);
    expect(plan(faultOf('rate_limited'), reads, first).retry).toBe(true);
  });

  it('says in words why it does not', () => {
    expect(plan(faultOf('quota_exhausted'), reads, first).reason).toBe(
      'Not tried again: quota exhausted does not pass by repeating the same call',
    );
  });

  it('leaves retrying to the caller above', () => {
    const decided = plan(faultOf('unavailable'), reads, { attempt: 1, attemptAbove: 1 });
    expect(decided).toMatchObject({
      retry: false,
      rule: 'retried_above',
      reason: 'Not tried again here: the caller above counts the attempts and retries itself',
    });
  });

  it('stops when the attempts are used', () => {
    expect(plan(faultOf('timeout'), reads, { attempt: 3 })).toMatchObject({
      retry: false,
      reason: 'All 3 attempts are used',
      rule: 'attempts_used',
    });
  });

  it('QA-12 calls a dependency that stays down an outage', () => {
    const decided = plan(faultOf('unavailable'), reads, { attempt: 3 });
    expect(decided.reason).toBe('All 3 attempts are used; treat it as an outage');
  });

  it('does not start a wait that outlives the deadline', () => {
    const fault = faultOf('rate_limited', { retry: { afterMs: 5000 } });
    expect(plan(fault, reads, { attempt: 1, remainingMs: 5000 })).toMatchObject({
      retry: false,
      rule: 'deadline',
    });
    expect(plan(fault, reads, { attempt: 1, remainingMs: 5001 }).retry).toBe(true);
    expect(plan(fault, reads, { attempt: 1, remainingMs: Number.NaN }).rule).toBe('deadline');
  });

  it.each([
    [10.7, 10],
    [0, 0],
    [-5, 0],
    [Number.NaN, 0],
  ])('says how little of %d ms is left', (remainingMs, left) => {
    const fault = faultOf('rate_limited', { retry: { afterMs: 5000 } });
    expect(plan(fault, reads, { attempt: 1, remainingMs }).reason).toBe(
      `Not tried again: the wait of 5000 ms does not fit in the ${left} ms left`,
    );
  });
});

describe('how long to wait', () => {
  it('EM-30 doubles with each attempt and draws from the whole interval', () => {
    const waits = (random: () => number): number[] =>
      [1, 2, 3, 4].map(
        (attempt) => plan(faultOf('unavailable'), reads, { attempt }, { attempts: 9, random }).afterMs,
      );
    expect(waits(() => 0.999_999)).toEqual([50, 100, 200, 400]);
    expect(waits(() => 0.5)).toEqual([25, 50, 100, 200]);
    expect(waits(() => 0)).toEqual([0, 0, 0, 0]);
  });

  it('starts at one second after throttling and stops growing at twenty', () => {
    const wait = (attempt: number): number =>
      plan(faultOf('overloaded'), reads, { attempt }, { attempts: 99 }).afterMs;
    expect([1, 2, 3, 5, 6, 60].map(wait)).toEqual([1000, 2000, 4000, 16_000, 20_000, 20_000]);
  });

  it('CL-35 waits what Closient asks for, five seconds when it does not say', () => {
    const limited = (more: object) => {
      const data = {
        type: 'https://closient.com/docs/errors/rate_limited',
        status: 429,
        retryable: true,
        ...more,
      };
      return readFault({ result: { error: { code: -32003, message: 'Rate Limited', data } } });
    };
    expect(plan(limited({ retry_after: 30 }), reads, first).afterMs).toBe(30_000);
    expect(plan(limited({}), reads, first).afterMs).toBe(5000);
  });

  it('ER-83 waits what erlmcp asks for, thirty seconds when it does not say', () => {
    const limited = (data: object) =>
      readFault({ jsonrpc: '2.0', id: 1, error: { code: -32010, message: 'Rate limit exceeded', data } });
    expect(plan(limited({ retry_after: 5 }), reads, first).afterMs).toBe(5000);
    expect(plan(limited({}), reads, first).afterMs).toBe(30_000);
    const late = { jsonrpc: '2.0', id: 1, error: { code: -32009, message: 'Request timeout', data: {} } };
    expect(plan(readFault(late), reads, first).afterMs).toBe(50);
  });

  it('keeps what a dialect’s document says through our own', () => {
    const limited = readFault({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32010, message: 'Rate limit exceeded', data: {} },
    });
    const { wire } = write(limited, 'mayday', { id: 1 });
    expect(plan(readFault(wire), reads, first).afterMs).toBe(30_000);
  });

  it('QA-26 waits one second, then two, after a rate limit that names no time', () => {
    const limited = faultOf('rate_limited');
    expect([1, 2, 3].map((attempt) => plan(limited, reads, { attempt }).afterMs)).toEqual([1000, 2000, 0]);
  });

  it('spreads the callers that were told the same wait, upwards only', () => {
    const limited = faultOf('rate_limited', { retry: { afterMs: 2000 } });
    expect(plan(limited, reads, first, { random: () => 0 }).afterMs).toBe(2000);
    expect(plan(limited, reads, first, { random: () => 1 }).afterMs).toBe(2200);
    const long = faultOf('rate_limited', { retry: { afterMs: 50_000 } });
    expect(plan(long, reads, first, { random: () => 1 }).afterMs).toBe(51_000);
  });

  it('tries at once what may be tried at once, and then backs off', () => {
    const now = faultOf('unavailable', { retry: { when: 'now' } });
    expect([1, 2].map((attempt) => plan(now, reads, { attempt }).afterMs)).toEqual([0, 100]);
  });

  it('waits as long as a server asks, up to a minute', () => {
    const asked = (afterMs: number) => plan(faultOf('rate_limited', { retry: { afterMs } }), reads, first);
    expect(asked(60_000)).toMatchObject({ retry: true, afterMs: 60_000 });
    expect(asked(60_001)).toMatchObject({
      retry: false,
      reason:
        'Not tried again: the server asks to wait 60001 ms, longer than the 60000 ms that are waited for',
    });
  });

  it('names the wait that the server asked for, without what is added to it', () => {
    const asked = faultOf('rate_limited', { retry: { afterMs: 7000 } });
    const limits = { maxWaitMs: 2000, random: () => 0.9 };
    expect(plan(asked, reads, first, limits).reason).toBe(
      'Not tried again: the server asks to wait 7000 ms, longer than the 2000 ms that are waited for',
    );
    const less = faultOf('rate_limited', { retry: { afterMs: 1999 } });
    expect(plan(less, reads, first, limits).reason).toMatch(
      /^Not tried again: the wait would be 2\d{3} ms, longer than the 2000 ms that are waited for$/,
    );
  });

  it('takes other limits', () => {
    const limits = { baseMs: 0, throttledBaseMs: 300, maxBackoffMs: 500, attempts: 9 };
    const waits = (kind: 'unavailable' | 'rate_limited') =>
      [1, 2].map((attempt) => plan(faultOf(kind), reads, { attempt }, limits).afterMs);
    expect([waits('unavailable'), waits('rate_limited')]).toEqual([
      [0, 0],
      [300, 500],
    ]);
    expect(plan(faultOf('timeout'), reads, first, { attempts: 1 }).reason).toBe('The one attempt is used');
  });

  it('QA-17 QA-19 keeps a fixed hint and doubles an exponential one', () => {
    const hint = (backoff: 'fixed' | 'exponential') =>
      faultOf('not_ready', { retry: { afterMs: 400, backoff } });
    const wait = (backoff: 'fixed' | 'exponential') =>
      [1, 2, 3].map((attempt) => plan(hint(backoff), reads, { attempt }, { attempts: 5 }).afterMs);
    expect(wait('fixed')).toEqual([400, 400, 400]);
    expect(wait('exponential')).toEqual([400, 800, 1600]);
  });

  it('QA-20 spreads a hint to both sides, by a fifth unless it says otherwise', () => {
    const wait = (jitter: number | undefined, random: number) =>
      plan(crooked('not_ready', { afterMs: 1000, backoff: 'fixed', jitter }), reads, first, {
        random: () => random,
      }).afterMs;
    expect([wait(undefined, 0), wait(undefined, 0.5), wait(undefined, 1)]).toEqual([800, 1000, 1200]);
    expect([wait(0.5, 0), wait(0, 0), wait(1, 0), wait(Number.NaN, 0)]).toEqual([500, 1000, 800, 800]);
  });

  it('QA-18 stops at the smaller of its own cap and the hint', () => {
    const hint = (maxAttempts: number) => faultOf('not_ready', { retry: { maxAttempts } });
    expect(plan(hint(1), reads, { attempt: 1 }, { attempts: 9 }).retry).toBe(true);
    expect(plan(hint(1), reads, { attempt: 2 }, { attempts: 9 }).rule).toBe('attempts_used');
    expect(plan(hint(0), reads, first).reason).toBe('Not tried again: the server asks for no more attempts');
    expect(plan(hint(0), reads, first, { attempts: 1 }).reason).toBe('The one attempt is used');
    expect(plan(hint(2), reads, { attempt: 3 }).reason).toBe('All 3 attempts are used');
    expect(plan(hint(50), reads, { attempt: 3 }).rule).toBe('attempts_used');
  });
});

describe('nonsense', () => {
  it.each([-1, Number.NaN, Number.NEGATIVE_INFINITY])('takes a hint of %s for none', (afterMs) => {
    expect(plan(crooked('rate_limited', { afterMs }), reads, first)).toMatchObject({
      retry: true,
      afterMs: 1000,
    });
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('takes a cap of %s for none', (maxAttempts) => {
    const failed = crooked('unavailable', { maxAttempts });
    const rules = [1, 2, 3].map((attempt) => plan(failed, reads, { attempt }).rule);
    expect(rules).toEqual(['retry', 'retry', 'attempts_used']);
  });

  it('does not sit out a year, and does not call before it is over either', () => {
    const year = faultOf('rate_limited', { retry: { afterMs: 31_536_000_000 } });
    expect(plan(year, reads, first)).toMatchObject({ retry: false, afterMs: 0, rule: 'wait_too_long' });
  });

  it('is bounded for every fault, call and randomness', () => {
    const wait = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.constantFrom(-1, Number.NaN, Number.POSITIVE_INFINITY, 1e300),
    );
    const given = fc.record({
      kind: fc.constantFrom(...KIND_NAMES),
      retry: fc.record(
        {
          afterMs: wait,
          maxAttempts: wait,
          backoff: fc.constantFrom('fixed', 'exponential'),
          jitter: wait,
        },
        { requiredKeys: [] },
      ),
      call: fc.record({ readOnly: fc.boolean(), repeatable: fc.boolean() }, { requiredKeys: [] }),
      attempt: fc.integer({ min: 1, max: 1_000_000 }),
      drawn: wait,
    });
    fc.assert(
      fc.property(given, ({ kind, retry, call, attempt, drawn }) => {
        const decided = plan(
          crooked(kind, retry),
          call,
          { attempt },
          { attempts: 2_000_000, random: () => drawn },
        );
        return (
          Number.isInteger(decided.afterMs) &&
          decided.afterMs >= 0 &&
          decided.afterMs <= 60_000 &&
          decided.reason.length < 300 &&
          (!decided.retry || decided.safe)
        );
      }),
      { seed: 6, numRuns: 2000 },
    );
  });

  it.each([
    [{ attempts: 0 }, 'Expected `attempts` to be a positive integer, got 0'],
    [{ attempts: 1.5 }, 'Expected `attempts` to be a positive integer, got 1.5'],
    [{ attempts: '3' as never }, 'Expected `attempts` to be a positive integer, got string'],
    [{ baseMs: -1 }, 'Expected `baseMs` to be a number of milliseconds, got -1'],
    [{ maxWaitMs: Number.NaN }, 'Expected `maxWaitMs` to be a number of milliseconds, got NaN'],
    [{ random: 0.5 as never }, 'Expected `random` to be a function, got number'],
    [{ retryIf: 'always' as never }, 'Expected `retryIf` to be a function, got string'],
  ])('says what is wrong with the options %j', (options, message) => {
    expect(() => plan(faultOf('timeout'), reads, first, options)).toThrow(new TypeError(message));
  });

  it('says what is wrong with the history', () => {
    expect(() => plan(faultOf('timeout'), reads, { attempt: 0 })).toThrow(
      new TypeError('Expected `attempt` to be a positive integer, got 0'),
    );
  });
});
