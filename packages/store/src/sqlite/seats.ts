/** Who holds a concurrency place and who waits for one, in a file. */
import type { Seats } from '../places.ts';
import { packed } from '../text.ts';
import type { Access } from './sqlite.ts';

/** Seats in a file. */
export function sqliteSeats({ db, now }: Access, leaseMs: number): Seats {
  return {
    enter: ({ key, id }, { limit, queue }) =>
      db.atomic(() => {
        const [at, name] = [now(), packed(key)];
        const until = at + Math.ceil(leaseMs);
        db.run('DELETE FROM seats WHERE key = ? AND until <= ?', name, at);
        // A clock that was set back makes no lease longer.
        db.run('UPDATE seats SET until = ? WHERE key = ? AND until > ?', until, name, until);
        const all = db.all('SELECT id, held FROM seats WHERE key = ? ORDER BY n', name);
        const line = all.filter(({ held }) => held === 0).map((seat) => seat['id']);
        const isWaiting = line.includes(id);
        const before = isWaiting ? line.indexOf(id) : line.length;
        const fits = all.length - line.length + before < limit;
        if (!fits && !isWaiting && line.length >= queue) return 'full';
        const sql = `INSERT INTO seats (key, id, held, until) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
          SET held = excluded.held, until = excluded.until`;
        db.run(sql, name, id, fits ? 1 : 0, until);
        return fits ? 'held' : 'waiting';
      }),
    leave({ id }) {
      db.run('DELETE FROM seats WHERE id = ?', id);
    },
    renew(seats) {
      const until = now() + Math.ceil(leaseMs);
      db.atomic(() => {
        for (const { id } of seats) db.run('UPDATE seats SET until = ? WHERE id = ?', until, id);
      });
    },
  };
}
