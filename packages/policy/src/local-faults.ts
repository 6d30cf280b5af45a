/** Faults that arise here, before or instead of an answer. Their origin says so. */
import { type Executed, type Fault, makeFault } from '@mayday/core';
import type { Ended } from './scope.ts';

/** A call that was cut off before its answer came: by its deadline, its attempt's time, or its caller. */
export function cutOff(ended: Ended, executed: Executed, afterMs?: number): Fault {
  if (ended === 'cancelled' || ended === 'superseded') {
    const message = 'The caller cancelled the call';
    return makeFault({ kind: 'cancelled', origin: 'local', executed, message });
  }
  const after = afterMs === undefined ? '' : ` within ${Math.max(1, Math.floor(afterMs))} ms`;
  const why = ended === 'deadline' ? ': the deadline of the call has passed' : '';
  return makeFault({ kind: 'timeout', origin: 'local', executed, message: `No answer${after}${why}` });
}

/** The call was not sent because a circuit is open: the upstream's, or that of the call's target. */
export function circuitOpen(
  name: string,
  aimed: { readonly target?: string | undefined; readonly method?: string | undefined } | undefined,
  afterMs: number,
): Fault {
  const target = aimed?.target;
  const type = subjectOf(aimed?.method);
  return makeFault({
    kind: 'unavailable',
    origin: 'local',
    executed: 'no',
    subject: target === undefined ? { type: 'upstream', id: name } : { type, id: target },
    // With what it is: whoever gives it another name on the way finds it by that.
    message: `Not sent: ${target === undefined ? name : `the ${type} ${target}`} has failed repeatedly and is left alone for now`,
    retry: { when: 'after_wait', afterMs },
  });
}

function subjectOf(method: string | undefined): string {
  if (method === 'prompts/get') return 'prompt';
  return method === 'resources/read' ? 'resource' : 'tool';
}

/** The call was not sent because the upstream has asked for fewer calls. */
export function paceExceeded(name: string, afterMs: number): Fault {
  return makeFault({
    kind: 'overloaded',
    origin: 'local',
    executed: 'no',
    subject: { type: 'upstream', id: name },
    message: `Not sent: ${name} has asked for fewer calls, and too many are in line`,
    retry: { when: 'after_wait', afterMs },
  });
}
