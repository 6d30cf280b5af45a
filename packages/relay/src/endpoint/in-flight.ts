/** Calls in flight: counted, waited for, and ended when the waiting is over. */
import type { FaultInit } from '@mayday/core';
import { CallEnded } from './call.ts';
import { createPlaces } from './places.ts';

/** What a call is ended by. */
export type Ends = Pick<AbortController, 'abort'>;

/** Where a closing endpoint looks for what is still open. */
export interface InFlight {
  readonly size: number;
  /** Takes a call in; what it gives takes it out again. `isStanding`: it never ends by itself. */
  add(controller: Ends, isStanding?: boolean): () => void;
  /** What never ends by itself is ended after this long. */
  endStanding(graceMs: number): void;
  /** Settles when nothing is open any more. After `graceMs`, the shortest of several, what is left is ended. */
  drain(graceMs: number): Promise<void>;
}

/** A restart is no reason for an agent to stop: whether the call may be repeated is decided by what it does. */
const CLOSING: FaultInit = {
  kind: 'disconnected',
  origin: 'gateway',
  executed: 'maybe',
  message: 'The gateway stopped before the server answered',
  advice: 'The gateway is restarting; check whether the call took effect before it is made again.',
};

/** What never ends by itself would go on to hear a server that nobody else asks any more. */
export const OUTDATED: FaultInit = {
  kind: 'disconnected',
  origin: 'gateway',
  executed: 'maybe',
  message: 'The gateway has other settings for this server',
  advice: 'Listen again, and list what was listed before: it may have changed.',
};

/** What was ended has this long to be answered. */
const LAST_WORD_MS = 1000;

/** Starts with none. */
export function createInFlight(): InFlight {
  const waiting = new Set<() => void>();
  /** Nobody waits longer than the one who waits least: what is over for that one is over. */
  const settle = (): void => {
    for (const settled of waiting) settled();
    waiting.clear();
  };
  const open = createPlaces<{ readonly controller: Ends; readonly isStanding: boolean }>(settle);
  const end = (fault: FaultInit, onlyStanding = false): void => {
    for (const { controller, isStanding } of open.all())
      if (isStanding || !onlyStanding) controller.abort(new CallEnded(fault));
  };
  return {
    get size() {
      return open.size;
    },
    add: (controller, isStanding = false) => open.add({ controller, isStanding }),
    endStanding(graceMs) {
      setTimeout(() => end(OUTDATED, true), graceMs).unref();
    },
    async drain(graceMs) {
      if (open.size === 0) return;
      const late = setTimeout(() => end(CLOSING), graceMs);
      const last = setTimeout(settle, graceMs + LAST_WORD_MS);
      await new Promise<void>((resolve) => waiting.add(resolve));
      clearTimeout(late);
      clearTimeout(last);
    },
  };
}
