/**
 * A pace: once an upstream says "too many", calls to it stand in line and are sent no faster than it has
 * lately answered them. The pace grows by half each second up to where it was refused last, slowly beyond,
 * and is dropped when nobody has had to wait for a while. Until the first throttle there is no limit.
 */

import { type Call, executedSoFar } from '../call.ts';
import { onlyKnown } from '../check.ts';
import { type Clock, systemClock } from '../clock.ts';
import { cutOff, paceExceeded } from '../local-faults.ts';
import { type Failed, refuse } from '../outcome.ts';
import type { Policy } from '../policy.ts';
import { openScope } from '../scope.ts';

/** A shared rate. */
export interface Pace {
  /** How long the line is, in time. */
  readonly lineMs: number;
  /** Waits for the next turn; `false` when the signal aborts first. */
  turn(signal?: AbortSignal): Promise<boolean>;
  /** An attempt was answered, and not throttled. */
  answered(): void;
  /** An attempt was throttled. */
  throttled(): void;
  /** Calls a second; `undefined` while there is no limit. */
  readonly perSecond: number | undefined;
}

const GROWTH_PER_SECOND = 0.5;
const SLOW_GROWTH_PER_SECOND = 0.05;
const LEAST_PER_SECOND = 1;
const BUCKET_MS = 500;
const TICK_MS = 5;
/** What it bore at its best is forgotten by so much in each bucket. */
const FORGET = 0.98;
/** The limit goes when nobody has had to wait for so long. */
const IDLE_MS = 5000;

interface Limit {
  perSecond: number;
  /** Where it was refused last. */
  ceiling: number;
  turns: number;
  at: number;
  cutAt: number;
  waitedAt: number;
}

/** Creates a pace without a limit. */
export function createPace(options: { readonly clock?: Clock | undefined } = {}): Pace {
  onlyKnown('`createPace`', options, { clock: true });
  return new Line(options.clock ?? systemClock);
}

class Line implements Pace {
  readonly #clock: Clock;
  readonly #delivered: { bucket: number; now: number; before: number; best: number };
  readonly #line = new Set<() => void>();
  #limit: Limit | undefined;
  #isTicking = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#delivered = { bucket: Math.floor(clock.now() / BUCKET_MS), now: 0, before: 0, best: 0 };
  }

  get perSecond(): number | undefined {
    return this.#limit?.perSecond;
  }

  get lineMs(): number {
    return this.#limit === undefined ? 0 : Math.ceil((this.#line.size * 1000) / this.#limit.perSecond);
  }

  turn(signal?: AbortSignal): Promise<boolean> {
    this.#pass();
    if (this.#limit === undefined) return Promise.resolve(true);
    if (signal?.aborted === true) return Promise.resolve(false);
    return new Promise((resolve) => {
      const next = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = (): void => {
        this.#line.delete(next);
        resolve(false);
      };
      this.#line.add(next);
      signal?.addEventListener('abort', leave, { once: true });
      this.#pump();
    });
  }

  answered(): void {
    this.#rate(1);
  }

  throttled(): void {
    this.#pass();
    const now = this.#clock.now();
    const limit = this.#limit;
    // Many refusals of one burst say the same thing once.
    if (limit !== undefined && now - limit.cutAt < BUCKET_MS) return;
    const known = this.#rate(0);
    // The first refusal may come before the answers to the same burst; what was borne before counts then.
    const best = (this.#delivered.best * 1000) / BUCKET_MS;
    const borne = limit === undefined ? Math.max(known, best) : Math.min(known, limit.perSecond);
    const perSecond = Math.max(LEAST_PER_SECOND, borne > 0 ? borne * 0.95 : (limit?.perSecond ?? 0) / 2);
    const ceiling = limit?.perSecond ?? 2 * perSecond;
    this.#limit = { perSecond, ceiling, turns: 0, at: now, cutAt: now, waitedAt: now };
    this.#pump();
  }

  /** Answers a second: of the last full bucket, or of this one if it is already better. */
  #rate(add: number): number {
    const delivered = this.#delivered;
    const bucket = Math.floor(this.#clock.now() / BUCKET_MS);
    if (bucket > delivered.bucket) {
      delivered.before = bucket === delivered.bucket + 1 ? delivered.now : 0;
      delivered.best = Math.max(delivered.best * FORGET, delivered.now);
      delivered.now = 0;
      delivered.bucket = bucket;
    }
    delivered.now += add;
    return (Math.max(delivered.before, delivered.now) * 1000) / BUCKET_MS;
  }

  /** Lets time pass: turns come in, the pace grows. */
  #pass(): void {
    const limit = this.#limit;
    if (limit === undefined) return;
    const now = this.#clock.now();
    const seconds = Math.max(0, now - limit.at) / 1000;
    // A tenth of a second's turns may be taken at once.
    limit.turns = Math.min(Math.max(1, limit.perSecond / 10), limit.turns + seconds * limit.perSecond);
    const growth = limit.perSecond < limit.ceiling ? GROWTH_PER_SECOND : SLOW_GROWTH_PER_SECOND;
    limit.perSecond *= 1 + growth * seconds;
    limit.at = now;
    if (this.#line.size === 0 && now - limit.waitedAt > IDLE_MS) this.#limit = undefined;
  }

  #pump(): void {
    this.#pass();
    const limit = this.#limit;
    if (limit === undefined) return;
    for (const next of this.#line) {
      if (limit.turns < 1) break;
      limit.turns -= 1;
      this.#line.delete(next);
      next();
    }
    if (this.#line.size === 0 || this.#isTicking) return;
    this.#isTicking = true;
    limit.waitedAt = this.#clock.now();
    this.#clock.timer(Math.max(TICK_MS, ((1 - limit.turns) * 1000) / limit.perSecond), () => {
      this.#isTicking = false;
      this.#pump();
    });
  }
}

/** The policy that waits for the call's turn, where the upstream has asked for a slower pace. */
export function paced<T, C extends Call>(options: {
  readonly pace: Pace;
  readonly clock: Clock;
  /** A line longer than this is not joined. Default: the call's own patience. */
  readonly patienceMs?: number | undefined;
}): Policy<T, C> {
  const { pace, clock } = options;
  return (next) => async (call) => {
    const { deadline, signal, upstream } = call;
    const { lineMs } = pace;
    const patienceMs = options.patienceMs ?? call.patienceMs ?? Number.POSITIVE_INFINITY;
    const isTooLong = lineMs > 0 && lineMs >= Math.min(patienceMs, deadline - clock.now());
    if (isTooLong) return tooLate(upstream, lineMs);
    const scope = openScope({ clock, deadline, signal, timeoutMs: Number.POSITIVE_INFINITY });
    const came = await pace.turn(scope.signal);
    scope.close();
    if (!came) {
      if (scope.ended !== 'cancelled') return tooLate(upstream, lineMs);
      const fault = cutOff('cancelled', executedSoFar(call.progress));
      return { ok: false, fault, ended: 'cancelled', reason: 'The caller gave up in line' };
    }
    const outcome = await next(call);
    if (outcome.ok || outcome.value !== undefined) pace.answered();
    // A rate limit in an answer is the tool's own; one instead of an answer is the upstream's.
    else if (outcome.fault.kind === 'rate_limited' && outcome.refused === undefined) pace.throttled();
    return outcome;
  };
}

function tooLate(upstream: string, lineMs: number): Failed<never> {
  const reason = 'Its turn would come too late; nothing was sent';
  return { ...refuse({ fault: paceExceeded(upstream, lineMs), by: 'pace' }), reason };
}
