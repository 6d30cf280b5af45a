/** What is seen of an outcome that is somebody's own. */
import { fault as faults, makeFault } from '@mayday/core';
import { expect, it } from 'vitest';
import type { Outcome } from './outcome.ts';
import { sound } from './sound.ts';

const TOLD = makeFault({ kind: 'rate_limited', executed: 'maybe', message: 'Later' });
const seen = (given: unknown): Outcome<unknown> => sound(given as Outcome<unknown>);

it('is a copy, in which nothing changes any more', () => {
  let looks = 0;
  const odd = {
    get ok() {
      looks += 1;
      return looks === 1;
    },
    value: 'paid',
  };
  const outcome = seen(odd);
  expect([outcome.ok, outcome.ok, outcome.value]).toEqual([true, true, 'paid']);
});

it('has the same fault, where that cannot change', () => {
  const outcome = seen({ ok: false, fault: TOLD, committed: true });
  expect(outcome).toEqual({ ok: false, fault: TOLD, committed: true });
  expect(!outcome.ok && outcome.fault).toBe(TOLD);
});

it('has a fault that says the same at every look', () => {
  let looks = 0;
  const odd = Object.defineProperty({ ...TOLD }, 'executed', {
    enumerable: true,
    get: () => ['maybe', 'no'][looks++],
  });
  const outcome = seen({ ok: false, fault: odd });
  expect(outcome).toEqual({ ok: false, fault: TOLD });
  expect(outcome).toEqual({ ok: false, fault: TOLD });
});

it('is what an object of some class says', () => {
  class Ended {
    get ok() {
      return false;
    }
    get fault() {
      return TOLD;
    }
    get answered() {
      return true;
    }
  }
  expect(seen(new Ended())).toEqual({ ok: false, fault: TOLD, answered: true });
});

it('is the fault that an error carries', () => {
  expect(seen({ ok: false, fault: faults.notFound('No such order') })).toMatchObject({
    ok: false,
    fault: { kind: 'not_found', message: 'No such order' },
  });
});

it('is whole: what a fault does not say is in doubt, and can be read', () => {
  expect(seen({ ok: false, fault: { kind: 'rate_limited', retry: null, issues: null } })).toMatchObject({
    ok: false,
    fault: {
      kind: 'rate_limited',
      executed: 'maybe',
      message: 'Rate limited',
      issues: [],
      retry: { when: 'after_wait' },
    },
  });
  expect(seen({ ok: false, fault: { ...TOLD, executed: 'nein' } })).toMatchObject({
    fault: { executed: 'maybe' },
  });
});

it('does without what cannot be looked at, where an outcome is one without it', () => {
  const throwing = (name: string): object =>
    Object.defineProperty({ ok: false, fault: TOLD, reason: 'Enough' }, name, {
      enumerable: true,
      get: () => {
        throw new Error('not to be looked at');
      },
    });
  expect(seen(throwing('rest'))).toEqual({ ok: false, fault: TOLD, reason: 'Enough' });
  expect(() => seen(throwing('fault'))).toThrow(TypeError);
  expect(() => seen(throwing('ok'))).toThrow(TypeError);
  expect(() => seen(throwing('value'))).toThrow(TypeError);
});

it.each([
  null,
  undefined,
  'done',
  7,
  [],
  {},
  { ok: 'true' },
  { ok: false },
  { ok: false, fault: { kind: 7 } },
])('is nothing where none was given: %j', (given) => {
  expect(() => seen(given)).toThrow(TypeError);
});
