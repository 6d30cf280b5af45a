import { type Clock, systemClock } from '../clock.ts';

/** Something that must be over by a point in time. */
export interface Due {
  readonly dueAt: number;
  expire(): void;
}

/**
 * All deadlines on one timer. A timer for each request would cost more than the rest of the guard; one timer
 * for the earliest deadline costs a set insertion.
 */
export class Deadlines {
  readonly #pending = new Set<Due>();
  readonly #clock: Clock;
  #armedFor = Number.POSITIVE_INFINITY;
  #timer: unknown;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(due: Due): void {
    this.#pending.add(due);
    if (due.dueAt < this.#armedFor) this.#arm(due.dueAt);
  }

  delete(due: Due): void {
    this.#pending.delete(due);
  }

  #arm(at: number): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#armedFor = at;
    this.#timer = this.#clock.setTimeout(() => this.#sweep(), Math.max(0, at - this.#clock.now()));
  }

  #sweep(): void {
    this.#timer = undefined;
    this.#armedFor = Number.POSITIVE_INFINITY;
    const now = this.#clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const due of [...this.#pending]) {
      if (due.dueAt <= now) {
        this.#pending.delete(due);
        due.expire();
      } else {
        next = Math.min(next, due.dueAt);
      }
    }
    if (next < this.#armedFor) this.#arm(next);
  }
}

const byClock = new WeakMap<Clock, Deadlines>();

/** The deadlines that share a clock share its timer, across all servers of the process. */
export function deadlinesOf(clock: Clock = systemClock): Deadlines {
  let deadlines = byClock.get(clock);
  if (deadlines === undefined) {
    deadlines = new Deadlines(clock);
    byClock.set(clock, deadlines);
  }
  return deadlines;
}
