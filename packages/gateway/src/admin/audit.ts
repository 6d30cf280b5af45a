/** The audit log, for whoever wants to know who did what. It is read here, and never written by request. */
import type { AuditRow } from '@mayday/store';
import { instant, type Operation, onStore, told } from './operation.ts';
import { limit, named, ref, request } from './schemas.ts';

const PAGE = 250;

/** What can be asked about the log. */
export const AUDIT: readonly Operation[] = [
  onStore({
    id: 'listAudit',
    method: 'GET',
    path: '/audit',
    tag: 'audit',
    summary: 'Who has changed what, the oldest first.',
    query: request({
      after: {
        type: 'integer',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'Only rows after this one.',
      },
      limit: limit(500),
    }),
    answer: { status: 200, about: 'The rows.', schema: named('rows', ref('AuditRow')) },
    faults: {},
    async run({ audit }, { query }) {
      const { after = 0, limit: most = 500 } = query as { readonly after?: number; readonly limit?: number };
      const rows: AuditDocument[] = [];
      // So many at a time: between two pages others have their turn.
      for (let from = after; rows.length < most; await new Promise(setImmediate)) {
        const wanted = Math.min(PAGE, most - rows.length);
        const found = await audit.list({ after: from, limit: wanted });
        rows.push(...found.map(rowDocument));
        from = found.at(-1)?.seq ?? from;
        if (found.length < wanted) break;
      }
      return told({ rows });
    },
  }),
  onStore({
    id: 'verifyAudit',
    method: 'GET',
    path: '/audit/verify',
    tag: 'audit',
    summary: 'Goes through all rows, and says whether one was changed or is missing.',
    query: request({
      known: {
        type: 'string',
        pattern: '^[1-9][0-9]{0,14}:[0-9a-f]{64}$',
        description: 'The number and the hash of a row that was noted elsewhere, as N:HASH',
      },
    }),
    answer: { status: 200, about: 'The verdict.', schema: ref('Verdict') },
    faults: {},
    async run({ audit }, { query }) {
      const [seq, hash] = String(query['known'] ?? '').split(':');
      const known = seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash };
      const verdict = await audit.verify(known);
      return told(verdict.ok ? verdict : { ok: false, broken_at: verdict.brokenAt });
    },
  }),
];

/** A row in JSON. */
export interface AuditDocument extends Omit<AuditRow, 'at'> {
  readonly at: string;
}

function rowDocument(row: AuditRow): AuditDocument {
  return { ...row, at: instant(row.at) };
}
