/**
 * Hedging: a second attempt beside a slow first one; the first success wins and the other is called off.
 * Only for reads: two writes at the same time can do harm that one after the other does not, with a key or without.
 */
import { isRead } from '@mayday/core/plan';
import type { Call } from '../call.ts';
import { integer, milliseconds, type OptionNames, onlyKnown } from '../check.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Outcome } from '../outcome.ts';
import type { Handler, Policy } from '../policy.ts';
import { type AsKnown, knownNow } from './as-known.ts';
import type { Budget } from './budget.ts';

/** When a second attempt is made. */
export interface HedgeOptions {
  readonly afterMs: number;
  /** Of a call in all: the second one is an attempt like any other, and is not made beyond them. Default: no limit. */
  readonly attempts?: number | undefined;
  /** Asked before the second attempt starts. */
  readonly budget?: Budget | undefined;
  /** The call with what is known about it by now: a tool may no longer say that it only reads. */
  readonly asKnown?: AsKnown | undefined;
  readonly clock?: Clock | undefined;
}

const OPTIONS: OptionNames<HedgeOptions> = {
  afterMs: true,
  attempts: true,
  budget: true,
  asKnown: true,
  clock: true,
};

/** Starts a second attempt beside one that is not done in time. */
export function hedge<T, C extends Call>(options: HedgeOptions): Policy<T, C> {
  onlyKnown('`hedge`', options, OPTIONS);
  const { budget, asKnown, clock = systemClock } = options;
  const { attempts } = options;
  if (attempts !== undefined) integer('attempts', attempts, 1, 1);
  const afterMs = milliseconds('afterMs', options.afterMs, options.afterMs);
  return (next) => async (call) => {
    const isLast = attempts !== undefined && call.attempt >= attempts;
    if (call.once === true || isLast || !isRead(call)) return next(call);
    const first = start(next, call);
    let stop: () => void = () => undefined;
    const late = new Promise<'late'>((resolve) => {
      stop = clock.timer(afterMs, () => {
        void Promise.resolve(clock.caughtUp?.()).then(() => resolve('late'));
      });
    });
    const early = await Promise.race([first.outcome, late]);
    stop();
    if (early !== 'late') return early;
    const known = knownNow(call, asKnown);
    if (known === undefined || !isRead(known)) return first.outcome;
    if (budget?.withdraw(call.caller) === false) return first.outcome;
    call.progress.attempts += 1; // beside the one that is counted by whoever has sent it here
    const second = start(next, { ...call, attempt: call.attempt + 1 });
    const [winner, outcome] = await Promise.race([
      first.outcome.then((value) => [first, value] as const),
      second.outcome.then((value) => [second, value] as const),
    ]);
    const other = winner === first ? second : first;
    if (!outcome.ok && outcome.committed !== true) return other.outcome;
    other.callOff();
    return outcome;
  };
}

interface Runner<T> {
  readonly outcome: Promise<Outcome<T>>;
  callOff(): void;
}

function start<T, C extends Call>(next: Handler<T, C>, call: C): Runner<T> {
  const own = new AbortController();
  const { signal } = call;
  const follow = (): void => own.abort(signal?.reason);
  if (signal?.aborted === true) follow();
  else signal?.addEventListener('abort', follow, { once: true });
  const outcome = next({ ...call, signal: own.signal }).finally(() => {
    signal?.removeEventListener('abort', follow);
  });
  return { outcome, callOff: () => own.abort(new DOMException('Another attempt was faster', 'AbortError')) };
}
