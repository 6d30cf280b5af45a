/** Exactly once, in a file. */
import { randomUUID } from 'node:crypto';
import type { IdempotencyStore, KeyClaim, KeyState } from '@mayday/policy';
import { Marks } from '../marks.ts';
import type { Limits } from '../settings.ts';
import { packed } from '../text.ts';
import type { Row } from './database.ts';
import type { Access } from './sqlite.ts';

/** Old keys that are looked for with each claim. */
const SWEPT = 8;

/** Keys and their answers in a file. */
export function sqliteIdempotency({ db, now }: Access, limits: Limits): IdempotencyStore {
  const marks = new Marks();

  function sweep(at: number, key: string): void {
    const old = 'SELECT key FROM idempotency WHERE until <= ? LIMIT ?';
    db.run(`DELETE FROM idempotency WHERE key IN (${old})`, at, SWEPT);
    db.run('DELETE FROM idempotency WHERE key = ? AND until <= ?', key, at);
  }

  function isFull(owner: string): boolean {
    const keys = db.get('SELECT keys FROM owners WHERE owner = ?', owner)?.['keys'] ?? 0;
    return Number(keys) >= limits.maxKeysPerOwner;
  }

  function claim({ key, owner, fingerprint, leaseMs, ttlMs }: KeyClaim, mark: string): KeyState {
    const [at, name, who] = [now(), packed(key), packed(owner)];
    sweep(at, name);
    const known = db.get('SELECT * FROM idempotency WHERE key = ?', name);
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

  function dropAnswers(key: string): void {
    const owner = db.get('SELECT owner FROM idempotency WHERE key = ?', key)?.['owner'] as string;
    const answers = Number(db.get('SELECT answers FROM owners WHERE owner = ?', owner)?.['answers'] ?? 0);
    const sql = `UPDATE idempotency SET answer = NULL WHERE key IN (
      SELECT key FROM idempotency WHERE owner = ? AND answer IS NOT NULL ORDER BY ended, rowid LIMIT ?)`;
    if (answers > limits.maxAnswersPerOwner) db.run(sql, owner, answers - limits.maxAnswersPerOwner);
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
          WHERE key = ? AND token = ? AND ended IS NULL AND until > ?`;
        if (db.run(sql, at, packed(done.answer), at, name, mark, at) === 1) dropAnswers(name);
      });
      marks.drop(done);
    },
    async free(key, token) {
      const sql = 'DELETE FROM idempotency WHERE key = ? AND token = ? AND ended IS NULL';
      const [name, mark] = [packed(key), marks.of({ key, token })];
      await db.together(() => db.run(sql, name, mark));
      marks.drop({ key, token });
    },
  };
}

function stateOf(known: Row, at: number): KeyState {
  const fingerprint: string = JSON.parse(known['fingerprint'] as string);
  const { ended, answer } = known;
  if (ended !== null) return { state: 'done', fingerprint, answer: JSON.parse((answer ?? '""') as string) };
  return { state: Number(known['lease_until']) > at ? 'running' : 'lost', fingerprint };
}
