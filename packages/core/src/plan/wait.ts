/** How long to wait before the next attempt: what the server asks for, otherwise full-jitter backoff. */
import type { Fault, Retry } from '../fault.ts';
import type { Kind } from '../kinds.ts';
import type { PlanLimits } from './options.ts';

/** Kinds that say "too much": the first backoff after them is longer. */
const THROTTLED: readonly Kind[] = ['rate_limited', 'overloaded'];

/** Symmetric jitter where the wire names a backoff but no jitter. */
const DEFAULT_JITTER = 0.2;

/** Added to a wait that the server asked for, so that everyone it told the same does not come back at once. */
const SPREAD = 0.1;
const MAX_SPREAD_MS = 1000;

/** The wait after a fault in milliseconds, given the number of attempts already made. Never negative, never NaN. */
export function waitAfter(fault: Fault, attempt: number, limits: PlanLimits): number {
  const { retry } = fault;
  const asked = usableMs(retry.afterMs);
  if (retry.backoff !== undefined) return hinted(retry, asked, fault, attempt, limits);
  const told = asked ?? usableMs(fault.native?.waitMs);
  if (told !== undefined) {
    const spread = Math.min(told * SPREAD, MAX_SPREAD_MS);
    return Math.round(told + spread * draw(limits, 0));
  }
  if (retry.when === 'now' && attempt === 1) return 0;
  const ceiling = grown(baseFor(fault, limits), attempt, limits.maxBackoffMs);
  return Math.round(ceiling * draw(limits, 1));
}

/** A retry hint with its own schedule: fixed or doubling from the wait it names, with symmetric jitter. */
function hinted(
  retry: Retry,
  asked: number | undefined,
  fault: Fault,
  attempt: number,
  limits: PlanLimits,
): number {
  const base = asked ?? baseFor(fault, limits);
  const ceiling = Math.max(limits.maxBackoffMs, base);
  const plain = retry.backoff === 'exponential' ? grown(base, attempt, ceiling) : base;
  const said = retry.jitter ?? DEFAULT_JITTER;
  const jitter = said >= 0 && said < 1 ? said : DEFAULT_JITTER;
  return Math.round(plain * (1 + jitter * (2 * draw(limits, 0.5) - 1)));
}

function baseFor(fault: Fault, limits: PlanLimits): number {
  return THROTTLED.includes(fault.kind) ? limits.throttledBaseMs : limits.baseMs;
}

/** Doubles with each attempt up to the ceiling; the exponent is bounded so that it stays a number. */
function grown(base: number, attempt: number, ceiling: number): number {
  return Math.min(ceiling, base * 2 ** Math.min(attempt - 1, 40));
}

/** A draw from the injected randomness, kept within [0, 1] whatever it returns. */
function draw(limits: PlanLimits, without: number): number {
  if (limits.random === undefined) return without;
  const drawn = limits.random();
  return Number.isFinite(drawn) ? Math.min(1, Math.max(0, drawn)) : without;
}

/** A fault may have been put together by hand: a wait of -1 or NaN is no wait. */
function usableMs(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined;
}
