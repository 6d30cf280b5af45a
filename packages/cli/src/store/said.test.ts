import { expect, it } from 'vitest';
import { Unreachable, UsageError } from '../usage-error.ts';
import { answerOf } from './said.ts';

function thrownBy(fault: { readonly status: number; readonly kind: string }): UsageError {
  try {
    answerOf({ ok: false, fault: { ...fault, message: 'It went wrong', advice: 'Wait a while.' } });
  } catch (error) {
    return error as UsageError;
  }
  throw new Error('nothing was thrown');
}

it.each([
  [503, 'unavailable', true],
  [504, 'timeout', true],
  [429, 'rate_limited', true],
  [401, 'unauthenticated', false],
  [404, 'not_found', false],
  [409, 'conflict', false],
])('%d %s is somebody who does not answer for now: %s', (status, kind, isForNow) => {
  const thrown = thrownBy({ status, kind });
  expect([thrown instanceof UsageError, thrown instanceof Unreachable]).toEqual([true, isForNow]);
  expect(thrown.message).toBe('It went wrong; wait a while');
});
