/** The folder that workers reach each other by, and what they share is in. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder, and a file in it that nobody else could put there. */
export interface Folder {
  readonly path: string;
  readonly mark: string;
}

/** The longest path that a Unix socket can have everywhere. */
const LONGEST_PATH = 103;

/**
 * Makes one in the first of these places that has room for it and for the sockets in it: the temporary folder, if there is
 * one, or the one of the system. Throws an error of Node's where none can be had.
 */
export function makeFolder(places: readonly string[] = [tmpdir(), '/tmp']): Folder {
  let reason: unknown;
  for (const start of places.map((place) => join(place, 'mayday-workers-')))
    if (Buffer.byteLength(`${start}123456/questions-64`) <= LONGEST_PATH) {
      try {
        return marked(mkdtempSync(start));
      } catch (error) {
        reason ??= error;
      }
    }
  throw reason;
}

function marked(path: string): Folder {
  const mark = join(path, randomUUID());
  try {
    writeFileSync(mark, '');
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
  return { path, mark };
}

/** Is it still there? What was used just now is not cleared away for its age. */
export function isHere({ mark }: Folder): boolean {
  try {
    const now = new Date();
    utimesSync(mark, now, now);
    return true;
  } catch {
    return false;
  }
}
