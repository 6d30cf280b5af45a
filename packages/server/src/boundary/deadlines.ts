import { type Clock, systemClock } from '../clock.ts';

/** Something with deadlines: a connection with requests under way. */
export interface Timed {
  /** Ends what is due, and says when the next one is; infinity for none. */
  expireDue(now: number): number;
}

/**
 * All deadlines of all connections on one timer, armed for the earliest. A timer for each request would cost
 * more than the rest of the guard; here a request costs one comparison.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #sources = new Set<Timed>();
  #armedFor = Number.POSITIVE_INFINITY;
  #timer: unknown;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  join(source: Timed): void {
    this.#sources.add(source);
  }

  leave(source: Timed): void {
    this.#sources.delete(source);
  }

  /** A request is due then. */
  notice(at: number): void {
    if (at >= this.#armedFor) return;
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#armedFor = at;
    this.#timer = this.#clock.setTimeout(() => this.#sweep(), Math.max(0, at - this.#clock.now()));
  }

  #sweep(): void {
    this.#timer = undefined;
    this.#armedFor = Number.POSITIVE_INFINITY;
    const now = this.#clock.now();
    for (const source of [...this.#sources]) this.notice(source.expireDue(now));
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
