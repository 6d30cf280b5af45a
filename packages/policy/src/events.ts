/** What happens during calls, as events: for logs, metrics and tests. */
import type { Fault } from '@mayday/core';
import type { Plan } from '@mayday/core/plan';
import type { Call } from './call.ts';
import type { Outcome } from './outcome.ts';
import type { BreakerState } from './resilience/breaker.ts';

/** One thing that happened. */
export type CallEvent =
  | { readonly type: 'start'; readonly call: Call }
  | { readonly type: 'attempt'; readonly call: Call; readonly attempt: number }
  | ({ readonly type: 'fault' } & FaultEvent)
  | {
      readonly type: 'refused';
      readonly call: Call;
      /** The policy that refused: `upstream` and `target` are circuits, then `pace`, `concurrency`, `budget`. */
      readonly by: string;
      readonly fault: Fault;
      /** How long the call waits for another chance; absent when it ends here. */
      readonly waitMs?: number | undefined;
    }
  | { readonly type: 'recovered'; readonly call: Call; readonly fault: Fault }
  | {
      readonly type: 'end';
      readonly call: Call;
      readonly outcome: Outcome<unknown>;
      readonly attempts: number;
      readonly elapsedMs: number;
      readonly budget: number | undefined;
    }
  | { readonly type: 'session'; readonly upstream: string; readonly elapsedMs: number }
  | {
      readonly type: 'circuit';
      readonly upstream: string;
      /** Absent for the upstream's own circuit. */
      readonly target?: string | undefined;
      /** Whose calls it is about, where that is not everybody. */
      readonly caller?: string | undefined;
      readonly session?: string | undefined;
      readonly state: BreakerState;
    };

/** A failed attempt and what follows it. */
export interface FaultEvent {
  readonly call: Call;
  readonly fault: Fault;
  readonly attempt: number;
  /** What follows, and why. */
  readonly plan: Plan;
}

/** Listens to events. What it throws or rejects with is ignored: a broken listener must not break a call. */
export type Listener = (event: CallEvent) => void;

/** One listener out of several, safe to call. */
export function joinListeners(listeners: readonly (Listener | undefined)[]): Listener {
  const given = listeners.filter((listener) => listener !== undefined);
  return (event) => {
    for (const listener of given) {
      try {
        hush(listener(event));
      } catch {
        // The call matters more than whoever watches it.
      }
    }
  };
}

/** Takes a promise that nobody waits for, so that its rejection does not end the process. */
export function hush(given: unknown): void {
  if (isPromise(given)) given.then(undefined, () => undefined); // The call matters more than whoever watches it.
}

/** Is it something to wait for? */
export function isPromise(given: unknown): given is PromiseLike<unknown> {
  return (
    typeof given === 'object' && given !== null && typeof (given as { then?: unknown }).then === 'function'
  );
}
