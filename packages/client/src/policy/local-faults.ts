/** Faults that arise here, before or instead of an answer. Their origin says so. */
import { type Fault, makeFault } from '@mayday/core';

/** What can go wrong on this side. */
export type LocalFault = 'cancelled' | 'deadline' | 'attempt_timeout';

/** A fault of this side's own making. */
export function localFault(what: LocalFault, details: { readonly ms?: number } = {}): Fault {
  if (what === 'cancelled') {
    return makeFault({ kind: 'cancelled', origin: 'local', message: 'The caller cancelled the call' });
  }
  const after = details.ms === undefined ? '' : ` within ${details.ms} ms`;
  if (what === 'deadline') {
    const message = `No answer${after}: the deadline of the call has passed`;
    return makeFault({ kind: 'timeout', origin: 'local', message });
  }
  return makeFault({ kind: 'timeout', origin: 'local', message: `No answer${after}` });
}

/** The call was not sent because the circuit is open. */
export function circuitOpen(name: string, target: string | undefined, afterMs: number): Fault {
  return makeFault({
    kind: 'unavailable',
    origin: 'local',
    executed: 'no',
    subject: target === undefined ? { type: 'upstream', id: name } : { type: 'tool', id: target },
    message: `Not sent: ${target ?? name} has failed repeatedly and is left alone for now`,
    retry: { when: 'after_wait', afterMs },
  });
}

/** The call was not sent because too many are under way. */
export function lineFull(name: string, active: number): Fault {
  return makeFault({
    kind: 'overloaded',
    origin: 'local',
    executed: 'no',
    subject: { type: 'upstream', id: name },
    message: `Not sent: ${active} calls to ${name} are under way and no place became free`,
    retry: { when: 'after_wait', afterMs: 1000 },
  });
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
