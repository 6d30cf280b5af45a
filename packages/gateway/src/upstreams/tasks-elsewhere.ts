/** Tasks at the endpoint of a server that its callers have sessions of their own with. */
import type { Hear, WireCall, WireOutcome, WirePolicy } from '@mayday/relay';
import { begunElsewhere, isOfOneTask } from '../call/tasks-once.ts';
import type { TaskRunners } from './task-runners.ts';

/**
 * What began in a conversation of the gateway's is asked there. What began in another session of the caller's is asked for in
 * this one, which is the caller's too; without a session, the id may be that of anybody's task.
 */
export function tasksElsewhere(runners: () => readonly TaskRunners[], hear: Hear): WirePolicy {
  return (next) => async (call) => {
    if (!isOfOneTask(call) || call.begun === 'here') return next(call);
    for (const tasks of runners()) {
      const running = await tasks.elsewhere(call, hear);
      if (running !== undefined) return running;
    }
    if (call.begun !== 'elsewhere') return next(call);
    const id = String(call.params()?.['taskId']);
    const outcome = call.session === undefined ? undefined : await next(call);
    return outcome === undefined || isUnknownThere(call, outcome) ? begunElsewhere(call, id) : outcome;
  };
}

const NONE: ReadonlySet<string> = new Set(['not_found', 'invalid_arguments', 'invalid_request']);

/** That a task cannot be cancelled any more has the same code. */
function isUnknownThere(call: WireCall, outcome: WireOutcome): boolean {
  if (outcome.ok || outcome.answered !== true) return false;
  const { value } = outcome;
  const isEnd = value !== undefined && value.type !== 'answer' && value.heard?.task !== undefined;
  return !isEnd && call.method !== 'tasks/cancel' && NONE.has(outcome.fault.kind);
}
