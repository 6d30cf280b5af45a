import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Opens one database file in the data folder. What a statement has acknowledged survives `kill -9`: the log
 * is on the disk before the statement returns.
 */
export function openDatabase(folder: string, file: string, schema: string): DatabaseSync {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, file), { timeout: 1000 });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  database.exec(schema);
  return database;
}

/** Runs all of it or nothing of it. */
export function transaction<T>(database: DatabaseSync, run: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = run();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
