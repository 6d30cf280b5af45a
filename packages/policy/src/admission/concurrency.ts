/**
 * A limit on calls at a time. A place is free again when the work really ends, not when somebody stops
 * waiting for it: a handler that ignores its signal still costs what it costs.
 */
import { type Fault, makeFault } from '@mayday/core';
import { countedUnder } from '../answers.ts';
import { type Call, executedSoFar } from '../call.ts';
import { callable, integer, milliseconds, type OptionNames, onlyKnown } from '../check.ts';
import { type Clock, systemClock } from '../clock.ts';
import { isPromise } from '../events.ts';
import { cutOff } from '../local-faults.ts';
import { type Failed, type Outcome, refuse } from '../outcome.ts';
import type { Policy } from '../policy.ts';
import { openScope } from '../scope.ts';
import { sound } from '../sound.ts';
import { type ConcurrencyStore, createMemoryPlaces, type Place, placeIn } from './places.ts';

/** How many calls may run at a time. */
export interface ConcurrencyOptions<C extends Call = Call> {
  readonly limit: number;
  /** How many may wait beyond that. Default 0. */
  readonly queue?: number | undefined;
  /** How long one waits at most, within its deadline. Default: the call's own patience, or its deadline. */
  readonly waitMs?: number | undefined;
  /** What is counted together; everything, if absent. */
  readonly per?: ((call: C) => string) | undefined;
  /**
   * After an outcome that did not wait for the work, the place is held so long at most. Default: until the
   * work ends, however long that takes.
   */
  readonly graceMs?: number | undefined;
  readonly store?: ConcurrencyStore | undefined;
  readonly clock?: Clock | undefined;
}

const OPTIONS: OptionNames<ConcurrencyOptions> = {
  limit: true,
  queue: true,
  waitMs: true,
  per: true,
  graceMs: true,
  store: true,
  clock: true,
};

/** Lets so many calls run at a time; the rest wait in line, or are refused with `overloaded`. */
export function concurrency<T, C extends Call>(options: ConcurrencyOptions<C>): Policy<T, C> {
  onlyKnown<ConcurrencyOptions<C>>('`concurrency`', options, OPTIONS);
  callable('per', options.per);
  const limit = integer('limit', options.limit, options.limit, 1);
  const queue = integer('queue', options.queue, 0, 0);
  const graceMs = milliseconds('graceMs', options.graceMs, Number.POSITIVE_INFINITY);
  const waitMs = milliseconds('waitMs', options.waitMs, Number.POSITIVE_INFINITY);
  const { store = createMemoryPlaces(), clock = systemClock, per = () => '' } = options;

  async function place(call: C): Promise<Place | Failed<never>> {
    const { deadline, signal } = call;
    const timeoutMs = Math.max(0, Math.min(waitMs, call.patienceMs ?? Number.POSITIVE_INFINITY));
    const scope = openScope({ clock, deadline, signal, timeoutMs });
    try {
      const key = countedUnder(per(call));
      const given = placeIn(await store.acquire({ key, limit, queue, signal: scope.signal }));
      if (given !== undefined) return given;
    } finally {
      scope.close();
    }
    if (scope.ended === 'cancelled' || scope.ended === 'deadline') {
      const fault = cutOff(scope.ended, executedSoFar(call.progress));
      return { ok: false, fault, ended: scope.ended, reason: 'The call ended in line; nothing was sent' };
    }
    const reason = 'No place became free in time; nothing was sent';
    return { ...refuse({ fault: tooMany(call, limit), by: 'concurrency' }), reason };
  }

  return (next) => async (call) => {
    const given = await place(call);
    if ('ok' in given) return given;
    let outcome: Outcome<T> | undefined;
    try {
      outcome = sound(await next(call));
      return outcome;
    } finally {
      void giveBack(given, outcome, graceMs, clock);
    }
  };
}

/** Frees the place when the work has ended, or its grace is over. */
async function giveBack<T>(
  place: Place,
  outcome: Outcome<T> | undefined,
  graceMs: number,
  clock: Clock,
): Promise<void> {
  const rest = restOf(outcome);
  let stop: (() => void) | undefined;
  if (rest !== undefined) {
    const over = new Promise<void>((resolve) => {
      if (graceMs < Number.POSITIVE_INFINITY) stop = clock.timer(graceMs, resolve);
    });
    await Promise.race([rest.catch(() => undefined), over]);
    stop?.();
  }
  // A store that cannot take a place back lets its lease run out; there is nobody left to tell.
  await Promise.resolve()
    .then(() => place.release())
    .catch(() => undefined);
}

/** The work that goes on. A policy of somebody's own may give anything for it, and the place must come back all the same. */
function restOf(outcome: Outcome<unknown> | undefined): Promise<unknown> | undefined {
  try {
    const rest: unknown = outcome?.ok === false ? outcome.rest : undefined;
    return isPromise(rest) ? Promise.resolve(rest) : undefined;
  } catch {
    return undefined;
  }
}

/** Too many calls are under way. */
function tooMany(call: Call, limit: number): Fault {
  const { upstream } = call;
  return makeFault({
    kind: 'overloaded',
    origin: 'local',
    executed: executedSoFar(call.progress),
    subject: { type: 'upstream', id: upstream },
    message: `Not sent: ${limit} calls to ${upstream} are under way and no place became free`,
    retry: { when: 'after_wait', afterMs: 1000 },
    details: { limit },
  });
}
