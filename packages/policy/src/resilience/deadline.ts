/** The deadline of a whole call: everything below knows it, and nothing below can outlive it. */

import type { Fault } from '@mayday/core';
import { type Call, executedSoFar } from '../call.ts';
import { milliseconds, type OptionNames, onlyKnown } from '../check.ts';
import { type Clock, systemClock } from '../clock.ts';
import { cutOff } from '../local-faults.ts';
import type { Outcome } from '../outcome.ts';
import type { Handler, Policy } from '../policy.ts';
import { type Ended, openScope } from '../scope.ts';

/** How long a call may take. */
export interface DeadlineOptions<C extends Call = Call> {
  /** For all attempts and waits together; `false` for ever. A deadline that came with the call counts too. */
  readonly ms: number | false | ((call: C) => number | false);
  readonly clock?: Clock | undefined;
}

const OPTIONS: OptionNames<DeadlineOptions> = { ms: true, clock: true };

/**
 * Ends a call when its time is over or its caller gives up, even if what is below ignores the signal. The
 * outcome carries the work that goes on (`rest`), and says `executed: no` if none of it had begun. What comes too
 * late already is not begun.
 */
export function deadline<T, C extends Call>(options: DeadlineOptions<C>): Policy<T, C> {
  onlyKnown<DeadlineOptions<C>>('`deadline`', options, OPTIONS);
  const { ms, clock = systemClock } = options;
  if (ms !== false && typeof ms !== 'function') milliseconds('ms', ms, ms);
  return (next) => async (call) => {
    const startedAt = clock.now();
    const own = typeof ms === 'function' ? ms(call) : ms;
    const until = Math.min(
      call.deadline,
      call.above?.deadline ?? Number.POSITIVE_INFINITY,
      own === false ? Number.POSITIVE_INFINITY : startedAt + own,
    );
    const { signal } = call;
    const scope = openScope({ clock, deadline: until, signal, timeoutMs: Number.POSITIVE_INFINITY });
    const fault = (ended: Ended): Fault =>
      cutOff(ended, executedSoFar(call.progress), clock.now() - startedAt);
    // Nobody waits for what would begin now.
    const already = until <= startedAt ? 'deadline' : scope.ended;
    if (already !== undefined) {
      scope.close();
      return { ok: false, fault: fault(already), ended: already, reason: NOT_BEGUN[already] };
    }
    const running = begun(next, { ...call, deadline: until, signal: scope.signal });
    let stop: (() => void) | undefined;
    const cut = new Promise<Outcome<T>>((resolve) => {
      const giveUp = (): void => {
        const ended = scope.ended ?? 'cancelled';
        resolve({ ok: false, fault: fault(ended), ended, rest: running });
      };
      // Those below hear the same signal; one turn of the loop lets them say more than we could.
      const onAbort = (): void => {
        stop = clock.timer(0, giveUp);
      };
      scope.signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([running, cut]);
    } finally {
      scope.close();
      stop?.();
    }
  };
}

const NOT_BEGUN: { readonly [ended in Ended]?: string } = {
  deadline: 'Not begun: the deadline had passed already',
  cancelled: 'Not begun: the caller had given up already',
};

/** Whoever throws at once is heard like whoever throws later: what was set for the call has to be taken back. */
async function begun<T, C extends Call>(next: Handler<T, C>, call: C): Promise<Outcome<T>> {
  return next(call);
}
