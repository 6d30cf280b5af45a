import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '@mayday/reference-shared';
import type { RateStore } from '@mayday/server';

/** Calls in rolling windows, counted over all servers that share the database. */
export interface Rates extends RateStore {
  /** Gives the latest call back: it did not count. */
  refund(key: string): void;
}

/** Counts in the database. */
export function createRates(database: DatabaseSync): Rates {
  const forget = database.prepare('DELETE FROM rates WHERE key = ? AND at <= ?');
  // A clock that was set back makes nobody wait longer than a window.
  const pull = database.prepare('UPDATE rates SET at = ?1 WHERE at > ?1 + 1000');
  const count = database.prepare('SELECT count(*) AS calls, min(at) AS first FROM rates WHERE key = ?');
  const add = database.prepare('INSERT INTO rates (key, at) VALUES (?, ?)');
  const remove = database.prepare(
    'DELETE FROM rates WHERE rowid = (SELECT rowid FROM rates WHERE key = ? ORDER BY at DESC LIMIT 1)',
  );
  return {
    take: ({ key, limit, windowMs, now }) =>
      transaction(database, () => {
        forget.run(key, now - windowMs);
        pull.run(now);
        const { calls, first } = count.get(key) as { calls: number; first: number };
        if (calls >= limit) return Math.max(1, first + windowMs - now);
        add.run(key, now);
        return 0;
      }),
    refund: (key) => void remove.run(key),
  };
}
