import { fault } from '@mayday/core';
import { expect, it } from 'vitest';
import { answersIn, endOf, NOT_BEGUN, outcomeOf, type Worked } from './once-outcome.ts';

const failing = (thrown = fault.conflict('x', { executed: 'maybe' })): Worked =>
  ({ failure: { thrown, began: true } }) as Worked;
const done: Worked = { result: { content: [] }, replayed: false };

it('has no end where nobody began', () => {
  expect(endOf(NOT_BEGUN, undefined)).toBeUndefined();
  expect(endOf(NOT_BEGUN, 'a')).toBeUndefined();
});

it('keeps a success, and gives it again', () => {
  const kept = outcomeOf(done, false, undefined);
  expect(kept).toEqual({ ok: true, value: { result: { content: [] }, answers: undefined } });
  expect(endOf(kept, undefined)).toEqual({ result: { content: [] }, replayed: true });
});

it('keeps a failure, and tells it again as final; that of a read is told to those who wait alone', () => {
  const timeout = fault.timeout('Late', { executed: 'maybe' });
  const kept = outcomeOf(failing(timeout), false, undefined);
  expect(kept).toMatchObject({ ok: false, fault: { kind: 'timeout' } });
  expect(endOf(kept, undefined)).toMatchObject({
    failure: {
      began: true,
      ours: false,
      asTool: true,
      thrown: { fault: { kind: 'timeout', retryable: false } },
    },
  });
  const read = failing(timeout);
  const passing = outcomeOf(read, true, undefined);
  expect(passing).toMatchObject({ ok: false, fault: { kind: 'input_required', executed: 'no' } });
  expect(endOf(passing, undefined)).toBe(read);
});

it('keeps nothing of a question, and gives it to those who wait', () => {
  const question: Worked = { result: { resultType: 'input_required' }, replayed: false, undone: true };
  expect(endOf(outcomeOf(question, false, undefined), undefined)).toEqual({
    result: { resultType: 'input_required' },
    replayed: true,
  });
});

it('refuses other answers of the user than those that the call was made with', () => {
  const other = {
    failure: {
      began: true,
      ours: true,
      asTool: true,
      thrown: {
        message: 'The call with this idempotency key was made with other answers of the user',
        fault: { kind: 'conflict', executed: 'maybe', subject: { type: 'key' } },
      },
    },
  };
  for (const worked of [done, failing()]) {
    const kept = outcomeOf(worked, false, 'a');
    expect(endOf(kept, 'b')).toMatchObject(other);
    expect(endOf(kept, 'a')).not.toMatchObject(other);
    expect(endOf(kept, undefined)).not.toMatchObject(other);
    expect(endOf(outcomeOf(worked, false, undefined), 'b')).not.toMatchObject(other);
  }
  expect(endOf(outcomeOf(failing(), true, 'a'), 'b')).toMatchObject(other);
  const refused = outcomeOf(failing(fault.unavailable('x', { executed: 'no' })), false, 'a');
  expect(endOf(refused, 'b')).not.toMatchObject(other);
});

it('tells answers apart by what they say, not by their order', () => {
  const digest = (inputResponses?: object) =>
    answersIn({ jsonrpc: '2.0', method: 'tools/call', params: { inputResponses } } as never);
  expect(digest()).toBeUndefined();
  expect(digest({ a: 1, b: 2 })).toBe(digest({ b: 2, a: 1 }));
  expect(digest({ a: 1 })).not.toBe(digest({ a: 2 }));
});
