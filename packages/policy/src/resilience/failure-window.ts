/**
 * Decides when a circuit opens: at a share of failures over a sliding window, from a least number of calls,
 * or after so many failures in a row, which also serves an upstream that is called once a minute.
 */
import type { Clock } from '../clock.ts';

const SLOTS = 10;

/** What opens the circuit. */
export interface WindowOptions {
  readonly windowMs: number;
  /** Share of failures that opens it. */
  readonly threshold: number;
  /** Calls within the window below which it stays closed. */
  readonly minimumCalls: number;
  /** Failures in a row that open it whatever the share. */
  readonly consecutive: number;
  readonly clock: Clock;
}

/** What happened lately. */
export interface FailureWindow {
  success(): void;
  /** Counts a failure; `true` when it is one too many. */
  failure(): boolean;
}

interface Slot {
  period: number;
  failures: number;
  successes: number;
}

/** An empty window. */
export function createFailureWindow(options: WindowOptions): FailureWindow {
  const { threshold, minimumCalls, consecutive, clock } = options;
  const slotMs = Math.max(1, options.windowMs / SLOTS);
  const slots: Slot[] = Array.from({ length: SLOTS }, () => ({ period: -1, failures: 0, successes: 0 }));
  let inARow = 0;

  function current(): Slot {
    const period = Math.floor(clock.now() / slotMs);
    const slot = slots[((period % SLOTS) + SLOTS) % SLOTS] as Slot;
    if (slot.period !== period) {
      slot.period = period;
      slot.failures = 0;
      slot.successes = 0;
    }
    return slot;
  }

  function share(newest: number): number {
    let failures = 0;
    let total = 0;
    for (const slot of slots) {
      if (slot.period <= newest - SLOTS) continue;
      failures += slot.failures;
      total += slot.failures + slot.successes;
    }
    return total < minimumCalls ? 0 : failures / total;
  }

  return {
    success() {
      inARow = 0;
      current().successes += 1;
    },
    failure() {
      inARow += 1;
      const slot = current();
      slot.failures += 1;
      return inARow >= consecutive || share(slot.period) >= threshold;
    },
  };
}
