/** v1 has only one sentence for a call as a task that it refuses, and it tells nothing: why is found out again. */
import { fault } from '@mayday/core';
import type { Boundary } from './boundary.ts';
import { cut } from './cut.ts';
import type { Failure } from './failure.ts';
import type { RequestState } from './request-state.ts';
import { invalidOutput, unknownTool } from './sdk-failures.ts';
import { wantsTask } from './task-requests.ts';
import { invalidArguments } from './validation.ts';

const NO_TASK = /^(?:MCP error -?\d+: )*Invalid task creation result: /;

/** The failure of a call as a task of which no handler was seen to begin; `undefined` for every other answer. */
export function failureOfCreation(
  boundary: Boundary,
  state: RequestState,
  sentence: string,
): Failure | Promise<Failure> | undefined {
  if (!NO_TASK.test(sentence) || state.entered || !wantsTask(state)) return undefined;
  const refusal = { began: false, ours: true } as const;
  if (boundary.mayHaveBegun(state))
    return { ...refusal, began: true, thrown: invalidOutput(state, sentence, 'maybe') };
  const { name = '' } = state;
  const tool = boundary.tools.get(name);
  if (tool?.enabled !== true) return { ...refusal, thrown: unknownTool(name, boundary.callable()) };
  return invalidArguments('tool', name, tool.inputSchema, state.arguments).then((thrown) => ({
    ...refusal,
    // With its arguments in order, all that is left are settings of the server's.
    thrown: thrown.fault.issues.length > 0 ? thrown : cannotBegin(name),
  }));
}

function cannotBegin(name: string) {
  return fault.misconfigured(`The server cannot begin a task of the tool ${cut(name)}`, {
    subject: { type: 'tool', id: cut(name) },
    executed: 'no',
    cause: new TypeError('Give the server a `taskStore`, and register the tool with `registerToolTask`'),
  });
}
