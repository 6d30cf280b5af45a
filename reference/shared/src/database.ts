import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Opens one database file in the data folder. What a statement has acknowledged survives `kill -9`: the log
 * is on the disk before the statement returns.
 */
export function openDatabase(folder: string, file: string, schema: string): DatabaseSync {
  makeFolder(resolve(folder));
  const database = new DatabaseSync(join(folder, file), { timeout: 1000 });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  database.exec(schema);
  return database;
}

/** One folder after the other: asked for all at once, Node tries for ever where a file system makes none (`/proc`). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
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
