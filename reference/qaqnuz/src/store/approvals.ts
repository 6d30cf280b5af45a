import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** Where an approval request stands. Each is decided once, and used once. */
type ApprovalState = 'waiting' | 'granted' | 'denied' | 'used' | 'closed';

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
}

/** Approval requests. */
export interface Approvals {
  /**
   * What was decided about exactly this call; opens a request if there is none. A decision is used up by being
   * found, so call it in one transaction with what it allows.
   */
  claim(call: GovernedCall): { readonly id: string; readonly state: 'waiting' | 'granted' | 'denied' };
  waiting(): readonly ApprovalRequest[];
  /** Decides a request that waits; false when it does not. */
  decide(id: string, state: 'granted' | 'denied'): boolean;
}

/** Approval requests in the database. */
export function createApprovals(database: DatabaseSync): Approvals {
  const find = database.prepare(
    `SELECT id, state FROM approvals WHERE fingerprint = ? AND state IN ('waiting', 'granted', 'denied')`,
  );
  const add = database.prepare(
    `INSERT INTO approvals (id, fingerprint, principal, tool, arguments, state) VALUES (?, ?, ?, ?, ?, 'waiting')`,
  );
  const move = database.prepare('UPDATE approvals SET state = ? WHERE id = ? AND state = ?');
  const waiting = database.prepare(
    `SELECT id, principal, tool, arguments, state FROM approvals WHERE state = 'waiting' ORDER BY rowid`,
  );
  return {
    claim(call) {
      const fingerprint = fingerprintOf(call);
      const open = find.get(fingerprint) as
        | { id: string; state: 'waiting' | 'granted' | 'denied' }
        | undefined;
      if (open === undefined) {
        const id = `apr_${randomBytes(6).toString('hex')}`;
        add.run(id, fingerprint, call.principal, call.tool, JSON.stringify(call.arguments));
        return { id, state: 'waiting' };
      }
      if (open.state === 'granted') move.run('used', open.id, 'granted');
      if (open.state === 'denied') move.run('closed', open.id, 'denied');
      return open;
    },
    waiting: () => waiting.all() as unknown as readonly ApprovalRequest[],
    decide: (id, state) => move.run(state, id, 'waiting').changes === 1,
  };
}

/** The same caller, tool and arguments are the same call, in whatever order the arguments come. */
function fingerprintOf({ principal, tool, arguments: args }: GovernedCall): string {
  const sorted = Object.entries(args ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([principal, tool, sorted]))
    .digest('hex');
}
