import type { DatabaseSync } from 'node:sqlite';
import type { Presence } from '@mayday/reference-shared';

/** Where a task stands. Only `working` can change. */
type TaskStatus = 'working' | 'completed' | 'failed' | 'cancelled';

/** A task as it is stored. */
export interface TaskRow {
  readonly id: string;
  readonly owner: string;
  readonly tool: string;
  readonly status: TaskStatus;
  /** Why it failed. */
  readonly reason: string | null;
  /** The tool's result as JSON; of one that took too long, how long it had. */
  readonly result: string | null;
  /** How long it is kept after it was created, in milliseconds. */
  readonly ttl: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** How a task ended. */
export interface TaskEnd {
  readonly status: Exclude<TaskStatus, 'working'>;
  readonly reason?: string;
  readonly result?: string;
}

/** Tasks by id. */
export interface TaskRows {
  /** This process works on it. */
  create(task: Pick<TaskRow, 'id' | 'owner' | 'tool' | 'ttl'>, now: number): void;
  /** Ends a task; false when it had ended before. */
  end(id: string, end: TaskEnd, now: number): boolean;
  get(id: string): TaskRow | undefined;
  of(owner: string): readonly TaskRow[];
  /** Fails the tasks that nobody works on any more, this process included. */
  failAbandoned(reason: string, now: number, runsHere: (id: string) => boolean): void;
  forgetOld(now: number): void;
}

const COLUMNS =
  'id, owner, tool, status, reason, result, ttl, created_at AS createdAt, updated_at AS updatedAt';

/** Tasks in the database. */
export function createTaskRows(database: DatabaseSync, presence: Presence): TaskRows {
  const create = database.prepare(
    `INSERT INTO work (id, owner, tool, status, ttl, created_at, updated_at, worker)
     VALUES (?, ?, ?, 'working', ?, ?, ?, ?)`,
  );
  const end = database.prepare(
    `UPDATE work SET status = ?, reason = ?, result = ?, updated_at = ? WHERE id = ? AND status = 'working'`,
  );
  const get = database.prepare(`SELECT ${COLUMNS} FROM work WHERE id = ?`);
  const of = database.prepare(`SELECT ${COLUMNS} FROM work WHERE owner = ? ORDER BY rowid`);
  const working = database.prepare(`SELECT id, worker FROM work WHERE status = 'working'`);
  const forget = database.prepare(`DELETE FROM work WHERE status <> 'working' AND created_at + ttl < ?`);
  return {
    create: ({ id, owner, tool, ttl }, now) => void create.run(id, owner, tool, ttl, now, now, presence.id()),
    end: (id, { status, reason, result }, now) =>
      end.run(status, reason ?? null, result ?? null, now, id).changes === 1,
    get: (id) => get.get(id) as TaskRow | undefined,
    of: (owner) => of.all(owner) as unknown as readonly TaskRow[],
    failAbandoned(reason, now, runsHere) {
      for (const { id, worker } of working.all() as unknown as { id: string; worker: number }[])
        if (!(worker === presence.id() ? runsHere(id) : presence.has(worker)))
          end.run('failed', reason, null, now, id);
    },
    forgetOld: (now) => void forget.run(now),
  };
}
