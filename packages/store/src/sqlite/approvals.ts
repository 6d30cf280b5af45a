/** Approvals in a file. */
import { randomUUID } from 'node:crypto';
import type { Approval, ApprovalRequest, WaitingApproval } from '@mayday/policy';
import { consentLeaseMs, type LeasedApprovals, newDigestKey } from '../held-consents.ts';
import type { Limits } from '../settings.ts';
import { packed } from '../text.ts';
import type { Access } from './sqlite.ts';

/** A connection, the time, and how far that is ahead of the one that people see. */
interface AheadAccess extends Access {
  readonly aheadMs: () => number;
}

/** Approvals in a file. */
export function sqliteApprovals({ db, now, aheadMs }: AheadAccess, limits: Limits): LeasedApprovals {
  const leaseMs = consentLeaseMs(limits.approvalLeaseMs);
  function ask(request: ApprovalRequest, at: number): Approval {
    const { fingerprint, caller, upstream, target, ttlMs } = request;
    const who = packed(caller ?? null);
    const count = (where: string, ...values: string[]): number =>
      Number(db.get(`SELECT count(*) AS count FROM approvals ${where}`, ...values)?.['count']);
    if (count('') >= limits.maxApprovals) return { state: 'full' };
    if (count('WHERE caller = ?', who) >= limits.maxApprovalsPerCaller) return { state: 'full' };
    const id = randomUUID();
    const body = packed({ fingerprint, caller, upstream, target, arguments: request.arguments, askedAt: at });
    const sql = `INSERT INTO approvals (id, fingerprint, caller, request, state, ttl_ms, until)
      VALUES (?, ?, ?, ?, 'waiting', ?, ?)`;
    db.run(sql, id, packed(fingerprint), who, body, ttlMs, at + ttlMs);
    return { state: 'waiting', id };
  }

  function claim(request: ApprovalRequest, at: number): Approval {
    const sql = 'SELECT id, state FROM approvals WHERE fingerprint = ?';
    const known = db.get(sql, packed(request.fingerprint));
    if (known === undefined) return ask(request, at);
    const { id, state } = known as Exclude<Approval, { state: 'full' | 'taken' }>;
    if (state === 'claimed') return { state: 'taken', id };
    if (known['state'] !== 'approved') return { state, id };
    // How long the consent was good for is kept, for the case that the call gives it back.
    const taken = `UPDATE approvals SET state = 'claimed', consent_until = until, until = ? WHERE id = ?`;
    db.run(taken, at + leaseMs, id);
    return { state: 'claimed', id };
  }

  function decide(id: string, state: 'approved' | 'rejected'): boolean {
    return db.atomic(() => {
      const at = now();
      sweep(db, at);
      const sql = `UPDATE approvals SET state = ?, until = ? + ttl_ms WHERE id = ? AND state = 'waiting'`;
      return db.run(sql, state, at, id) === 1;
    });
  }

  return {
    claim: (request) =>
      db.atomic(() => {
        const at = now();
        sweep(db, at);
        return claim(request, at);
      }),
    confirm(id) {
      db.run(`DELETE FROM approvals WHERE id = ? AND state = 'claimed'`, id);
    },
    release(id) {
      const sql = `UPDATE approvals SET state = 'approved', until = consent_until WHERE id = ? AND state = 'claimed'`;
      db.run(sql, id);
    },
    waiting: () => waitingIn({ db, now, aheadMs }),
    renew: (ids) =>
      db.atomic(() => {
        const sql = `UPDATE approvals SET until = ? WHERE id = ? AND state = 'claimed'`;
        for (const id of ids) db.run(sql, now() + leaseMs, id);
      }),
    digestKey: () => digestKeyIn(db),
    approve: (id) => decide(id, 'approved'),
    reject: (id) => decide(id, 'rejected'),
  };
}

/** What is over is gone: a request, a consent, and a consent whose call never reported back. */
function sweep(db: Access['db'], at: number): void {
  db.run('DELETE FROM approvals WHERE until <= ?', at);
}

function waitingIn({ db, now, aheadMs }: AheadAccess): readonly WaitingApproval[] {
  const [at, ahead] = [now(), aheadMs()];
  // What was asked is kept no longer than it has to be, also where nobody asks or decides any more.
  if (db.get('SELECT 1 FROM approvals WHERE until <= ?', at) !== undefined) sweep(db, at);
  const sql = `SELECT id, request, until FROM approvals WHERE state = 'waiting' AND until > ? ORDER BY n`;
  return db.all(sql, at).map(({ id, request, until }) => {
    const { askedAt, ...asked } = JSON.parse(request as string) as Omit<WaitingApproval, 'id'>;
    return { ...asked, id: id as string, askedAt: askedAt - ahead, expiresAt: Number(until) - ahead };
  });
}

/** Written once: whoever only looks at what waits writes nothing. */
function digestKeyIn(db: Access['db']): string {
  const kept = (): unknown => db.get('SELECT key FROM approval_digests')?.['key'];
  if (kept() === undefined) db.run('INSERT OR IGNORE INTO approval_digests VALUES (1, ?)', newDigestKey());
  return String(kept());
}
