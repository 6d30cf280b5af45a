/** What may be set for any engine. */
import { type Clock, integer, lifetime } from '@mayday/policy';

/** Bounds of what is kept, whatever the engine. */
export interface Bounds {
  /** Entries of the fault journal, and groups of them. Default 100 000. */
  readonly maxFaults?: number | undefined;
  /** How long faults and their counts are kept. Default 7 days. */
  readonly faultAgeMs?: number | undefined;
  /** Approvals that are open at a time. Default 1000. */
  readonly maxApprovals?: number | undefined;
  /** Approvals that are open at a time of one caller. Default 100. */
  readonly maxApprovalsPerCaller?: number | undefined;
  /** How long a call may hold a consent before it is given up; its consent is then used up. Default 24 h. */
  readonly approvalLeaseMs?: number | undefined;
  /** Idempotency keys at a time of one owner. Default 100 000. */
  readonly maxKeysPerOwner?: number | undefined;
  /** Stored answers at a time of one owner; of older calls is only known that they were made. Default 1000. */
  readonly maxAnswersPerOwner?: number | undefined;
  /** A concurrency place whose holder is silent for so long is free again. Default 10 s. */
  readonly placeLeaseMs?: number | undefined;
}

/** All of them. */
export type Limits = { readonly [Name in keyof Required<Bounds>]: number };

/** Checks the bounds and fills in what is not said. */
export function limitsOf(given: Bounds): Limits {
  return {
    maxFaults: integer('maxFaults', given.maxFaults, 100_000, 1),
    faultAgeMs: lifetime('faultAgeMs', given.faultAgeMs, 7 * 86_400_000),
    maxApprovals: integer('maxApprovals', given.maxApprovals, 1000, 1),
    maxApprovalsPerCaller: integer('maxApprovalsPerCaller', given.maxApprovalsPerCaller, 100, 1),
    approvalLeaseMs: lifetime('approvalLeaseMs', given.approvalLeaseMs, 86_400_000),
    maxKeysPerOwner: integer('maxKeysPerOwner', given.maxKeysPerOwner, 100_000, 1),
    maxAnswersPerOwner: integer('maxAnswersPerOwner', given.maxAnswersPerOwner, 1000, 1),
    placeLeaseMs: lifetime('placeLeaseMs', given.placeLeaseMs, 10_000),
  };
}

/** How wide the journal counts. */
export const MINUTE_MS = 60_000;

/** How many rows a list has, unless it is said. */
export function pageSize(limit: number | undefined): number {
  return integer('limit', limit, 100, 1);
}

/** A place in a journal that numbers its entries; what is none is before all of them. */
export function numberedPlace(id: string): number {
  return /^\d{1,16}$/.test(id) ? Number(id) : 0;
}

/** The time of a clock, which has to be one. */
export function timeOf(clock: Pick<Clock, 'now'>): number {
  const now = clock.now();
  if (Number.isFinite(now)) return now;
  throw new TypeError('Expected `clock.now()` to be Unix time in milliseconds');
}
