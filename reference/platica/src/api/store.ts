/** Workspaces, keys and what is in the workspaces, in one file. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase, transaction } from '@mayday/reference-shared';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS workspaces (id TEXT PRIMARY KEY) STRICT;
  CREATE TABLE IF NOT EXISTS keys (
    id TEXT PRIMARY KEY, digest TEXT NOT NULL, workspaces TEXT NOT NULL, disabled INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE IF NOT EXISTS things (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, workspace TEXT, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS things_in_workspace ON things (kind, workspace);
`;

/** What a workspace is made of. */
export type Kind = 'client' | 'agent' | 'campaign' | 'webhook';

/** One of those. */
export interface Thing {
  readonly id: string;
  /** Agents can be without one. */
  readonly workspace: string | null;
  readonly [field: string]: unknown;
}

/** Opens the store; an empty one gets two workspaces and two agents, one of them without a workspace. */
export function openStore(folder: string): DatabaseSync {
  const store = openDatabase(folder, 'platica.sqlite', SCHEMA);
  transaction(store, () => {
    if (store.prepare('SELECT 1 FROM workspaces').get() !== undefined) return;
    for (const id of ['ws_norte', 'ws_sur']) addWorkspace(store, id);
    save(store, 'agent', { id: 'agt_ventas', workspace: 'ws_norte', name: 'Ventas', subagents: [] });
    save(store, 'agent', { id: 'agt_suelto', workspace: null, name: 'Suelto', subagents: [] });
  });
  return store;
}

/** Opens a workspace; one that is there stays. */
export function addWorkspace(store: DatabaseSync, id: string): void {
  store.prepare('INSERT OR IGNORE INTO workspaces VALUES (?)').run(id);
}

/** Is there such a workspace? */
export function hasWorkspace(store: DatabaseSync, id: string): boolean {
  return store.prepare('SELECT 1 FROM workspaces WHERE id = ?').get(id) !== undefined;
}

/** Keeps a thing, new or changed. */
export function save(store: DatabaseSync, kind: Kind, { id, workspace, ...body }: Thing): Thing {
  store
    .prepare('INSERT INTO things VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body')
    .run(id, kind, workspace, JSON.stringify(body));
  return { id, workspace, ...body };
}

/** An id that nothing has yet: `cli_…` for a client. */
export function newId(kind: Kind): string {
  return `${kind.slice(0, 3)}_${randomUUID().slice(0, 13)}`;
}

/** A thing by its id, in whatever workspace. */
export function find(store: DatabaseSync, kind: Kind, id: string): Thing | undefined {
  const row = store.prepare('SELECT id, workspace, body FROM things WHERE kind = ? AND id = ?').get(kind, id);
  return row === undefined ? undefined : toThing(row);
}

/** All things of a kind in a workspace, oldest first. */
export function list(store: DatabaseSync, kind: Kind, workspace: string): Thing[] {
  const select = 'SELECT id, workspace, body FROM things WHERE kind = ? AND workspace = ? ORDER BY rowid';
  return store.prepare(select).all(kind, workspace).map(toThing);
}

/** Forgets a thing. */
export function remove(store: DatabaseSync, id: string): void {
  store.prepare('DELETE FROM things WHERE id = ?').run(id);
}

function toThing({ id, workspace, body }: { [column: string]: unknown }): Thing {
  return { id, workspace, ...JSON.parse(body as string) };
}
