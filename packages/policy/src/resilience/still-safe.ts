/**
 * What allowed a repetition is looked at again right before it goes out: a call may wait for a minute, and a tool may say by
 * then that it does more than read.
 */
import { makeFault } from '@mayday/core';
import { safetyOf } from '@mayday/core/plan';
import type { Call } from '../call.ts';
import { type Clock, systemClock } from '../clock.ts';
import { type Outcome, refuse } from '../outcome.ts';
import { passing } from '../passing.ts';
import type { Policy } from '../policy.ts';
import { type AsKnown, knownNow } from './as-known.ts';

/**
 * Refuses another attempt at what may have been executed, where that could do harm by what is known now, and sends any other as
 * the call that is known now. Whoever sends it finds read what has come until then, and decides by that too.
 */
export function stillSafe<T, C extends Call>(
  asKnown: AsKnown | undefined,
  clock: Clock = systemClock,
): Policy<T, C> {
  async function again(call: C): Promise<C | Outcome<T>> {
    await clock.caughtUp?.();
    const { executed } = call.progress;
    if (executed === 'no') return call;
    const known = knownNow(call, asKnown);
    if (known === undefined) return changed('asKnown gave no call');
    const { safe, because } = safetyOf(known, executed);
    return safe ? known : changed(`${because}, and it could happen twice`);
  }
  return passing<T, C>({ before: (call) => (call.progress.attempts === 0 ? call : again(call)) });
}

function changed<T>(why: string): Outcome<T> {
  const message = `Not sent: ${why}`;
  const fault = makeFault({ kind: 'conflict', origin: 'local', executed: 'no', retryable: false, message });
  return refuse({ by: 'safety', fault });
}
