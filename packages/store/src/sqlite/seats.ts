/** Who holds a concurrency place and who waits for one, in a file. */
import type { Seats } from '../places.ts';
import { packed } from '../text.ts';
import type { Row } from './database.ts';
import type { Access } from './sqlite.ts';

const ENTER = `INSERT INTO seats (key, id, held, until) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
  SET held = excluded.held, until = excluded.until`;

/** Seats in a file. */
export function sqliteSeats({ db, now }: Access, leaseMs: number): Seats {
  const untilOf = (at: number): number => at + Math.ceil(leaseMs);

  /** Everybody who is alive under this name, in the order they came. */
  function all(name: string, at: number): readonly Row[] {
    mend(name, at);
    return db.all('SELECT id, held FROM seats WHERE key = ? ORDER BY n', name);
  }

  /** Lets go of those who are gone. */
  function mend(name: string, at: number): void {
    const sql = 'SELECT min(until) AS first, max(until) AS last FROM seats WHERE key = ?';
    const { first, last } = db.get(sql, name) ?? {};
    if (typeof first === 'number' && first <= at)
      db.run('DELETE FROM seats WHERE key = ? AND until <= ?', name, at);
    // A clock that was set back makes no lease longer.
    if (typeof last === 'number' && last > untilOf(at))
      db.run('UPDATE seats SET until = ?1 WHERE key = ?2 AND until > ?1', untilOf(at), name);
  }

  function count(name: string, at: number): number {
    mend(name, at);
    return Number(db.get('SELECT count(*) AS count FROM seats WHERE key = ?', name)?.['count']);
  }

  return {
    enter: ({ key, id }, { limit, queue }) =>
      db.atomic(() => {
        const [at, name] = [now(), packed(key)];
        const there = all(name, at);
        const line = there.filter(({ held }) => held === 0).map((seat) => seat['id']);
        const isWaiting = line.includes(id);
        const before = isWaiting ? line.indexOf(id) : line.length;
        const fits = there.length - line.length + before < limit;
        if (!fits && !isWaiting && line.length >= queue) return 'full';
        db.run(ENTER, name, id, fits ? 1 : 0, untilOf(at));
        return fits ? 'held' : 'waiting';
      }),
    enterAll: (seats) =>
      db.together(() => {
        const at = now();
        // Whoever waits comes first.
        if (seats.some(({ key, limit }) => count(packed(key), at) >= limit)) return false;
        for (const { key, id } of seats) db.run(ENTER, packed(key), id, 1, untilOf(at));
        return true;
      }),
    leave: (seats) =>
      db.together(() => {
        for (const { id } of seats) db.run('DELETE FROM seats WHERE id = ?', id);
      }),
    renew(seats) {
      const until = untilOf(now());
      db.atomic(() => {
        for (const { id } of seats) db.run('UPDATE seats SET until = ? WHERE id = ?', until, id);
      });
    },
  };
}
