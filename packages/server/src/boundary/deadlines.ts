import { DEADLINE_KEY } from '@mayday/core/protocol';
import { type Clock, systemClock } from '../clock.ts';
import { limitOf, shortestDeadline } from '../guards/guard.ts';
import type { Settings } from '../options.ts';
import type { RequestState } from './request-state.ts';

/** Something with deadlines: a connection with requests under way. */
export interface Timed {
  /** Ends what is due, and says when the next one is; infinity for none. */
  expireDue(): number;
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
    const waitMs = Math.min(LONGEST_TIMER_MS, Math.max(0, at - this.#clock.now()));
    this.#timer = this.#clock.setTimeout(() => this.#sweep(), waitMs);
  }

  #sweep(): void {
    this.#timer = undefined;
    this.#armedFor = Number.POSITIVE_INFINITY;
    for (const source of [...this.#sources]) this.notice(source.expireDue());
  }
}

/** Longer timers fire at once; a sweep that comes too early finds nothing due and arms the next. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

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

/** The answer has a way to go; a tenth of the time that is left, and no more than this, is kept for it. */
const WAY_BACK_MS = 100;

/** Until when the caller waits, as it says in `_meta["dev.mayday/deadline"]`; infinity when it does not. */
function askedDeadline(state: RequestState): number {
  const asked = state.meta(DEADLINE_KEY);
  if (typeof asked !== 'number' || !(asked > 0)) return Number.POSITIVE_INFINITY;
  const left = Math.max(0, asked - state.startedAt);
  if (left === 0) return state.startedAt;
  return state.startedAt + Math.max(1, Math.floor(left - Math.min(WAY_BACK_MS, left / 10)));
}

/** When the request's time is up: by the server's limits, its guards' and its caller's, whichever comes first. */
export function dueAtOf(state: RequestState, settings: Settings): number {
  const dueAt = state.startedAt + limitFor(state, settings);
  return state.hasMeta ? Math.min(dueAt, askedDeadline(state)) : dueAt;
}

/** The limit of every call that says nothing itself; `undefined` where something has to be asked about each. */
export function plainLimitOf({
  deadlineMs,
  guards,
  dialect,
  identify,
}: Pick<Settings, 'deadlineMs' | 'guards' | 'dialect' | 'identify'>): number | undefined {
  if (guards.length > 0 || dialect.initializeFirst === true || identify !== undefined) return undefined;
  if (deadlineMs === false) return Number.POSITIVE_INFINITY;
  // Less than the clock can tell is over before it begins.
  return typeof deadlineMs === 'number' && deadlineMs >= 1 ? deadlineMs : undefined;
}

function limitFor(state: RequestState, { deadlineMs, guards }: Settings): number {
  if (typeof deadlineMs === 'number' && guards.length === 0) return deadlineMs;
  const general = typeof deadlineMs === 'function' ? limitOf(() => deadlineMs(state)) : deadlineMs;
  const least = guards.length === 0 ? Number.POSITIVE_INFINITY : shortestDeadline(guards, state);
  return general === false ? least : Math.min(general, least);
}
