/** Keys and sessions in a file. */
import type { KeyRow, KeyRows, ReadKey } from '../keys.ts';
import type { Sessions } from '../ports.ts';
import { packed } from '../text.ts';
import type { Row } from './database.ts';
import type { Access } from './sqlite.ts';

/** Rows of keys in a file. */
export function sqliteKeyRows({ db, now }: Access): KeyRows {
  return {
    now: async () => now(),
    async byDigest(digest) {
      const sql = 'SELECT k.* FROM api_keys k JOIN key_digests d ON d.id = k.id WHERE d.digest = ?';
      return readKey(db.get(sql, packed(digest)));
    },
    byId: async (id) => readKey(db.get('SELECT * FROM api_keys WHERE id = ?', packed(id))),
    all: async () => db.all('SELECT * FROM api_keys').map((row) => readKey(row) as ReadKey),
    count: async () => countOf(db),
    async write(row, version, among) {
      const isWritten = db.atomic(() => {
        const id = packed(row.id);
        const known = db.get('SELECT version FROM api_keys WHERE id = ?', id)?.['version'] ?? 0;
        if (known !== version || (among !== undefined && among !== countOf(db))) return false;
        const sql = `INSERT INTO api_keys VALUES (?, ?, 1, NULL) ON CONFLICT DO UPDATE
          SET body = excluded.body, version = version + 1`;
        db.run(sql, id, packed(row));
        db.run('DELETE FROM key_digests WHERE id = ?', id);
        for (const { digest } of row.secrets)
          db.run('INSERT INTO key_digests VALUES (?, ?)', packed(digest), id);
        return true;
      });
      // Who copies the file without its log has the keys: a store that knows of none lets everybody in.
      if (isWritten) db.get('PRAGMA wal_checkpoint(PASSIVE)');
      return isWritten;
    },
    async touch(id, at) {
      db.run('UPDATE api_keys SET used_at = ? WHERE id = ?', at, packed(id));
    },
    async wereMade(isKnown) {
      const are = 'SELECT EXISTS (SELECT 1 FROM api_keys) OR EXISTS (SELECT 1 FROM key_digests) AS are';
      if (db.get(are)?.['are'] === 1) return true;
      // A digest of no key: no name is packed like this, and nothing is listed for it.
      if (isKnown) db.run("INSERT INTO key_digests VALUES ('', '') ON CONFLICT DO NOTHING");
      return isKnown;
    },
  };
}

function countOf(db: Access['db']): number {
  return Number(db.get('SELECT count(*) AS count FROM api_keys')?.['count']);
}

function readKey(row: Row | undefined): ReadKey | undefined {
  if (row === undefined) return undefined;
  const { body, version, used_at: used } = row;
  const read: KeyRow = JSON.parse(body as string);
  return { row: read, version: Number(version), lastUsedAt: used === null ? undefined : Number(used) };
}

/** Old sessions that are looked for with each new one. */
const SWEPT = 8;

/** Sessions in a file. */
export function sqliteSessions({ db, now }: Access): Sessions {
  return {
    open: async ({ id, owner, node, ttlMs }) =>
      db.atomic(() => {
        const [at, name] = [now(), packed(id)];
        const old = 'SELECT id FROM sessions WHERE until <= ? LIMIT ?';
        db.run(`DELETE FROM sessions WHERE id IN (${old})`, at, SWEPT);
        db.run('DELETE FROM sessions WHERE id = ? AND until <= ?', name, at);
        const sql = 'INSERT INTO sessions VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
        return db.run(sql, name, packed(owner), packed(node), at + ttlMs) === 1;
      }),
    async find(id) {
      const found = db.get('SELECT * FROM sessions WHERE id = ? AND until > ?', packed(id), now());
      if (found === undefined) return undefined;
      const [owner, node] = [found['owner'], found['node']].map((text) => JSON.parse(text as string));
      return { id, owner, node, expiresAt: Number(found['until']) };
    },
    async renew(id, ttlMs) {
      const at = now();
      return (
        db.run('UPDATE sessions SET until = ? WHERE id = ? AND until > ?', at + ttlMs, packed(id), at) === 1
      );
    },
    async end(id) {
      db.run('DELETE FROM sessions WHERE id = ?', packed(id));
    },
  };
}
