import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Shows the other processes on a data folder that this one is there, and tells which of them are. */
export interface Presence {
  /** Who this process is for the others, from the first time that it is asked for. */
  id(): number;
  /** Is this process, by its id, still there? */
  has(id: number): boolean;
  close(): void;
}

const FILE = /^here-(\d+)\.sqlite$/;

/**
 * A lock on a file ends with its process, however that ends, and is seen from every container that shares the folder:
 * process ids mean nothing there.
 */
export function openPresence(folder: string): Presence {
  let own: { readonly id: number; readonly lock: DatabaseSync } | undefined;
  const fileOf = (id: number): string => join(folder, `here-${id}.sqlite`);

  function has(id: number): boolean {
    const file = fileOf(id);
    if (own?.id === id) return true;
    if (!existsSync(file)) return false;
    const lock = lockOn(file);
    if (lock === undefined) return true;
    lock.close();
    rmSync(file, { force: true });
    return false;
  }

  return {
    id() {
      if (own !== undefined) return own.id;
      // What those have left who could not clear up.
      for (const name of readdirSync(folder)) if (FILE.test(name)) has(Number(FILE.exec(name)?.[1]));
      const id = randomInt(2 ** 47);
      const lock = lockOn(fileOf(id));
      if (lock === undefined) throw new Error(`The file ${fileOf(id)} cannot be locked`);
      own = { id, lock };
      return id;
    },
    has,
    close() {
      if (own === undefined) return;
      own.lock.close();
      rmSync(fileOf(own.id), { force: true });
      own = undefined;
    },
  };
}

/** Takes the file for this process alone; `undefined` where another has it, or nobody can tell. */
function lockOn(file: string): DatabaseSync | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch {
    database?.close();
    return undefined;
  }
}
