/** How often something was done lately, as it stands in a file, with what is done in this turn. */
import { bucketLevel, type RateWish } from '@mayday/policy';
import type { Connection, Row } from './database.ts';

/** Fractions of a millisecond add up to no more than this. */
const ROUNDING_MS = 0.01;

/** One limit's count at one moment. */
export interface RateCount {
  readonly windowMs: number;
  /** How long a call that costs so much has to wait. */
  waitFor(limit: number, cost: number): number;
  add(limit: number, cost: number): void;
  /** What is left, and when there is more. */
  level(limit: number): { readonly remaining: number; readonly growsMs: number };
  /** Once everybody has been asked. */
  write(): void;
}

/** Which count, and when. */
export interface CountAt extends Pick<RateWish, 'algorithm' | 'windowMs' | 'now'> {
  /** The store's name for it. */
  readonly key: string;
}

/** Reads it. */
export function countOf(db: Connection, at: CountAt): RateCount {
  return at.algorithm === 'bucket' ? new BucketCount(db, at) : new WindowCount(db, at);
}

const IN_WINDOW = `SELECT
  (SELECT used FROM rates WHERE key = ?1) AS used,
  (SELECT quiet_at FROM rates WHERE key = ?1) AS quiet_at,
  (SELECT sum(cost) FROM rate_log WHERE key = ?1 AND at <= ?2) AS stale,
  (SELECT min(at) FROM rate_log WHERE key = ?1 AND at > ?2) AS oldest,
  (SELECT sum(cost) FROM rate_log WHERE key = ?1 AND at > ?3) AS ahead`;

class WindowCount implements RateCount {
  readonly windowMs: number;
  readonly #db: Connection;
  readonly #at: CountAt;
  /** What is older does not count any more. */
  readonly #since: number;
  readonly #found: Row;
  #used: number;
  #oldest: number | undefined;
  #added = 0;

  constructor(db: Connection, at: CountAt) {
    this.#db = db;
    this.#at = at;
    this.windowMs = at.windowMs;
    this.#since = at.now - at.windowMs;
    this.#found = this.#read();
    this.#used = Number(this.#found['used'] ?? 0) - Number(this.#found['stale'] ?? 0);
    this.#oldest = this.#found['oldest'] === null ? undefined : Number(this.#found['oldest']);
  }

  waitFor(limit: number, cost: number): number {
    const excess = this.#used + cost - limit;
    return excess <= 0 ? 0 : Math.ceil(this.#leavesAt(excess) + this.windowMs - this.#at.now);
  }

  add(_limit: number, cost: number): void {
    this.#used += cost;
    this.#added += cost;
    this.#oldest ??= this.#at.now;
  }

  level(limit: number): { readonly remaining: number; readonly growsMs: number } {
    const growsMs = this.#oldest === undefined ? 0 : Math.ceil(this.#oldest + this.windowMs - this.#at.now);
    return { remaining: Math.max(0, limit - this.#used), growsMs };
  }

  write(): void {
    if (this.#added === 0) return;
    const { key, now } = this.#at;
    if (this.#found['stale'] !== null)
      this.#db.run('DELETE FROM rate_log WHERE key = ? AND at <= ?', key, this.#since);
    const quiet = { before: this.#found['quiet_at'], at: now + this.windowMs, slack: this.windowMs / 2 };
    keep(this.#db, key, { used: this.#used, fullAt: 0, quiet });
    this.#log(this.#added);
    this.#added = 0;
  }

  #read(): Row {
    const { key, now } = this.#at;
    const found = this.#db.get(IN_WINDOW, key, this.#since, now) ?? {};
    if (found['ahead'] === null || found['ahead'] === undefined) return found;
    // A clock that was set back makes nobody wait longer than a window.
    this.#db.run('DELETE FROM rate_log WHERE key = ? AND at > ?', key, now);
    this.#log(Number(found['ahead']));
    return this.#db.get(IN_WINDOW, key, this.#since, now) ?? {};
  }

  #log(cost: number): void {
    const sql = 'INSERT INTO rate_log VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET cost = cost + excluded.cost';
    this.#db.run(sql, this.#at.key, this.#at.now, cost);
  }

  /** When so much of what counts now was counted; what is not written yet was counted now. */
  #leavesAt(excess: number): number {
    let freed = 0;
    const sql = 'SELECT at, cost FROM rate_log WHERE key = ? AND at > ? ORDER BY at LIMIT ?';
    for (const { at, cost } of this.#db.all(sql, this.#at.key, this.#since, excess)) {
      freed += Number(cost);
      if (freed >= excess) return Number(at);
    }
    return this.#at.now;
  }
}

class BucketCount implements RateCount {
  readonly windowMs: number;
  readonly #db: Connection;
  readonly #at: CountAt;
  readonly #quietAt: unknown;
  #fullAt: number;
  #isChanged: boolean;

  constructor(db: Connection, at: CountAt) {
    this.#db = db;
    this.#at = at;
    this.windowMs = at.windowMs;
    const row = db.get('SELECT full_at, quiet_at FROM rates WHERE key = ?', at.key);
    const known = Number(row?.['full_at'] ?? 0);
    this.#quietAt = row?.['quiet_at'];
    // A clock that was set back: the bucket counts as empty from now on, and fills.
    this.#isChanged = known > this.#empty;
    this.#fullAt = Math.min(Math.max(known, at.now), this.#empty);
  }

  waitFor(limit: number, cost: number): number {
    const short = this.#poured(limit, cost) - this.#empty;
    return short > ROUNDING_MS ? Math.ceil(short - ROUNDING_MS) : 0;
  }

  add(limit: number, cost: number): void {
    this.#fullAt = this.#poured(limit, cost);
    this.#isChanged = true;
  }

  level(limit: number): { readonly remaining: number; readonly growsMs: number } {
    return bucketLevel(this.#fullAt, { ...this.#at, limit });
  }

  write(): void {
    if (!this.#isChanged) return;
    const quiet = { before: this.#quietAt, at: this.#fullAt, slack: this.windowMs / 2 };
    keep(this.#db, this.#at.key, { used: 0, fullAt: this.#fullAt, quiet });
    this.#isChanged = false;
  }

  /** When one that is empty now is full. */
  get #empty(): number {
    return this.#at.now + this.windowMs;
  }

  #poured(limit: number, cost: number): number {
    return this.#fullAt + (cost * this.windowMs) / limit;
  }
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
