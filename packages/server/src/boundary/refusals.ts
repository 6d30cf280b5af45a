/** Failures that the boundary itself has to tell. */
import { FaultError, fault } from '@mayday/core';
import { tooLate } from '../guards/guard.ts';
import type { RequestId } from '../shapes.ts';
import { cut } from './cut.ts';
import type { Failure } from './failure.ts';

/** No answer in time, and by which limit. */
export function lateAfter(ms: number, began: boolean): Failure {
  const { fault: late } = tooLate(ms, began);
  const thrown = new FaultError({ ...late, details: { timeout_ms: ms } }, { saidExecuted: true });
  return { thrown, began, ours: true };
}

/** A caller that stopped waiting before it asked. */
export function lateAlready(): Failure {
  return { thrown: fault.timeout('The deadline has passed already'), began: false, ours: true };
}

/**
 * Two requests under way with one id cannot be told apart by anybody. Where somebody on the way has sent one twice, this
 * is all that the caller hears of it: that nothing happened is not said.
 */
export function idInUse(id: RequestId): Failure {
  const thrown = fault.invalidRequest('Another request with this id is under way', {
    subject: { type: 'message', id: cut(String(id)) },
    executed: 'maybe',
    advice: 'Give every request an id of its own.',
  });
  return { thrown, began: false, ours: true, ofRequest: true, code: -32600 };
}
