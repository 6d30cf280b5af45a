/** What failed at a worker is told to the process that holds the port, and outlives it there. */
import { makeFault } from '@mayday/core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFaultLog, type FaultEntry, type FaultLog, type FaultRecord } from '../faults/fault-log.ts';
import { createKeptFaults, createToldFaults, type Failed } from './kept-faults.ts';
import { tellFaults } from './tell-faults.ts';

function record(at: number): FaultRecord {
  return {
    at,
    upstream: 'a',
    method: 'tools/call',
    target: 'pay',
    caller: null,
    from: null,
    to: 'mcp',
    certainty: 1,
    attempts: 1,
    durationMs: 1,
    fault: makeFault({ kind: 'internal', message: 'It broke' }),
    original: undefined,
  };
}

/** So many failures, one a millisecond from 1 on. */
function logOf(keep: number, count: number): FaultLog {
  const log = createFaultLog(keep);
  for (let at = 1; at <= count; at++) log.add(record(at));
  return log;
}

const entriesOf = (log: FaultLog, place = 0): readonly FaultEntry[] => log.after(place, 9999).entries;
const times = (entries: readonly FaultEntry[]): number[] => entries.map(({ at }) => at);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('gives what came after a place, and passes over what is not kept any more', () => {
  const log = logOf(4, 10);
  expect(times(log.after(8, 9).entries)).toEqual([9, 10]);
  expect([times(log.after(0, 3).entries), log.after(0, 3).place]).toEqual([[7, 8, 9], 9]);
  expect([times(log.after(10, 3).entries), log.after(10, 3).place]).toEqual([[], 10]);
  const none = logOf(0, 10);
  expect([none.after(0, 3).entries, none.after(0, 3).place]).toEqual([[], 10]);
});

it('tells the count at once, a flood of failures bit by bit, and all that is left at the end', () => {
  const log = logOf(100, 60);
  const told: Failed[] = [];
  const telling = tellFaults(log, { tellFailed: (failed) => void told.push(failed) });
  vi.advanceTimersByTime(100);
  expect(told.map(({ count, keep, entries }) => [count, keep, entries.length])).toEqual([[60, 100, 25]]);
  log.add(record(61));
  telling.close();
  expect(told.map(({ count, entries }) => [count, entries.length])).toEqual([
    [60, 25],
    [1, 25],
    [0, 11],
  ]);
  expect(times(told.flatMap(({ entries }) => entries))).toEqual(Array.from({ length: 61 }, (_, i) => i + 1));
  vi.advanceTimersByTime(1000);
  expect(told).toHaveLength(3);
});

it('says nothing where nothing fails', () => {
  const told: Failed[] = [];
  const telling = tellFaults(logOf(10, 0), { tellFailed: (failed) => void told.push(failed) });
  vi.advanceTimersByTime(1000);
  telling.close();
  expect(told).toEqual([]);
});

it('keeps the count of all and as many of the last as are shown, whichever worker had them', () => {
  const kept = createKeptFaults();
  kept.add({ count: 5, keep: 3, entries: entriesOf(logOf(9, 5), 2) });
  kept.add({ count: 2, keep: 3, entries: entriesOf(logOf(9, 2)) });
  expect(kept.all().count).toBe(7);
  expect(times(kept.all().entries)).toEqual([3, 4, 5]);
  kept.add({ count: 1, keep: 0, entries: [] });
  expect(kept.all()).toEqual({ count: 8, keep: 0, entries: [] });
});

it('holds a thousand and no more', () => {
  const kept = createKeptFaults();
  kept.add({ count: 1500, keep: 100_000, entries: entriesOf(logOf(1500, 1500)) });
  expect(kept.all().count).toBe(1500);
  expect(times(kept.all().entries).at(0)).toBe(501);
  expect(kept.all().entries).toHaveLength(1000);
});

it('gives what a worker has told once, and what it tells after that once more', () => {
  const told = createToldFaults();
  const [first, second] = entriesOf(logOf(9, 2)) as [FaultEntry, FaultEntry];
  told.heard(1, { count: 4, keep: 9, entries: [first] });
  told.heard(2, { count: 1, keep: 9, entries: [] });
  expect(told.take(1)).toEqual({ count: 4, keep: 9, entries: [first] });
  expect(told.take(1)).toBeUndefined();
  told.heard(1, { count: 1, keep: 9, entries: [second] });
  expect(told.take(1)).toEqual({ count: 1, keep: 9, entries: [second] });
  expect(told.take(2)).toEqual({ count: 1, keep: 9, entries: [] });
});
