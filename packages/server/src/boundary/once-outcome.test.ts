import { fault } from '@mayday/core';
import type { Outcome } from '@mayday/policy';
import { expect, it } from 'vitest';
import {
  answersIn,
  type Ended,
  endOf as endFor,
  outcomeOf as outcomeFor,
  ROUNDS,
  type RoundCall,
  type Worked,
} from './once-outcome.ts';

/** Of calls that want a result. */
const outcomeOf = (worked: Worked, reads: boolean, answers: string | undefined): Outcome<unknown> =>
  outcomeFor(worked, reads, { answers, asTask: false, isHarmless: false });
const endOf = (outcome: Outcome<unknown>, answers: string | undefined): Ended | undefined =>
  endFor(outcome, { answers, asTask: false });

const failing = (thrown = fault.conflict('x', { executed: 'maybe' })): Worked =>
  ({ failure: { thrown, began: true } }) as Worked;
const done: Worked = { result: { content: [] }, replayed: false };

it('has no end where nobody began', () => {
  const unbegun = outcomeOf({ ...failing(), unbegun: true }, false, 'a');
  expect(endOf(unbegun, undefined)).toBeUndefined();
  expect(endOf(unbegun, 'b')).toBeUndefined();
});

it('keeps a success, and gives it again', () => {
  const kept = outcomeOf(done, false, undefined);
  expect(kept).toEqual({ ok: true, value: { result: { content: [] }, answers: undefined, asTask: false } });
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

it('keeps a question for the round that was asked it, and lets another one go on', () => {
  const question: Worked = { result: { resultType: 'input_required' }, replayed: false };
  const kept = outcomeOf(question, false, 'q a');
  expect(kept).toMatchObject({ ok: true });
  expect(endOf(kept, 'q a')).toEqual({ result: { resultType: 'input_required' }, replayed: true });
  const goesOn = (outcome: Outcome<unknown>, answers?: string) =>
    ROUNDS.goesOn(outcome, { answers } as RoundCall);
  expect([goesOn(kept, 'q a'), goesOn(kept, 'q b'), goesOn(kept)]).toEqual([false, true, true]);
  expect(goesOn(outcomeOf(done, false, 'q a'), 'q b')).toBe(false);
});

it('keeps an error that asks for something, except that of a read', () => {
  const error = { code: -32042, message: 'Sign in first' };
  expect(endOf(outcomeOf({ error }, false, undefined), undefined)).toEqual({ error });
  expect(outcomeOf({ error }, false, undefined)).toMatchObject({ ok: true });
  expect(outcomeOf({ error }, true, undefined)).toMatchObject({ ok: false, fault: { executed: 'no' } });
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
    const kept = outcomeOf(worked, false, 'q a');
    expect(endOf(kept, 'q b')).toMatchObject(other);
    expect(endOf(kept, 'q a')).not.toMatchObject(other);
    expect(endOf(kept, undefined)).not.toMatchObject(other);
    expect(endOf(outcomeOf(worked, false, undefined), 'q b')).not.toMatchObject(other);
  }
  expect(endOf(outcomeOf(failing(), true, 'q a'), 'q b')).toMatchObject(other);
  const refused = outcomeOf(failing(fault.unavailable('x', { executed: 'no' })), false, 'q a');
  expect(endOf(refused, 'q b')).not.toMatchObject(other);
});

it('tells answers apart by what they say, not by their order', () => {
  const digest = (inputResponses?: object, requestState?: string) =>
    answersIn({ jsonrpc: '2.0', method: 'tools/call', params: { inputResponses, requestState } } as never);
  expect(digest()).toBeUndefined();
  expect(digest(undefined, 'come back')).not.toBe(digest(undefined, 'come back later'));
  expect(digest({ a: 1, b: 2 })).toBe(digest({ b: 2, a: 1 }));
  expect(digest({ a: 1 })).not.toBe(digest({ a: 2 }));
  // Another question of the same call has other answers.
  const kept = outcomeOf(done, false, digest({ a: 1 }, 'second question'));
  expect(endOf(kept, digest({ b: 1 }, 'first question'))).toEqual({
    result: { content: [] },
    replayed: true,
  });
  expect(endOf(kept, digest({ a: 2 }, 'second question'))).toHaveProperty('failure');
});

it('gives a task to who wants one and a result to who does not, as it was kept by an older version too', () => {
  const answers = undefined;
  const [task, result] = [{ task: { taskId: '1' } }, { content: [] }];
  const refused = { failure: { thrown: { fault: { kind: 'conflict', executed: 'maybe' } } } };
  for (const kept of [task, result]) {
    const asTask = kept === task;
    const old: Outcome<unknown> = { ok: true, value: { result: kept } };
    for (const outcome of [
      old,
      outcomeFor({ result: kept, replayed: false }, false, { answers, asTask, isHarmless: false }),
    ]) {
      expect(endFor(outcome, { answers, asTask })).toMatchObject({ result: kept });
      expect(endFor(outcome, { answers, asTask: !asTask })).toMatchObject(refused);
    }
  }
  // A tool without tasks answers with a result, whatever was wanted.
  const ignored = outcomeFor({ result, replayed: false }, false, {
    answers,
    asTask: true,
    isHarmless: false,
  });
  expect(endFor(ignored, { answers, asTask: true })).toMatchObject({ result });
});
