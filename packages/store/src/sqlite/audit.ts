/** The audit log in a file. */
import { link, ORIGIN, Verifier } from '../chain.ts';
import type { Audit, AuditRow } from '../ports.ts';
import { pageSize } from '../settings.ts';
import { packed } from '../text.ts';
import type { Row } from './database.ts';
import type { Access } from './sqlite.ts';

/** Rows that are judged at a time. */
const CHUNK = 1000;

/** An audit log in a file; the file itself refuses changes of rows. */
export function sqliteAudit({ db, now }: Access): Audit {
  const page = (after: number, count: number): readonly AuditRow[] =>
    db.all('SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ?', after, count).map(rowOf);
  return {
    append: async (deed) =>
      db.atomic(() => {
        const last = db.get('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1');
        const before = { seq: Number(last?.['seq'] ?? 0), hash: String(last?.['hash'] ?? ORIGIN) };
        const row = link(before, deed, now());
        const { seq, at, hash, ...said } = row;
        db.run('INSERT INTO audit VALUES (?, ?, ?, ?)', seq, at, packed(said), hash);
        db.run('UPDATE audit_written SET rows = rows + 1');
        return row;
      }),
    list: async ({ after = 0, limit } = {}) => page(after, pageSize(limit)),
    async verify(known) {
      const verifier = new Verifier(known);
      // Counted first: what is written meanwhile is no gap.
      const written = Number(db.get('SELECT max(rows) AS rows FROM audit_written')?.['rows'] ?? 0);
      for (let after = Number.MIN_SAFE_INTEGER; ; ) {
        const rows = page(after, CHUNK);
        const isFine = rows.every((row) => verifier.takes(row));
        if (!isFine || rows.length < CHUNK) return verifier.verdict(written);
        after = rows.at(-1)?.seq as number;
        // A long log keeps nobody waiting.
        await new Promise(setImmediate);
      }
    },
  };
}

/** What somebody has made unreadable is a broken row, not a broken log. */
function rowOf({ seq, at, deed, hash }: Row): AuditRow {
  const fixed = { seq: Number(seq), at: Number(at), hash: String(hash) };
  try {
    return { ...JSON.parse(deed as string), ...fixed };
  } catch {
    return { actor: '', action: '', ...fixed, hash: '' };
  }
}
