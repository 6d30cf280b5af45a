/** For agents that do not use the wrapper: what a result or a caught error means. */
import type { Fault } from '@mayday/core';
import { forModel } from '@mayday/core/render';
import { faultInResult, faultInSdkError } from '../sdk/read-failure.ts';

/** A failure, as an agent needs it. */
export interface Failure {
  /** For the program: what went wrong, and what can be done. */
  readonly fault: Fault;
  /** For the model: what happened and what to do next, in under sixty words. */
  readonly text: string;
}

/**
 * The failure in a `CallToolResult`; `undefined` when it is a success.
 *
 * @example
 * const failure = readResult(await client.callTool({ name: 'pay', arguments }));
 * if (failure?.fault.reaction === 'permission') await askForAccess();
 */
export function readResult(result: unknown, now: number = Date.now()): Failure | undefined {
  const fault = faultInResult(result, { now });
  return fault === undefined ? undefined : { fault, text: forModel(fault) };
}

/** The failure in a caught error, whichever SDK threw it. */
export function readError(error: unknown, now: number = Date.now()): Failure {
  const fault = faultInSdkError(error, { now, hadSession: false, began: false });
  return { fault, text: forModel(fault) };
}
