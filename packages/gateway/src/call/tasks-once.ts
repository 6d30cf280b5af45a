/** A task is gone with the process that ran it: of another one there is nothing to ask about it. */
import { type Fault, makeFault } from '@mayday/core';
import type { WireOutcome, WirePolicy } from '@mayday/relay';

/** Around what is asked of a process. What names a task is asked once, and its end is told as that of the task. */
export function tasksOnce(): WirePolicy {
  return (next) => (call) => {
    if (!call.method.startsWith('tasks/') || call.method === 'tasks/list') return next(call);
    return next({ ...call, once: true }).then(ofTask);
  };
}

function ofTask(outcome: WireOutcome): WireOutcome {
  if (outcome.ok || outcome.answered === true || !isEnd(outcome.fault)) return outcome;
  const { fault } = outcome;
  const { correlationId, origin, subject, message, details } = fault;
  const told = { correlationId, origin, subject, message, details, advice: ADVICE } as const;
  return {
    ...outcome,
    fault: { ...fault, ...makeFault({ ...told, kind: 'disconnected', executed: 'maybe' }) },
  };
}

/** Did a process end that had been asked? */
function isEnd({ details }: Fault): boolean {
  return details !== undefined && ('exit_code' in details || 'signal' in details);
}

const ADVICE =
  'The task has ended with its server, and is not known any more. Check what it has done before you start it again.';
