/** Copies of a store in a file: made while it is used, and brought back while it is not. */
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store-error.ts';
import { openDatabase, sqliteHere } from './database.ts';
import { problemOf } from './problem.ts';

/** How long somebody else may be in the midst of something. */
const BUSY_MS = 2000;

/** Copies all that is in the file, as it is at one moment, into a new one. Whoever uses it goes on. */
export function backUpFile(from: string, to: string): void {
  if (!existsSync(from))
    throw new StoreError('unusable', `There is no store at ${resolve(from)}; check the path`);
  makeEmpty(to);
  try {
    const { sure, close } = openDatabase(from);
    try {
      sure.run('VACUUM INTO ?', to);
    } finally {
      close();
    }
    flush(to);
  } catch (thrown) {
    rmSync(to, { force: true });
    throw thrown;
  }
}

/** Puts a copy in the place of the file, which nobody may have open; what was there is kept under another name. */
export function restoreFile(file: string, from: string): { readonly kept: string | undefined } {
  const next = `${file}.restored`;
  if (!existsSync(from))
    throw new StoreError('unusable', `There is no file ${resolve(from)}; check the path`);
  rmSync(next, { force: true });
  makeEmpty(next);
  try {
    copyStore(from, next);
    openDatabase(next).close(); // brought up to date, and looked at, before anything is moved
    flush(next);
    const isThere = existsSync(file);
    if (isThere) expectUnused(file);
    if (isThere) keepOwner(file, next);
    const kept = isThere ? moveAway(file) : undefined;
    renameSync(next, file);
    return { kept };
  } catch (thrown) {
    rmSync(next, { force: true });
    throw thrown;
  }
}

/** What is inside is nobody else's business. */
function makeEmpty(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST')
      throw new StoreError('unusable', `${file} is there already; name a new file`);
    throw problemOf(thrown, file);
  }
}

function flush(file: string): void {
  const open = openSync(file, 'r+');
  fsyncSync(open);
  closeSync(open);
}

function connect(file: string, options: { readonly readOnly?: boolean } = {}): DatabaseSync {
  return new (sqliteHere().DatabaseSync)(file, { timeout: BUSY_MS, ...options });
}

/** Only reads: a copy stays as it is. */
function copyStore(from: string, to: string): void {
  try {
    const db = connect(from, { readOnly: true });
    try {
      const tables = db.prepare("SELECT name FROM sqlite_schema WHERE name = 'mayday_schema'").all();
      if (tables.length === 0)
        throw new StoreError(
          'unusable',
          `${from} holds no store; name a copy that \`mayday store backup\` made`,
        );
      db.prepare('VACUUM INTO ?').run(to);
    } finally {
      db.close();
    }
  } catch (thrown) {
    throw problemOf(thrown, from);
  }
}

const BUSY = new Set([5, 6]);

/** Its log can be ended only by who has it alone. One that is damaged is nobody's. */
function expectUnused(file: string): void {
  const inUse = new StoreError('unusable', `${file} is in use; stop every gateway and command on it first`);
  let db: DatabaseSync | undefined;
  try {
    db = connect(file);
    const mode = db.prepare('PRAGMA journal_mode = DELETE').get()?.['journal_mode'];
    if (mode !== 'delete') throw inUse;
  } catch (thrown) {
    const { errcode } = Object(thrown) as { readonly errcode?: number };
    if (thrown === inUse || (errcode !== undefined && BUSY.has(errcode & 0xff))) throw inUse;
  } finally {
    db?.close();
  }
}

/** Whoever could use the file before can use it then, also where an administrator brings it back. */
function keepOwner(file: string, next: string): void {
  const { uid, gid, mode } = statSync(file);
  chmodSync(next, mode & 0o777);
  if (process.getuid?.() === 0) chownSync(next, uid, gid);
}

function moveAway(file: string): string {
  const kept = `${file}.${new Date().toISOString().replace(/\D/g, '').slice(0, 17)}`;
  for (const end of ['', '-wal', '-shm'])
    if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, `${kept}${end}`);
  return kept;
}
