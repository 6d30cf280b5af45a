/** Exactly once, in a file. */
import { randomUUID } from 'node:crypto';
import type { IdempotencyStore, KeyClaim, KeyRenewal, KeyState } from '@mayday/policy';
import { keptState } from '../kept-state.ts';
import { Marks } from '../marks.ts';
import type { Limits } from '../settings.ts';
import { packed } from '../text.ts';
import type { Row } from './database.ts';
import { nowAndThen } from './now-and-then.ts';
import type { Access } from './sqlite.ts';

/** Old keys that are looked for, for each claim. */
const SWEPT = 8;

/** Answers that are dropped before they have to be, as a share of those that may be kept. */
const DROPPED_BEYOND = 0.02;

/** Looking costs a tenth of what removing costs, and mostly nothing is old. */
function sweep(db: Access['db'], at: number, most: number): void {
  const old = 'SELECT key FROM idempotency WHERE until <= ? LIMIT ?';
  if (db.get(old, at, 1) === undefined) return;
  db.run(`DELETE FROM idempotency WHERE key IN (${old})`, at, most);
}

/** A claim whose call is still under way is kept beyond its time, too. */
function renew({ db, now }: Pick<Access, 'db' | 'now'>, { key, leaseMs }: KeyRenewal, mark: string): void {
  const sql = `UPDATE idempotency SET lease_until = ?, until = MAX(until, ?)
    WHERE key = ? AND token = ? AND ended IS NULL`;
  const until = now() + leaseMs;
  db.run(sql, until, until, packed(key), mark);
}

/** Keys and their answers in a file. */
export function sqliteIdempotency({ db, now }: Access, limits: Limits): IdempotencyStore {
  const marks = new Marks();

  const sweepFor = nowAndThen((at, claims) => sweep(db, at, SWEPT * claims));

  /** What is kept under a key; of what is over, nothing is left. */
  function find(key: string, at: number): Row | undefined {
    const known = db.get('SELECT * FROM idempotency WHERE key = ?', key);
    if (known === undefined || Number(known['until']) > at) return known;
    db.run('DELETE FROM idempotency WHERE key = ?', key);
    return undefined;
  }

  function isFull(owner: string): boolean {
    const keys = db.get('SELECT keys FROM owners WHERE owner = ?', owner)?.['keys'] ?? 0;
    return Number(keys) >= limits.maxKeysPerOwner;
  }

  function claim({ key, owner, fingerprint, leaseMs, ttlMs }: KeyClaim, mark: string): KeyState {
    const [at, name, who] = [now(), packed(key), packed(owner)];
    sweepFor(at, 1);
    const known = find(name, at);
    if (known !== undefined) return stateOf(known, at);
    if (isFull(who)) {
      db.run('DELETE FROM idempotency WHERE owner = ? AND until <= ?', who, at);
      if (isFull(who)) return { state: 'full' };
    }
    const sql = 'INSERT INTO idempotency VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL)';
    const until = at + Math.max(leaseMs, ttlMs);
    db.run(sql, name, who, packed(fingerprint), mark, ttlMs, at + leaseMs, until);
    return { state: 'claimed' };
  }

  /** Several at once, where an owner may have many: each time costs more than what is dropped. */
  function dropAnswers(owner: string): void {
    const most = limits.maxAnswersPerOwner;
    const answers = Number(db.get('SELECT answers FROM owners WHERE owner = ?', owner)?.['answers'] ?? 0);
    if (answers <= most) return;
    const sql = `UPDATE idempotency SET answer = NULL WHERE rowid IN (
      SELECT rowid FROM idempotency WHERE owner = ? AND answer IS NOT NULL ORDER BY ended, rowid LIMIT ?)`;
    db.run(sql, owner, answers - most + Math.floor(most * DROPPED_BEYOND));
  }

  return {
    async claim(wanted) {
      const mark = randomUUID();
      const found = await db.together(() => claim(wanted, mark));
      if (found.state === 'claimed') marks.hold(wanted, mark);
      return found;
    },
    async finish(done) {
      const [name, mark] = [packed(done.key), marks.of(done)];
      await db.together(() => {
        const at = now();
        const sql = `UPDATE idempotency SET ended = ?, answer = ?, until = ? + ttl_ms
          WHERE key = ? AND token = ? AND ended IS NULL AND until > ? RETURNING owner`;
        const kept = db.get(sql, at, packed(done.answer), at, name, mark, at);
        if (kept !== undefined) dropAnswers(kept['owner'] as string);
      });
      marks.drop(done);
    },
    async renew(claim) {
      await db.together(() => renew({ db, now }, claim, marks.of(claim)));
      marks.renew(claim);
    },
    async free(key, token) {
      const sql = 'DELETE FROM idempotency WHERE key = ? AND token = ? AND ended IS NULL';
      const [name, mark] = [packed(key), marks.of({ key, token })];
      await db.together(() => db.run(sql, name, mark));
      marks.drop({ key, token });
    },
  };
}

function stateOf({ fingerprint, ended, answer, lease_until }: Row, at: number): KeyState {
  if (ended !== null) return keptState('done', fingerprint, answer);
  return keptState(Number(lease_until) > at ? 'running' : 'lost', fingerprint, null);
}
