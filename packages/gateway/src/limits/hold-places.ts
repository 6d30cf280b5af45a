/** So many calls may be under way at a time. */
import { makeFault } from '@mayday/core';
import { type Failed, type Place, refuse } from '@mayday/policy';
import type { WireOutcome, WirePolicy } from '@mayday/relay';
import { restOf } from '../call/go-on.ts';
import type { Settings } from '../settings/settings.ts';
import { type LimitKeeper, notCounted } from './keeper.ts';
import { namedIn, type Scope, scopesOf } from './scope.ts';

type PlaceSettings = Settings['limits']['concurrency'][number];

/**
 * Refuses a call when one of the limits has no place for it. A place is free again when the work ends, and not when
 * somebody stops waiting for it: a call with a key goes on without its caller.
 */
export function holdPlaces(
  settings: readonly PlaceSettings[],
  { places: store, isOpen }: LimitKeeper,
): WirePolicy {
  const scopes = scopesOf(settings, () => []);
  const limits = settings.map(({ calls }, i) => ({ ...(scopes[i] as Scope), limit: calls }));
  return (next) => async (call) => {
    const named = namedIn(call);
    const wishes: { readonly key: string; readonly limit: number }[] = [];
    if (named !== undefined)
      for (const { fits, keyOf, limit } of limits) if (fits(named)) wishes.push({ key: keyOf(call), limit });
    if (wishes.length === 0) return next(call);
    let place: Place | undefined;
    try {
      const asked = store.acquireAll(wishes);
      place = asked instanceof Promise ? await asked : asked;
    } catch (thrown) {
      return isOpen(thrown) ? next(call) : notCounted(thrown);
    }
    if (place === undefined) return tooMany(wishes.map(({ limit }) => limit));
    try {
      return await next(call);
    } finally {
      giveBack(place, restOf(call));
    }
  };
}

/** A store that cannot take a place back lets its lease run out; there is nobody left to tell. */
function giveBack(place: Place, rest: Promise<WireOutcome> | undefined): void {
  const release = (): void => {
    try {
      const released = place.release();
      if (released instanceof Promise) released.catch(ignore);
    } catch {
      ignore();
    }
  };
  if (rest === undefined) release();
  else rest.then(release, release);
}

function ignore(): void {}

/** Which of several limits it was is not known. */
function tooMany(limits: readonly number[]): Failed<never> {
  const [limit, another] = limits;
  const isOne = limit !== undefined && another === undefined;
  const most = isOne ? `: at most ${limit} may be under way` : '';
  const fault = makeFault({
    kind: 'overloaded',
    origin: 'gateway',
    executed: 'no',
    message: `Too many calls at a time${most}; nothing was sent`,
    details: isOne ? { limit } : undefined,
  });
  return refuse({ fault, by: 'concurrency' });
}
