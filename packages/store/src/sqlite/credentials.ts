/** Credentials in a file. */
import type { CredentialRow, CredentialRows } from '../credentials.ts';
import { packed } from '../text.ts';
import type { Row } from './database.ts';
import type { Access } from './sqlite.ts';

/** Rows of credentials in a file. */
export function sqliteCredentialRows({ db, now }: Access): CredentialRows {
  return {
    async put({ caller, upstream }, sealed) {
      const at = now();
      const sql = `INSERT INTO credentials VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
        SET sealed = excluded.sealed, changed = excluded.changed RETURNING created`;
      const written = db.get(sql, packed(caller), packed(upstream), sealed, at, at);
      return { caller, upstream, createdAt: Number(written?.['created']), changedAt: at };
    },
    async get({ caller, upstream }) {
      const sql = 'SELECT * FROM credentials WHERE caller = ? AND upstream = ?';
      const found = db.get(sql, packed(caller), packed(upstream));
      return found === undefined ? undefined : readRow(found);
    },
    async remove({ caller, upstream }) {
      const sql = 'DELETE FROM credentials WHERE caller = ? AND upstream = ?';
      return db.run(sql, packed(caller), packed(upstream)) === 1;
    },
    all: async () => db.all('SELECT * FROM credentials').map(readRow),
  };
}

function readRow({ caller, upstream, sealed, created, changed }: Row): CredentialRow {
  return {
    caller: JSON.parse(caller as string),
    upstream: JSON.parse(upstream as string),
    sealed: sealed as string,
    createdAt: Number(created),
    changedAt: Number(changed),
  };
}
