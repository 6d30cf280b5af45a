/** The fault journal in a file. */
import type { FaultGroup, Faults, JournalEntry, JournalFault } from '../ports.ts';
import { type Limits, MINUTE_MS, numberedPlace, pageSize } from '../settings.ts';
import { packed } from '../text.ts';
import type { Connection, Row } from './database.ts';
import type { Access } from './sqlite.ts';

/** A fault journal in a file. */
export function sqliteFaults({ db, now }: Access, limits: Limits): Faults {
  /** What is too old, before anything is counted with it. */
  function forget(at: number): void {
    const oldest = at - limits.faultAgeMs;
    const fresh = db.get('SELECT n FROM faults WHERE at > ? ORDER BY n LIMIT 1', oldest)?.['n'];
    db.run('DELETE FROM faults WHERE n < ?', fresh ?? Number.MAX_SAFE_INTEGER);
    db.run('DELETE FROM fault_groups WHERE last <= ?', oldest);
    db.run('DELETE FROM fault_minutes WHERE minute < ?', Math.floor(oldest / MINUTE_MS));
  }

  function newest(): number {
    return Number(db.get('SELECT max(n) AS n FROM faults')?.['n'] ?? 0);
  }

  function trim(before: number): void {
    const after = newest();
    db.run('DELETE FROM faults WHERE n <= ?', after - limits.maxFaults);
    // Counting groups takes time, so they are counted whenever a tenth of the journal is new.
    const step = Math.ceil(limits.maxFaults / 10);
    if (Math.floor(before / step) !== Math.floor(after / step)) trimGroups();
  }

  function trimGroups(): void {
    const sql = 'SELECT fingerprint FROM fault_groups ORDER BY last DESC, n DESC LIMIT -1 OFFSET ?';
    for (const { fingerprint } of db.all(sql, limits.maxFaults))
      for (const table of ['fault_groups', 'fault_minutes'])
        db.run(`DELETE FROM ${table} WHERE fingerprint = ?`, fingerprint as string);
  }

  return {
    append: async (faults) =>
      db.atomic(() => {
        const at = now();
        forget(at);
        const before = newest();
        keepAll(db, faults, at);
        trim(before);
      }),
    async list({ fingerprint, after, before, limit } = {}) {
      const where = `at > ? AND n > ? AND n < ? ${fingerprint === undefined ? '' : 'AND fingerprint = ?'}`;
      const sql = `SELECT * FROM faults WHERE ${where} ORDER BY n ${after === undefined ? 'DESC' : ''} LIMIT ?`;
      const named = fingerprint === undefined ? [] : [packed(fingerprint)];
      const last = before === undefined ? Number.MAX_SAFE_INTEGER : numberedPlace(before);
      const span = [numberedPlace(after ?? ''), last];
      const rows = db.all(sql, now() - limits.faultAgeMs, ...span, ...named, pageSize(limit));
      return rows.map(entryOf);
    },
    async groups({ fingerprint, limit } = {}) {
      const where = `last > ? ${fingerprint === undefined ? '' : 'AND fingerprint = ?'}`;
      const sql = `SELECT * FROM fault_groups WHERE ${where} ORDER BY last DESC, n DESC LIMIT ?`;
      const most = Math.min(pageSize(limit), limits.maxFaults);
      const named = fingerprint === undefined ? [] : [packed(fingerprint)];
      return db.all(sql, now() - limits.faultAgeMs, ...named, most).map(groupOf);
    },
    async counts({ fingerprint, from, to }) {
      const sql = `SELECT minute, count FROM fault_minutes
        WHERE fingerprint = ? AND minute BETWEEN ? AND ? ORDER BY minute`;
      const rows = db.all(sql, packed(fingerprint), Math.floor(from / MINUTE_MS), Math.floor(to / MINUTE_MS));
      return rows.map(({ minute, count }) => ({ at: Number(minute) * MINUTE_MS, count: Number(count) }));
    },
  };
}

/** Each fault is written, and each group once for all of its faults: most of them have the same few. */
function keepAll(db: Connection, faults: readonly JournalFault[], now: number): void {
  const groups = new Map<string, Gathered>();
  const gathered = faults.map(({ agoMs = 0, ...fault }) => {
    const at = now - Math.floor(agoMs);
    const group = groups.get(fault.fingerprint) ?? {
      first: at,
      last: at,
      unwritten: 0,
      minutes: new Map(),
    };
    groups.set(fault.fingerprint, group);
    gather(group, at);
    return { fault, at, group };
  });
  for (const { fault, at, group } of gathered) {
    const sql = 'INSERT INTO faults (at, fingerprint, body) VALUES (?, ?, ?)';
    db.run(sql, at, packed(fault.fingerprint), packed(fault));
    group.unwritten -= 1;
    if (group.unwritten === 0) keepGroup(db, fault, group);
  }
}

/** Right after the last of its faults, whose words and place the group has. */
function keepGroup(db: Connection, fault: JournalFault, { first, last, minutes }: Gathered): void {
  const { fingerprint, kind, origin, upstream, message } = fault;
  const name = packed(fingerprint);
  const sql = `INSERT INTO fault_groups VALUES (?, ?, ?, ?, ?, last_insert_rowid()) ON CONFLICT DO UPDATE
    SET body = excluded.body, count = count + excluded.count, first = min(first, excluded.first),
      last = max(last, excluded.last), n = excluded.n`;
  const count = [...minutes.values()].reduce((sum, one) => sum + one, 0);
  db.run(sql, name, packed({ fingerprint, kind, origin, upstream, message }), count, first, last);
  const minute = `INSERT INTO fault_minutes VALUES (?, ?, ?) ON CONFLICT DO UPDATE
    SET count = count + excluded.count`;
  for (const [number, some] of minutes) db.run(minute, name, number, some);
}

/** The faults of one group that are written together. */
interface Gathered {
  first: number;
  last: number;
  unwritten: number;
  /** How many there were in each minute. */
  readonly minutes: Map<number, number>;
}

function gather(group: Gathered, at: number): void {
  group.first = Math.min(group.first, at);
  group.last = Math.max(group.last, at);
  group.unwritten += 1;
  const minute = Math.floor(at / MINUTE_MS);
  group.minutes.set(minute, (group.minutes.get(minute) ?? 0) + 1);
}

function entryOf({ n, at, body }: Row): JournalEntry {
  return { ...JSON.parse(body as string), id: String(n), at };
}

function groupOf({ body, count, first, last }: Row): FaultGroup {
  return { ...JSON.parse(body as string), count, firstSeen: first, lastSeen: last };
}
