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

/** The log in the database. */
export function createAuditLog(database: DatabaseSync): AuditLog {
  const add = database.prepare('INSERT INTO audit (at, principal, tool, envelope) VALUES (?, ?, ?, ?)');
  const latest = database.prepare(
    'SELECT at, principal, tool, envelope FROM audit ORDER BY rowid DESC LIMIT ?',
  );
  return {
    add: ({ at, principal, tool, envelope }) => void add.run(at, principal, tool, JSON.stringify(envelope)),
    latest: (limit) =>
      latest
        .all(limit)
        .reverse()
        .map((row) => ({ ...row, envelope: JSON.parse(String(row['envelope'])) }) as AuditEntry),
  };
}
