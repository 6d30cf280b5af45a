/** Calls in flight: counted, waited for, and ended when the waiting is over. */
import type { FaultInit } from '@mayday/core';
import { CallEnded } from './call.ts';

/** Where a closing endpoint looks for what is still open. */
export interface InFlight {
  readonly size: number;
  /** Takes a call in; what it gives takes it out again. */
  add(controller: AbortController): () => void;
  /** Settles when nothing is open any more. After `graceMs`, what is left is ended. */
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

/** What was ended has this long to be answered. */
const LAST_WORD_MS = 1000;

/** Starts with none. */
export function createInFlight(): InFlight {
  // Places that are used again, and no `Set`: one that thousands a second pass through is rebuilt all the time, and
  // what it was built on before keeps their calls from being collected early.
  const places: (AbortController | undefined)[] = [];
  const free: number[] = [];
  let size = 0;
  let onEmpty: (() => void) | undefined;
  const release = (place: number): void => {
    places[place] = undefined;
    free.push(place);
    size -= 1;
    if (size === 0) onEmpty?.();
  };
  return {
    get size() {
      return size;
    },
    add(controller) {
      const place = free.pop() ?? places.length;
      places[place] = controller;
      size += 1;
      let isOpen = true;
      return () => {
        if (isOpen) release(place);
        isOpen = false;
      };
    },
    async drain(graceMs) {
      if (size === 0) return;
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      const late = setTimeout(() => {
        for (const controller of [...places]) controller?.abort(new CallEnded(CLOSING));
      }, graceMs);
      const last = new Promise<void>((resolve) => setTimeout(resolve, graceMs + LAST_WORD_MS).unref());
      await Promise.race([empty, last]);
      clearTimeout(late);
    },
  };
}
