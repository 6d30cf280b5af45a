/**
 * Calls with a key that were refused before their work began. Nothing of them is stored, so a caller that lost the
 * refusal, and has to say that its call may have been executed, would find nothing known here. That is known instead.
 */
import { ATTEMPT_KEY } from '@mayday/core/protocol';
import type { Call } from '@mayday/policy';
import type { Clock } from '../clock.ts';
import type { RequestState } from './request-state.ts';

/** More are not remembered: a repeat of an older one is refused, as one of an unknown call is. */
const MAX_KNOWN = 10_000;

/** By key: the attempt up to which nothing was executed; 0 where the caller does not count. */
const known = new WeakMap<Clock, Map<string, number>>();

/** This attempt did not begin, and of those before it either the caller or this process knows the same. */
export function noteUnbegun(clock: Clock, call: Call, state: RequestState): void {
  const attempts = known.get(clock) ?? new Map<string, number>();
  known.set(clock, attempts);
  const id = idOf(call);
  attempts.delete(id);
  attempts.set(id, attemptOf(state) ?? 0);
  if (attempts.size > MAX_KNOWN) attempts.delete(attempts.keys().next().value as string);
}

/** The work of the call began. */
export function forgetUnbegun(clock: Clock, call: Call): void {
  known.get(clock)?.delete(idOf(call));
}

/**
 * Is it certain that no earlier attempt was executed? On a connection of its own all of them came here. Elsewhere one
 * may have gone to another process, so this has to be the attempt right after the one that was refused here.
 */
export function isKnownUnbegun(
  clock: Clock,
  call: Call,
  state: RequestState,
  isConnection: boolean,
): boolean {
  const last = known.get(clock)?.get(idOf(call));
  if (last === undefined) return false;
  return isConnection || (last > 0 && attemptOf(state) === last + 1);
}

function idOf({ caller, upstream, target, idempotencyKey }: Call): string {
  return JSON.stringify([caller, upstream, target, idempotencyKey]);
}

function attemptOf(state: RequestState): number | undefined {
  const attempt = state.meta(ATTEMPT_KEY);
  return Number.isSafeInteger(attempt) && (attempt as number) > 0 ? (attempt as number) : undefined;
}
