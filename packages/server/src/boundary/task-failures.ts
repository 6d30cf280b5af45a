/** What the SDK says of tasks: in sentences, which name the task or do not. The request does. */
import { fault } from '@mayday/core';
import type { ErrorObject } from '../shapes.ts';
import { cut } from './cut.ts';
import type { Failure } from './failure.ts';
import type { RequestState } from './request-state.ts';
import { taskAsked } from './task-requests.ts';

/** A task that is not there: nothing was done for whoever asked. */
const NOT_FOUND = /\btask(?: with ID)?(?: \S{1,200})? not found\b/i;
/** A task that came to its end without saying what it came to. */
const NO_RESULT = /\bTask \S{1,200} has no result stored$/;

/** The failure of a request for a task, if it is the task's and not the server's. */
export function failureOfTask({ message }: ErrorObject, state: RequestState): Failure | undefined {
  const { method } = state;
  const id = taskAsked(state);
  if (id === undefined) return undefined;
  const subject = { type: 'task', id: cut(id) };
  if (NOT_FOUND.test(message))
    return {
      thrown: fault.notFound(`Unknown task: ${subject.id}`, { subject, executed: 'no' }),
      began: false,
      ours: true,
    };
  if (method !== 'tasks/result' || !NO_RESULT.test(message)) return undefined;
  const why = 'The task ended without a result';
  // It is what the tool came to, and will be so whenever somebody asks.
  const thrown = fault.internal(why, { subject, details: { reason: why }, retryable: false });
  return { thrown, began: true, ours: true, authored: true };
}
