import { randomUUID } from 'node:crypto';
import { openDatabase } from './database.ts';

/** What the processes on a data folder tell each other. */
export interface News {
  /** Tells the others that are there now. */
  tell(news: object): void;
  /** Hears what the others tell from now on, in order. */
  follow(hear: (news: object) => void): void;
  close(): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS news (at INTEGER PRIMARY KEY AUTOINCREMENT, teller TEXT NOT NULL, body TEXT NOT NULL) STRICT;
`;

/** How long it takes to hear of something. */
const LOOK_MS = 100;

/** Whoever has not looked for so long has missed it: what clients said is on the disk no longer than that. */
const KEPT_MS = 5000;

/** Opens the news of a data folder: a file needs no port and no address, and is there for every container that shares it. */
export function openNews(folder: string): News {
  const database = openDatabase(folder, 'news.sqlite', SCHEMA);
  // Whoever is there hears it; nobody asks for it after a power cut.
  database.exec('PRAGMA synchronous = OFF');
  const own = randomUUID();
  const tell = database.prepare('INSERT INTO news (teller, body) VALUES (?, ?)');
  const forget = database.prepare('DELETE FROM news WHERE at <= ?');
  const newest = database.prepare('SELECT max(at) AS at FROM news');
  const since = database.prepare('SELECT at, teller, body FROM news WHERE at > ? ORDER BY at');
  const fading = new Set<NodeJS.Timeout>();
  const followers: ((news: object) => void)[] = [];
  let looking: NodeJS.Timeout | undefined;
  let seen = Number(newest.get()?.['at'] ?? 0);

  function look(): void {
    for (const { at, teller, body } of since.all(seen)) {
      seen = Number(at);
      if (teller !== own) for (const hear of followers) hear(JSON.parse(String(body)) as object);
    }
  }

  return {
    tell(news) {
      const at = Number(tell.run(own, JSON.stringify(news)).lastInsertRowid);
      const timer = setTimeout(() => {
        fading.delete(timer);
        // Those before it too: whoever told them may be gone.
        forget.run(at);
      }, KEPT_MS).unref();
      fading.add(timer);
    },
    follow(hear) {
      followers.push(hear);
      looking ??= setInterval(() => {
        try {
          look();
        } catch {
          // A file that cannot be read now is looked at again.
        }
      }, LOOK_MS).unref();
    },
    close() {
      clearInterval(looking);
      for (const timer of fading) clearTimeout(timer);
      database.close();
    },
  };
}
