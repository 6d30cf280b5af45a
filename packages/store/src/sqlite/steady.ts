/**
 * The time of a file for what must not be forgotten when somebody sets the clock: it goes on with the machine's own count
 * of time since it was started, which is the same for all processes, and which nobody sets.
 */
import { readFileSync } from 'node:fs';
import type { Connection } from './database.ts';

/** A time that only goes forward, as fast as the time does, in whole milliseconds; near Unix time. */
export function steadyTime(db: Connection): () => number {
  const behind = Date.now() - sinceStart();
  const start = startOfMachine();
  const offset = start === undefined ? behind : offsetOf(db, start, behind);
  return () => Math.floor(sinceStart() + offset);
}

function sinceStart(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** Who comes first after a start of the machine says what time it is; the others agree. */
function offsetOf(db: Connection, start: string, behind: number): number {
  return db.atomic(() => {
    const known = db.get('SELECT offset_ms FROM steady WHERE start = ?', start)?.['offset_ms'];
    if (known !== undefined) return Number(known);
    db.run('DELETE FROM steady');
    db.run('INSERT INTO steady VALUES (?, ?)', start, behind);
    return behind;
  });
}

/** A name for this start of the machine, where it is told; elsewhere each process goes by its own count. */
function startOfMachine(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}
