/**
 * Calls with a key whose work began here, by the name of their caller and by what it was sent with: somebody who is
 * refused before anybody can say who it is comes with the same proofs.
 */
import { type Call, dropOldest, setLast } from '@mayday/policy';
import type { Clock } from '../clock.ts';

/** More are not remembered by name; of those nobody can say any more that they were not made. */
const MAX_KNOWN = 10_000;

interface Begun {
  readonly until: Map<string, number>;
  /** Until when something may have been made that is not remembered. */
  forgottenUntil: number;
}

const known = new WeakMap<Clock, Begun>();

type Named = Pick<Call, 'caller' | 'upstream' | 'target' | 'idempotencyKey'>;

/** The work of the call begins; its answer is kept for `keptMs`. */
export function noteBegun(clock: Clock, calls: readonly Named[], keptMs: number): void {
  const begun: Begun = known.get(clock) ?? { until: new Map(), forgottenUntil: Number.NEGATIVE_INFINITY };
  known.set(clock, begun);
  const { until } = begun;
  for (const call of calls) setLast(until, idOf(call), timeOf(clock) + keptMs, Infinity);
  dropOldest(until, MAX_KNOWN, (id) => {
    begun.forgottenUntil = Math.max(begun.forgottenUntil, until.get(id) as number);
  });
}

/** Nothing was done after all. */
export function forgetBegun(clock: Clock, calls: readonly Named[]): void {
  for (const call of calls) known.get(clock)?.until.delete(idOf(call));
}

/** May the work of one of these have begun here? */
export function mayHaveBegunHere(clock: Clock, calls: readonly Named[]): boolean {
  const begun = known.get(clock);
  if (begun === undefined) return false;
  const now = timeOf(clock);
  return begun.forgottenUntil > now || calls.some((call) => (begun.until.get(idOf(call)) ?? now) > now);
}

function timeOf(clock: Clock): number {
  return clock.monotonic?.() ?? clock.now();
}

function idOf({ caller, upstream, target, idempotencyKey }: Named): string {
  return JSON.stringify([caller, upstream, target, idempotencyKey]);
}
