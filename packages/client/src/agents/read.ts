/** For agents that do not use the wrapper: what a result or a caught error means. */
import { type Fault, faultOf, language } from '@mayday/core';
import { calmed, warned } from '@mayday/core/render';
import { flag, type OptionNames, onlyKnown } from '@mayday/policy';
import { faultInResult, faultInSdkError } from '../sdk/read-failure.ts';
import { textFor } from '../sdk/text.ts';

/** A failure, as an agent needs it. */
export interface Failure {
  /** For the program: what went wrong, and what can be done. */
  readonly fault: Fault;
  /** For the model: what happened and what to do next, in under sixty words. */
  readonly text: string;
}

/** What is known about the tool that was called. */
export interface CalledTool {
  /** It changes nothing, so that the text need not warn of doing it twice. */
  readonly readOnly?: boolean | undefined;
}

const KNOWN: OptionNames<CalledTool> = { readOnly: true };

/**
 * The failure in a `CallToolResult`; `undefined` when it is a success.
 *
 * @example
 * const failure = readResult(await client.callTool({ name: 'pay', arguments }));
 * if (failure?.fault.reaction === 'permission') await askForAccess();
 */
export function readResult(
  result: unknown,
  now: number = Date.now(),
  tool: CalledTool = {},
): Failure | undefined {
  const fault = faultInResult(result, { now });
  return fault === undefined ? undefined : failureOf(fault, tool);
}

/** The failure in a caught error, whichever SDK threw it. A fault was judged by whoever threw it. */
export function readError(error: unknown, now: number = Date.now(), tool: CalledTool = {}): Failure {
  const carried = faultOf(error);
  if (carried !== undefined) return { fault: carried, text: textFor(carried) };
  return failureOf(faultInSdkError(error, { now, hadSession: false, began: false }), tool);
}

function failureOf(read: Fault, tool: CalledTool): Failure {
  onlyKnown('a called tool', tool, KNOWN);
  const { readOnly } = tool;
  flag('readOnly', readOnly);
  const fault = readOnly === true ? calmed(read) : warned(read, language);
  return { fault, text: textFor(fault) };
}
