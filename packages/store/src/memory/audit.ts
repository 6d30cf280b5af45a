/** The audit log in memory. */
import { link, ORIGIN, Verifier } from '../chain.ts';
import type { Audit, AuditRow } from '../ports.ts';
import { pageSize } from '../settings.ts';
import type { Now } from './memory.ts';

/** An audit log in memory. */
export function memoryAudit(now: Now): Audit {
  const rows: AuditRow[] = [];
  return {
    async append(deed) {
      const row = Object.freeze(link(rows.at(-1) ?? { seq: 0, hash: ORIGIN }, deed, now()));
      rows.push(row);
      return row;
    },
    async list({ after = 0, limit } = {}) {
      now();
      return rows.slice(after, after + pageSize(limit));
    },
    async verify(known) {
      now();
      const verifier = new Verifier(known);
      rows.every((row) => verifier.takes(row));
      return verifier.verdict();
    },
  };
}
