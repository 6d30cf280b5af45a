/** A limit on calls in any window of time, for each caller and target. */
import { makeFault } from '@mayday/core';
import { admit, type Check } from '../admit.ts';
import { countedUnder, waitIn } from '../answers.ts';
import type { Call } from '../call.ts';
import { callable, integer, milliseconds, type OptionNames, oneOf, onlyKnown } from '../check.ts';
import { type Clock, systemClock } from '../clock.ts';
import { isPromise } from '../events.ts';
import type { Refusal } from '../outcome.ts';
import type { Policy } from '../policy.ts';
import { createMemoryRateStore, type RateStore } from './rate-store.ts';

/** How often a caller may call. */
export interface RateOptions<C extends Call = Call> {
  /** Calls in any window. */
  readonly limit: number;
  readonly windowMs: number;
  /** What is counted together: each caller and target (the default), each caller, or whatever a function says. */
  readonly per?: 'caller-and-target' | 'caller' | ((call: C) => string) | undefined;
  /** Is the target one that exists? Those that do not are counted together. By default all are. */
  readonly isKnown?: ((call: C) => boolean) | undefined;
  /** Where counts are kept; in memory, if absent. */
  readonly store?: RateStore | undefined;
  /** When the store fails: `closed` (the default) refuses, `open` lets through. */
  readonly whenStoreFails?: 'open' | 'closed' | undefined;
  /** What the caller is told. */
  readonly message?: string | undefined;
  readonly clock?: Pick<Clock, 'now'> | undefined;
}

const OPTIONS: OptionNames<RateOptions> = {
  limit: true,
  windowMs: true,
  per: true,
  isKnown: true,
  store: true,
  whenStoreFails: true,
  message: true,
  clock: true,
};

/** Refuses calls beyond a rate with `rate_limited` and the exact wait until the next one fits. */
export function rate<T, C extends Call>(options: RateOptions<C>): Policy<T, C> {
  onlyKnown<RateOptions<C>>('`rate`', options, OPTIONS);
  return admit(rateCheck(options));
}

/** The same, as a check. */
export function rateCheck<C extends Call>(options: RateOptions<C>): Check<C> {
  const limit = integer('limit', options.limit, options.limit, 1);
  const windowMs = milliseconds('windowMs', options.windowMs, options.windowMs);
  if (typeof options.per !== 'function')
    oneOf('per', options.per, ['caller-and-target', 'caller'], ', or a function');
  oneOf('whenStoreFails', options.whenStoreFails, ['closed', 'open']);
  callable('isKnown', options.isKnown);
  const { per = 'caller-and-target', isKnown = () => true, whenStoreFails = 'closed' } = options;
  const { store = createMemoryRateStore(), clock = systemClock, message = 'Rate limit exceeded' } = options;
  const keyOf =
    typeof per === 'function'
      ? (call: C) => countedUnder(per(call))
      : (call: C) => defaultKey(call, per, isKnown);

  const judge = (answer: unknown): Refusal | undefined => {
    const afterMs = waitIn(answer);
    if (afterMs === 0) return undefined;
    const details = { limit, window_ms: windowMs };
    const fault = makeFault({ kind: 'rate_limited', executed: 'no', message, retry: { afterMs }, details });
    return { fault, by: 'rate', waitMs: afterMs };
  };
  const failed = (cause: unknown): Refusal | undefined => {
    if (whenStoreFails === 'open') return undefined;
    const told = {
      kind: 'unavailable',
      origin: 'local',
      executed: 'no',
      message: 'The rate limiter is not available',
    } as const;
    return { fault: makeFault(told), by: 'rate', reason: String(cause) };
  };
  return (call) => {
    const key = keyOf(call); // what fails here is no store's failure
    try {
      const taken: unknown = store.take({ key, limit, windowMs, now: clock.now() });
      return isPromise(taken) ? Promise.resolve(taken).then(judge).catch(failed) : judge(taken);
    } catch (cause) {
      return failed(cause);
    }
  };
}

/** Callers without an identity share one bucket: they cannot escape it by being anonymous. */
function defaultKey<C extends Call>(
  call: C,
  per: 'caller-and-target' | 'caller',
  isKnown: (call: C) => boolean,
): string {
  const { caller = null, target = null, method = 'tools/call' } = call;
  if (per === 'caller') return JSON.stringify([caller]);
  return JSON.stringify(isKnown(call) ? [caller, method, target] : [caller]);
}
