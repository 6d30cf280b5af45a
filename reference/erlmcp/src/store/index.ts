/** Everything that survives a restart, and what processes on one folder tell each other. */
import type { DatabaseSync } from 'node:sqlite';
import { type Neighbours, openDatabase, openNeighbours } from '@mayday/reference-shared';
import { createNotes, type Notes } from './notes.ts';
import { createTaskRows, type TaskRows } from './task-rows.ts';
import { createToolRows, type ToolRows } from './tool-rows.ts';
import { createUsers, type Users } from './users.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, mime_type TEXT NOT NULL, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS authors (note TEXT PRIMARY KEY, owner TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS tools (name TEXT PRIMARY KEY, description TEXT NOT NULL, text TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS users (name TEXT PRIMARY KEY, role TEXT NOT NULL, salt BLOB NOT NULL,
    password BLOB NOT NULL, suspended INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE IF NOT EXISTS tokens (digest TEXT PRIMARY KEY, user TEXT NOT NULL REFERENCES users,
    issued_at INTEGER NOT NULL, expires_at INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS work (id TEXT PRIMARY KEY, owner TEXT NOT NULL, tool TEXT NOT NULL,
    status TEXT NOT NULL, reason TEXT, result TEXT, ttl INTEGER NOT NULL, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, worker INTEGER NOT NULL) STRICT;
`;

/** The store. */
export interface Store extends Neighbours {
  readonly notes: Notes;
  readonly tools: ToolRows;
  readonly users: Users;
  readonly tasks: TaskRows;
}

/** How long a write waits for another process before it fails. */
const BUSY_MS = 250;

/** Opens the store in a folder. */
export function openStore(folder: string): Store {
  const database: DatabaseSync = openDatabase(folder, 'erlmcp.sqlite', SCHEMA);
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  const neighbours = openNeighbours(folder);
  return {
    ...neighbours,
    notes: createNotes(database),
    tools: createToolRows(database),
    users: createUsers(database),
    tasks: createTaskRows(database, neighbours.presence),
    close() {
      database.close();
      neighbours.close();
    },
  };
}
