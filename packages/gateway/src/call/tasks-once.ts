/** A task is gone with the process that ran it: of another one there is nothing to ask about it. */
import { type Fault, makeFault } from '@mayday/core';
import { passing } from '@mayday/policy';
import { lost, type WireCall, type WireOutcome, type WirePolicy } from '@mayday/relay';

/** Around what is asked of a process. What names a task is asked once, and its end is told as that of the task. */
export function tasksOnce(): WirePolicy {
  return passing({
    before: (call) => (isOfOneTask(call) ? { ...call, once: true } : call),
    after: (outcome, call) => (isOfOneTask(call) ? ofTask(outcome) : outcome),
  });
}

/** Does it ask for one task, by its id? */
export function isOfOneTask({ method }: Pick<WireCall, 'method'>): boolean {
  return method.startsWith('tasks/') && method !== 'tasks/list';
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

/** Nobody is left who could be asked about this task. */
export function endedWithServer(call: WireCall, id: string, ran: 'process' | 'session'): WireOutcome {
  const fault = {
    kind: 'disconnected',
    origin: 'upstream',
    executed: 'maybe',
    retryable: false, // it does not come back, however often somebody asks
    subject: { type: 'task', id },
    message:
      ran === 'process'
        ? 'The server process that ran the task has ended'
        : 'The session with the server in which the task ran has ended',
    advice: ADVICE,
  } as const;
  return { ...lost(call, fault), answered: true };
}

/** What runs for a client of one revision has no words for a client of another. */
export function begunInAnother(call: WireCall, id: string, revision: string): WireOutcome {
  return lost(call, {
    kind: 'unsupported',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'task', id },
    message: `The task was started in revision ${revision} of the protocol, and is known only there`,
    advice: `Ask for it as a client of ${revision}.`,
  });
}

/** What runs in one session may have the name of something else in another. */
export function begunElsewhere(call: WireCall, id: string): WireOutcome {
  return lost(call, {
    kind: 'unsupported',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'task', id },
    message: 'The task was started in another session with its server, and is known only there',
    advice: 'Ask for it where it was started: in the same session, or without one where there was none.',
  });
}

const ADVICE =
  'The task has ended with its server, and is not known any more. Check what it has done before you start it again.';
