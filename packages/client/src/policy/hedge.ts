/**
 * Hedging: a second attempt beside a slow first one; the first success wins and the other is called off.
 * Only for calls that can be made twice without harm.
 */
import type { Clock } from './clock.ts';

/** Runs the attempt, and a second one if the first is not done in time. */
export interface HedgeOptions<T> {
  readonly clock: Clock;
  readonly afterMs: number;
  /** Asked before the second attempt starts: a budget may refuse it. */
  readonly allowed: () => boolean;
  /** A result that ends the race; any other waits for the second attempt. */
  readonly good: (outcome: T) => boolean;
}

/** One attempt of a race, and how to call it off. */
export interface Runner<T> {
  readonly outcome: Promise<T>;
  callOff(): void;
}

/** Races two attempts, the second one started late. */
export async function hedge<T>(start: () => Runner<T>, options: HedgeOptions<T>): Promise<T> {
  const { clock, afterMs, allowed, good } = options;
  const first = start();
  let stop: () => void = () => undefined;
  const late = new Promise<'late'>((resolve) => {
    stop = clock.timer(afterMs, () => resolve('late'));
  });
  const early = await Promise.race([first.outcome, late]);
  stop();
  if (early !== 'late') return early;
  if (!allowed()) return first.outcome;
  const second = start();
  const [winner, outcome] = await Promise.race([
    first.outcome.then((value) => [first, value] as const),
    second.outcome.then((value) => [second, value] as const),
  ]);
  const other = winner === first ? second : first;
  if (!good(outcome)) return other.outcome;
  other.callOff();
  return outcome;
}
