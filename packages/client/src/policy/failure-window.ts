/**
 * Decides when a circuit opens: at a share of failures over a sliding window, from a least number of calls,
 * or after so many failures in a row, which also serves an upstream that is called once a minute.
 */
import { CircuitState, type IBreaker } from 'cockatiel';
import type { Clock } from './clock.ts';

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

interface Slot {
  period: number;
  failures: number;
  successes: number;
}

/** A breaker over a sliding window. */
export function createFailureWindow(options: WindowOptions): IBreaker {
  const { threshold, minimumCalls, consecutive, clock } = options;
  const slotMs = Math.max(1, options.windowMs / SLOTS);
  let slots: Slot[] = [];
  let inARow = 0;

  function record(member: 'failures' | 'successes'): void {
    const period = Math.floor(clock.now() / slotMs);
    slots = slots.filter((slot) => slot.period > period - SLOTS);
    let current = slots.find((slot) => slot.period === period);
    if (current === undefined) {
      current = { period, failures: 0, successes: 0 };
      slots.push(current);
    }
    current[member] += 1;
  }

  function share(): number {
    const oldest = Math.floor(clock.now() / slotMs) - SLOTS;
    const recent = slots.filter((slot) => slot.period > oldest);
    const failures = recent.reduce((sum, slot) => sum + slot.failures, 0);
    const total = recent.reduce((sum, slot) => sum + slot.successes, failures);
    return total < minimumCalls ? 0 : failures / total;
  }

  return {
    get state() {
      return slots;
    },
    set state(value: unknown) {
      slots = Array.isArray(value) ? (value as Slot[]) : [];
    },
    success(state) {
      if (state === CircuitState.HalfOpen) slots = [];
      inARow = 0;
      record('successes');
    },
    failure(state) {
      inARow += 1;
      record('failures');
      if (state !== CircuitState.Closed) return true;
      return inARow >= consecutive || share() >= threshold;
    },
  };
}
