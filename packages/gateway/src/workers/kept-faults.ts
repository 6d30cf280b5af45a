/** What failed at workers that have ended: the gateway goes on, and so does what operators are told of it. */
import type { FaultEntry } from '../faults/fault-log.ts';

/** Failures of a worker, counted and as far as they are shown. */
export interface Failed {
  readonly count: number;
  /** As many as a process shows, newest and oldest of them together. */
  readonly keep: number;
  /** The oldest first. */
  readonly entries: readonly FaultEntry[];
}

/** What is kept of them. */
export interface KeptFaults {
  add(failed: Failed): void;
  /** All of it so far. */
  all(): Failed;
}

/** No more is asked for at once, and all of it goes to each worker that begins. */
const MAX_KEPT = 1000;

/** Keeps the count of all, and the last of them, as many as the last that was added says. */
export function createKeptFaults(): KeptFaults {
  let kept: Failed = { count: 0, keep: MAX_KEPT, entries: [] };
  return {
    add({ count, keep, entries }) {
      const most = Math.min(keep, MAX_KEPT);
      const all = [...kept.entries, ...entries].sort((a, b) => a.at - b.at);
      kept = { count: kept.count + count, keep, entries: most === 0 ? [] : all.slice(-most) };
    },
    all: () => kept,
  };
}

/** What workers that live have said of theirs, until they end. */
export interface ToldFaults {
  heard(worker: number, failed: Failed): void;
  /** What has come since this was asked the last time; nothing, if absent. */
  take(worker: number): Failed | undefined;
}

/** Keeps it for each of them apart: as long as one lives, it answers itself. */
export function createToldFaults(): ToldFaults {
  const told = new Map<number, KeptFaults>();
  return {
    heard(worker, failed) {
      const known = told.get(worker) ?? createKeptFaults();
      told.set(worker, known);
      known.add(failed);
    },
    take(worker) {
      const known = told.get(worker);
      told.delete(worker);
      return known?.all();
    },
  };
}
