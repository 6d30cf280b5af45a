import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** Where an approval request stands. Each is decided once, used once, and lapses. */
type ApprovalState = 'waiting' | 'granted' | 'denied' | 'used' | 'closed' | 'lapsed';

const DAY_MS = 86_400_000;
/** How long a request waits for a person. */
const WAITS_MS = 7 * DAY_MS;
/** How long a decision counts. */
const COUNTS_MS = DAY_MS;

/** How many requests of one key wait at a time: a person has to read them. */
const MAX_WAITING = 50;

/** A call that needs a person's consent. */
interface GovernedCall {
  readonly principal: string;
  readonly tool: string;
  readonly arguments: unknown;
}

/** An approval request, as the operator sees it. */
interface ApprovalRequest {
  readonly id: string;
  readonly principal: string;
  readonly tool: string;
  readonly arguments: string;
  readonly state: ApprovalState;
  /** When it was asked for, and until when it can be decided. */
  readonly asked: string;
  readonly expires: string;
}

/** Approval requests. */
export interface Approvals {
  /**
   * What was decided about exactly this call; opens a request if there is none, and room for one. A decision is used up by being
   * found, so call it in one transaction with what it allows.
   */
  claim(
    call: GovernedCall,
    now: number,
  ): { readonly id: string; readonly state: 'waiting' | 'granted' | 'denied' | 'refused' };
  waiting(now: number): readonly ApprovalRequest[];
  /** Decides a request that waits; false when it does not. */
  decide(id: string, state: 'granted' | 'denied', now: number): boolean;
}

/** Approval requests in the database. */
export function createApprovals(database: DatabaseSync): Approvals {
  const lapse = database.prepare(
    `UPDATE approval_requests SET state = 'lapsed' WHERE state IN ('waiting', 'granted', 'denied') AND expires_at <= ?`,
  );
  const find = database.prepare(
    `SELECT id, state FROM approval_requests WHERE fingerprint = ? AND state IN ('waiting', 'granted', 'denied')`,
  );
  const add = database.prepare(
    `INSERT INTO approval_requests (id, fingerprint, principal, tool, arguments, state, asked_at, expires_at)
     VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?)`,
  );
  const count = database.prepare(
    `SELECT count(*) AS n FROM approval_requests WHERE principal = ? AND state = 'waiting'`,
  );
  const forget = database.prepare(
    `DELETE FROM approval_requests WHERE state IN ('used', 'closed', 'lapsed') AND expires_at <= ?`,
  );
  const use = database.prepare('UPDATE approval_requests SET state = ? WHERE id = ? AND state = ?');
  const decide = database.prepare(
    `UPDATE approval_requests SET state = ?, expires_at = ? WHERE id = ? AND state = 'waiting' AND expires_at > ?`,
  );
  const waiting = database.prepare(
    `SELECT id, principal, tool, arguments, state, asked_at, expires_at FROM approval_requests
     WHERE state = 'waiting' AND expires_at > ? ORDER BY rowid`,
  );
  return {
    claim(call, now) {
      lapse.run(now);
      forget.run(now - WAITS_MS);
      const fingerprint = fingerprintOf(call);
      const open = find.get(fingerprint) as
        | { id: string; state: 'waiting' | 'granted' | 'denied' }
        | undefined;
      if (open === undefined) {
        const id = `apr_${randomBytes(6).toString('hex')}`;
        const { principal, tool } = call;
        if (Number(count.get(principal)?.['n']) >= MAX_WAITING) return { id, state: 'refused' };
        add.run(id, fingerprint, principal, tool, JSON.stringify(call.arguments), now, now + WAITS_MS);
        return { id, state: 'waiting' };
      }
      if (open.state === 'granted') use.run('used', open.id, 'granted');
      if (open.state === 'denied') use.run('closed', open.id, 'denied');
      return open;
    },
    waiting: (now) =>
      waiting.all(now).map(({ asked_at: asked, expires_at: expires, ...row }) => ({
        ...(row as unknown as ApprovalRequest),
        asked: new Date(Number(asked)).toISOString(),
        expires: new Date(Number(expires)).toISOString(),
      })),
    decide: (id, state, now) => decide.run(state, now + COUNTS_MS, id, now).changes === 1,
  };
}

/** The same caller, tool and arguments are the same call, in whatever order the arguments come. */
function fingerprintOf({ principal, tool, arguments: args }: GovernedCall): string {
  const sorted = Object.entries(args ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([principal, tool, sorted]))
    .digest('hex');
}
