import type { DatabaseSync } from 'node:sqlite';
import type { Envelope } from '../envelope.ts';

/** One call, and its outcome. */
export interface AuditEntry {
  readonly at: number;
  readonly principal: string;
  readonly tool: string;
  readonly envelope: Envelope;
}

/** Who called what, and what became of it: for operators. */
export interface AuditLog {
  add(entry: AuditEntry): void;
  /** The latest calls, oldest first. */
  latest(limit: number): readonly AuditEntry[];
}

/** Beyond this many calls, the oldest are forgotten. */
const MAX_KEPT = 10_000;

/** The log in the database. */
export function createAuditLog(database: DatabaseSync): AuditLog {
  const add = database.prepare('INSERT INTO audit (at, principal, tool, envelope) VALUES (?, ?, ?, ?)');
  const latest = database.prepare(
    'SELECT at, principal, tool, envelope FROM audit ORDER BY rowid DESC LIMIT ?',
  );
  const forget = database.prepare('DELETE FROM audit WHERE rowid <= ?');
  return {
    add({ at, principal, tool, envelope }) {
      const { lastInsertRowid } = add.run(at, principal, tool, JSON.stringify(envelope));
      forget.run(Number(lastInsertRowid) - MAX_KEPT);
    },
    latest: (limit) =>
      latest
        .all(limit)
        .reverse()
        .map((row) => ({ ...row, envelope: JSON.parse(String(row['envelope'])) }) as AuditEntry),
  };
}
