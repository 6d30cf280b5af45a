/** Rate limits in a file, exact. */
import { bucketLevel, costOf, type RateLedger, type RateStanding, type RateWish } from '@mayday/policy';
import { packed } from '../text.ts';
import type { Connection } from './database.ts';
import type { Access } from './sqlite.ts';

/** Fractions of a millisecond add up to no more than this. */
const ROUNDING_MS = 0.01;

/** Quiet keys that are looked for, once a millisecond. */
const SWEPT = 16;

/** Rate limits in a file. */
export function sqliteRates({ db, now }: Access): RateLedger {
  let sweptAt = 0;
  const takeAll = async (wishes: readonly RateWish[]): Promise<readonly RateStanding[]> => {
    const costs = wishes.map(costOf);
    return db.together(() => {
      const at = now();
      if (at !== sweptAt) sweep(db, at);
      sweptAt = at;
      const looks = wishes.map((wish, i) => {
        // The two ways to count keep different things, and so do different keys.
        const key = packed([wish.algorithm ?? 'window', wish.key]);
        const asked = { ...wish, key, cost: costs[i] as number, now: at };
        return wish.algorithm === 'bucket' ? lookInBucket(db, asked) : lookInWindow(db, asked);
      });
      const fits = looks.every(({ waitMs }) => waitMs === 0);
      return looks.map((look) => (fits ? look.add() : look.leave()));
    });
  };
  return { take: async (wish) => (await takeAll([wish]))[0]?.waitMs ?? 0, takeAll };
}

/** A wish at the store's time, under the store's name. */
type Asked = RateWish & { readonly cost: number };

/** One limit before it is known whether the others take the call too. */
interface Look {
  readonly waitMs: number;
  /** Counts the call; where it stands then. */
  add(): RateStanding;
  /** Counts nothing; where it stands. */
  leave(): RateStanding;
}

function sweep(db: Connection, at: number): void {
  const quiet = db.all('SELECT key FROM rates WHERE quiet_at <= ? LIMIT ?', at, SWEPT);
  for (const { key } of quiet) {
    db.run('DELETE FROM rate_log WHERE key = ?', key as string);
    db.run('DELETE FROM rates WHERE key = ?', key as string);
  }
}

const IN_WINDOW = `SELECT
  (SELECT used FROM rates WHERE key = ?1) AS used,
  (SELECT quiet_at FROM rates WHERE key = ?1) AS quiet_at,
  (SELECT sum(cost) FROM rate_log WHERE key = ?1 AND at <= ?2) AS stale,
  (SELECT min(at) FROM rate_log WHERE key = ?1 AND at > ?2) AS oldest,
  (SELECT sum(cost) FROM rate_log WHERE key = ?1 AND at > ?3) AS ahead`;

function lookInWindow(db: Connection, { key, limit, windowMs, cost, now }: Asked): Look {
  const stale = now - windowMs;
  const ask = () => db.get(IN_WINDOW, key, stale, now) ?? {};
  let found = ask();
  if (found['ahead'] !== null) {
    turnBack(db, key, now, Number(found['ahead']));
    found = ask();
  }
  const used = Number(found['used'] ?? 0) - Number(found['stale'] ?? 0);
  const oldest = found['oldest'] === null ? undefined : Number(found['oldest']);
  const excess = used + cost - limit;
  const waitMs = excess <= 0 ? 0 : Math.ceil(leavesAt(db, key, stale, excess) + windowMs - now);
  const standing = (counted: number, since: number | undefined): RateStanding => {
    const growsMs = since === undefined ? 0 : Math.ceil(since + windowMs - now);
    return { waitMs, remaining: Math.max(0, limit - counted), growsMs };
  };
  return {
    waitMs,
    add() {
      if (found['stale'] !== null) db.run('DELETE FROM rate_log WHERE key = ? AND at <= ?', key, stale);
      const quiet = { before: found['quiet_at'], at: now + windowMs, slack: windowMs / 2 };
      keep(db, key, { used: used + cost, fullAt: 0, quiet });
      log(db, key, now, cost);
      return standing(used + cost, oldest ?? now);
    },
    leave: () => standing(used, oldest),
  };
}

function lookInBucket(db: Connection, asked: Asked): Look {
  const { key, limit, windowMs, cost, now } = asked;
  const row = db.get('SELECT full_at, quiet_at FROM rates WHERE key = ?', key);
  const known = Number(row?.['full_at'] ?? 0);
  const quiet = (at: number): Kept['quiet'] => ({ before: row?.['quiet_at'], at, slack: windowMs / 2 });
  const empty = now + windowMs;
  // A clock that was set back: the bucket counts as empty from now on, and fills.
  if (known > empty) keep(db, key, { used: 0, fullAt: empty, quiet: quiet(empty) });
  const before = Math.min(Math.max(known, now), empty);
  const fullAt = before + (cost * windowMs) / limit;
  const short = fullAt - empty;
  const waitMs = short > ROUNDING_MS ? Math.ceil(short - ROUNDING_MS) : 0;
  return {
    waitMs,
    add() {
      keep(db, key, { used: 0, fullAt, quiet: quiet(fullAt) });
      return { waitMs, ...bucketLevel(fullAt, asked) };
    },
    leave: () => ({ waitMs, ...bucketLevel(before, asked) }),
  };
}

/** A clock that was set back makes nobody wait longer than a window. */
function turnBack(db: Connection, key: string, at: number, ahead: number): void {
  db.run('DELETE FROM rate_log WHERE key = ? AND at > ?', key, at);
  log(db, key, at, ahead);
}

function log(db: Connection, key: string, at: number, cost: number): void {
  const sql = 'INSERT INTO rate_log VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET cost = cost + excluded.cost';
  db.run(sql, key, at, cost);
}

interface Kept {
  readonly used: number;
  readonly fullAt: number;
  /** When the key is quiet: what is written of it, what it has to be at least, and how much later it may be. */
  readonly quiet: { readonly before: unknown; readonly at: number; readonly slack: number };
}

/** When a key is quiet has an index, which is only written now and then. */
function keep(db: Connection, key: string, { used, fullAt, quiet: { before, at, slack } }: Kept): void {
  if (typeof before === 'number' && before >= at) {
    db.run('UPDATE rates SET used = ?, full_at = ? WHERE key = ?', used, fullAt, key);
    return;
  }
  const sql = `INSERT INTO rates VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
    SET used = excluded.used, full_at = excluded.full_at, quiet_at = excluded.quiet_at`;
  db.run(sql, key, used, fullAt, at + slack);
}

/** When so much of what counts now was counted. */
function leavesAt(db: Connection, key: string, stale: number, excess: number): number {
  let freed = 0;
  const sql = 'SELECT at, cost FROM rate_log WHERE key = ? AND at > ? ORDER BY at LIMIT ?';
  for (const { at, cost } of db.all(sql, key, stale, excess)) {
    freed += Number(cost);
    if (freed >= excess) return Number(at);
  }
  return 0;
}
