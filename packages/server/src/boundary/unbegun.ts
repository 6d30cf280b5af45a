/**
 * Calls with a key that did nothing here: refused before their work began. Nothing of them is stored, so a caller that lost the answer, and has to say that its call may have been executed, would find nothing known
 * here. That is known instead.
 */
import { ATTEMPT_KEY, CALL_KEY } from '@mayday/core/protocol';
import { type Call, setLast } from '@mayday/policy';
import type { Clock } from '../clock.ts';
import type { RequestState } from './request-state.ts';

/** More are not remembered: a repeat of an older one is refused, as one of an unknown call is. */
const MAX_KNOWN = 10_000;

/** Longer than anybody goes on with one call. */
const KEPT_MS = 600_000;

/** Up to which attempt of which call nothing was executed. */
interface Note {
  /** 0 where the caller does not count. */
  readonly attempt: number;
  /** The caller's name for the call, of which it counts the attempts; another call under the key starts anew. */
  readonly call: unknown;
  readonly until: number;
}

/** By key. */
const known = new WeakMap<Clock, Map<string, Note>>();

/** This attempt did not begin, and of those before it either the caller or this process knows the same. */
export function noteUnbegun(clock: Clock, call: Call, state: RequestState): void {
  const notes = known.get(clock) ?? new Map<string, Note>();
  known.set(clock, notes);
  const note = {
    attempt: attemptOf(state) ?? 0,
    call: state.meta(CALL_KEY),
    until: timeOf(clock) + KEPT_MS,
  };
  setLast(notes, idOf(call), note, MAX_KNOWN);
}

/** The work of the call began. */
export function forgetUnbegun(clock: Clock, call: Call): void {
  known.get(clock)?.delete(idOf(call));
}

/**
 * Is it certain that no earlier attempt was executed? On a connection of its own all of them came here. Elsewhere one
 * may have gone to another process, so this has to be the attempt right after the one that was refused here, and of the
 * same call: the next one under its key begins with 1 again.
 */
export function isKnownUnbegun(
  clock: Clock,
  call: Call,
  state: RequestState,
  isConnection: boolean,
): boolean {
  const last = known.get(clock)?.get(idOf(call));
  if (last === undefined || last.until <= timeOf(clock)) return false;
  if (isConnection) return true;
  const isSame = typeof last.call === 'string' && last.call === state.meta(CALL_KEY);
  return isSame && last.attempt > 0 && attemptOf(state) === last.attempt + 1;
}

function timeOf(clock: Clock): number {
  return clock.monotonic?.() ?? clock.now();
}

function idOf({ caller, upstream, target, idempotencyKey }: Call): string {
  return JSON.stringify([caller, upstream, target, idempotencyKey]);
}

function attemptOf(state: RequestState): number | undefined {
  const attempt = state.meta(ATTEMPT_KEY);
  return Number.isSafeInteger(attempt) && (attempt as number) > 0 ? (attempt as number) : undefined;
}
