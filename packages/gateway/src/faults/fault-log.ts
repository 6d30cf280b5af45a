/** The last failures, for the operator. */
import { type Fault, redact, toDocument } from '@mayday/core';

/** One failure as an operator sees it. Everything in it is redacted. */
export interface FaultEntry {
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly upstream: string;
  readonly method: string;
  readonly fault: ReturnType<typeof toDocument>;
  /** The dialect it was said in, and the one it was passed on in. */
  readonly from: string | null;
  readonly to: string;
  readonly certainty: number;
  readonly attempts: number;
  readonly durationMs: number;
  /** What the upstream said, as text. */
  readonly original: string;
}

/** A failure as it is put in the log; the fault is redacted already, the original is not. */
interface FaultRecord extends Omit<FaultEntry, 'fault' | 'original'> {
  readonly fault: Fault;
  readonly original: Buffer | undefined;
}

/** Keeps the last failures. */
export interface FaultLog {
  add(record: FaultRecord): void;
  /** The last ones, newest first. */
  list(limit?: number): readonly FaultEntry[];
  /** Keeps this many from now on. */
  keep(count: number): void;
  /** Failures since the start. */
  readonly total: number;
}

/** Of an original, this much is kept. */
const MAX_ORIGINAL = 4096;

/**
 * A log of the last `keep` failures in memory. What is kept is the clipped original; it is redacted on the way
 * out, because most failures are never looked at, and nothing else can reach it.
 */
export function createFaultLog(keep: number): FaultLog {
  let limit = keep;
  let records: FaultRecord[] = [];
  let total = 0;
  return {
    add(record) {
      total++;
      if (limit === 0) return;
      const original =
        record.original === undefined ? undefined : Buffer.from(record.original.subarray(0, MAX_ORIGINAL));
      records.push({ ...record, original });
      // Cut in halves: a shift for every failure would cost as much as the failure.
      if (records.length >= limit * 2) records = records.slice(-limit);
    },
    keep(count) {
      limit = count;
      records = count === 0 ? [] : records.slice(-count);
    },
    list(most = 100) {
      return records.slice(-limit).reverse().slice(0, most).map(toEntry);
    },
    get total() {
      return total;
    },
  };
}

function toEntry(record: FaultRecord): FaultEntry {
  const original = record.original === undefined ? '' : redact(record.original.toString('utf8')).value;
  return { ...record, fault: toDocument(record.fault), original };
}
