/** Rate limits in a file, exact. */
import { costOf, type RateStore, type RateWish } from '@mayday/policy';
import { packed } from '../text.ts';
import type { Connection } from './database.ts';
import type { Access } from './sqlite.ts';

/** Fractions of a millisecond add up to no more than this. */
const ROUNDING_MS = 0.01;

/** Quiet keys that are looked for with each call. */
const SWEPT = 4;

/** Rate limits in a file. */
export function sqliteRates({ db, now }: Access): RateStore {
  return {
    take(wish) {
      const cost = costOf(wish);
      // The two ways to count keep different things, and so do different keys.
      const key = packed([wish.algorithm ?? 'window', wish.key]);
      return db.atomic(() => {
        const at = now();
        sweep(db, at);
        const asked = { ...wish, key, cost, now: at };
        return wish.algorithm === 'bucket' ? pour(db, asked) : count(db, asked);
      });
    },
  };
}

/** A wish at the store's time, under the store's name. */
type Asked = RateWish & { readonly cost: number };

function sweep(db: Connection, at: number): void {
  const quiet = db.all('SELECT key FROM rates WHERE quiet_at <= ? LIMIT ?', at, SWEPT);
  for (const { key } of quiet) {
    db.run('DELETE FROM rate_log WHERE key = ?', key as string);
    db.run('DELETE FROM rates WHERE key = ?', key as string);
  }
}

function count(db: Connection, { key, limit, windowMs, cost, now }: Asked): number {
  turnBack(db, key, now);
  const stale = now - windowMs;
  const gone = db.get('SELECT sum(cost) AS cost FROM rate_log WHERE key = ? AND at <= ?', key, stale)?.[
    'cost'
  ];
  if (gone !== null) db.run('DELETE FROM rate_log WHERE key = ? AND at <= ?', key, stale);
  const known = Number(db.get('SELECT used FROM rates WHERE key = ?', key)?.['used'] ?? 0);
  const used = known - Number(gone ?? 0);
  const fits = used + cost <= limit;
  keep(db, key, { used: fits ? used + cost : used, fullAt: 0, quietAt: now + windowMs });
  if (!fits) return Math.ceil(leavesAt(db, key, used + cost - limit) + windowMs - now);
  log(db, key, now, cost);
  return 0;
}

function pour(db: Connection, { key, limit, windowMs, cost, now }: Asked): number {
  const known = Number(db.get('SELECT full_at FROM rates WHERE key = ?', key)?.['full_at'] ?? 0);
  const empty = now + windowMs;
  const fullAt = Math.min(Math.max(known, now), empty) + (cost * windowMs) / limit;
  const waitMs = fullAt - windowMs - now;
  // A clock that was set back: the bucket counts as empty from now on, and fills.
  if (known > empty) keep(db, key, { used: 0, fullAt: empty, quietAt: empty });
  if (waitMs > ROUNDING_MS) return Math.ceil(waitMs - ROUNDING_MS);
  keep(db, key, { used: 0, fullAt, quietAt: fullAt });
  return 0;
}

/** A clock that was set back makes nobody wait longer than a window. */
function turnBack(db: Connection, key: string, at: number): void {
  const ahead = db.get('SELECT sum(cost) AS cost FROM rate_log WHERE key = ? AND at > ?', key, at)?.['cost'];
  if (ahead === null || ahead === undefined) return;
  db.run('DELETE FROM rate_log WHERE key = ? AND at > ?', key, at);
  log(db, key, at, Number(ahead));
}

function log(db: Connection, key: string, at: number, cost: number): void {
  const sql = 'INSERT INTO rate_log VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET cost = cost + excluded.cost';
  db.run(sql, key, at, cost);
}

interface Kept {
  readonly used: number;
  readonly fullAt: number;
  readonly quietAt: number;
}

function keep(db: Connection, key: string, { used, fullAt, quietAt }: Kept): void {
  const sql = `INSERT INTO rates VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
    SET used = excluded.used, full_at = excluded.full_at, quiet_at = max(quiet_at, excluded.quiet_at)`;
  db.run(sql, key, used, fullAt, quietAt);
}

/** When so much of what counts now was counted. */
function leavesAt(db: Connection, key: string, excess: number): number {
  let freed = 0;
  const oldest = db.all('SELECT at, cost FROM rate_log WHERE key = ? ORDER BY at LIMIT ?', key, excess);
  for (const { at, cost } of oldest) {
    freed += Number(cost);
    if (freed >= excess) return Number(at);
  }
  return 0;
}
