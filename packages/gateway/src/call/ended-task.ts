/**
 * What a task has come to is what the call that began it would have been answered. An error that answers the question for
 * it is therefore the tool's, unless it is about the question.
 */
import { isEndOfTask } from '@mayday/core/plan';
import type { Hear, Heard, Said, SaidMessage, WireCall } from '@mayday/relay';
import { FALLBACK } from './say.ts';

/** What was heard when the result of a task was asked for, as the answer to the call that began it. */
export function asEndOfTask(call: WireCall, said: SaidMessage, heard: Heard, hear: Hear): Heard {
  const isWithin = said.within !== undefined;
  if (call.method !== 'tasks/result' && !isWithin) return heard;
  const task = { tool: call.begunWith };
  if (isWithin || isEnd(heard)) return onceGiven({ ...hear.understand(begun(call, task.tool), said), task });
  return task.tool === undefined ? heard : onceGiven(heard);
}

/**
 * The door was passed when the task was given: no number and no words refuse the work any more, whatever a document says
 * of them. Only our own form can declare that nothing was done.
 */
function onceGiven(heard: Heard): Heard {
  const { fault, dialect } = heard;
  if (fault.executed !== 'no' || dialect === FALLBACK.id) return heard;
  return { ...heard, fault: { ...fault, executed: 'maybe' } };
}

/** The call that an answer is about: the one that was made, or the one whose task has ended so. */
export function answeredCall(call: WireCall, said: Said | undefined): WireCall {
  const task = said?.heard?.task;
  return task === undefined ? call : begun(call, task.tool);
}

/** The call that began a task, as far as it is known. */
function begun(call: WireCall, tool: string | undefined): WireCall {
  const params = { name: tool ?? '' };
  return { ...call, method: 'tools/call', target: tool, params: () => params };
}

function isEnd({ placement, fault }: Heard): boolean {
  return placement === 'tool' || isEndOfTask(fault);
}
