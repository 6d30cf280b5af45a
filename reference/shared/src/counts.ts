import type { RateStore } from '@mayday/server';
import { openDatabase, transaction } from './database.ts';

/** So many calls in any stretch of so much time. */
export interface Allowance {
  readonly limit: number;
  readonly windowMs: number;
}

/** What a key has used of an allowance. */
interface Used {
  readonly left: number;
  /** How long until one more fits than now, in milliseconds. */
  readonly resetMs: number;
}

/** Counts that processes on one data folder share, and that survive a restart. */
export interface Counts extends RateStore {
  /** Takes one call if it fits all allowances: 0, or the milliseconds until it would. */
  takeAll(key: string, allowances: readonly Allowance[], now: number): number;
  used(key: string, allowance: Allowance, now: number): Used;
  close(): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS calls (key TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS calls_of_key ON calls (key, at);
  CREATE INDEX IF NOT EXISTS calls_by_age ON calls (at);
`;

/**
 * Opens the counts of a data folder: the times of all calls in the longest window. They have a file of their own, so
 * that whoever holds the business data does not stop the counting, nor the other way round.
 */
export function openCounts(folder: string, longestMs: number): Counts {
  const database = openDatabase(folder, 'limits.sqlite', SCHEMA);
  // A count that a power cut takes back harms nobody; a disk that is waited for on every call does.
  database.exec('PRAGMA synchronous = NORMAL');
  const forget = database.prepare('DELETE FROM calls WHERE at <= ?');
  // A clock that was set back makes nobody wait longer than a window. Processes may differ by a moment.
  const pull = database.prepare('UPDATE calls SET at = ?1 WHERE at > ?1 + 1000');
  const count = database.prepare('INSERT INTO calls VALUES (?, ?)');
  const nth = database.prepare(
    'SELECT at FROM calls WHERE key = ? AND at > ? ORDER BY at DESC LIMIT 1 OFFSET ?',
  );
  const number = database.prepare(
    'SELECT count(*) AS n, min(at) AS first FROM calls WHERE key = ? AND at > ?',
  );
  const waitFor = (key: string, { limit, windowMs }: Allowance, now: number): number => {
    const at = nth.get(key, now - windowMs, limit - 1)?.['at'] as number | undefined;
    return at === undefined ? 0 : Math.min(windowMs, at + windowMs - now);
  };
  const takeAll: Counts['takeAll'] = (key, allowances, now) =>
    transaction(database, () => {
      forget.run(now - longestMs);
      pull.run(now);
      const wait = Math.max(...allowances.map((allowance) => waitFor(key, allowance, now)));
      if (wait === 0) count.run(key, now);
      return wait;
    });
  return {
    takeAll,
    take: ({ key, limit, windowMs, now }) => takeAll(key, [{ limit, windowMs }], now),
    used(key, { limit, windowMs }, now) {
      const row = number.get(key, now - windowMs);
      const [n, first] = [row?.['n'] as number, row?.['first'] as number | null];
      return { left: Math.max(0, limit - n), resetMs: first === null ? windowMs : first + windowMs - now };
    },
    close: () => database.close(),
  };
}
