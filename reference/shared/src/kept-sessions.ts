import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase, transaction } from './database.ts';
import type { Presence } from './presence.ts';

/** What a session has come to, by name; a `Map` is one that ends with its process. */
export interface Facts {
  get(name: string): unknown;
  /** The value is one that JSON can say. */
  set(name: string, value: unknown): unknown;
  /** False when there was none. */
  delete(name: string): boolean;
  keys(): Iterable<string>;
}

/** Where a session's client listens for what the server says unasked. */
interface Stream {
  /** It listens here, or does so no more. */
  listens(isListening: boolean): void;
  isListenedHere(): boolean;
}

/** Sessions that outlive their process, and that all processes on a data folder know. */
export interface KeptSessions {
  has(id: string): boolean;
  /** The facts of a session, which begins with the first of them, and has none any more once it has ended. */
  facts(id: string): Facts;
  count(): number;
  /** Which process has the stream that a session's client listens on. */
  streamOf(id: string): Stream;
  /** How many sessions with a fact of this name listen at another process that is there. */
  listeningElsewhere(fact: string): number;
  end(id: string): void;
  /** A session of this worth is used: requests are under way in it at this process, or no more. */
  uses(id: string, worth: number, isUnderWay: boolean): void;
  /** Known to the processes of the folder, and to nobody else. */
  readonly secret: Buffer;
  close(): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS sessions (age INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE IF NOT EXISTS facts (session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (session, name)) STRICT;
  CREATE TABLE IF NOT EXISTS streams (session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    process INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS uses (session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    process INTEGER NOT NULL, worth INTEGER NOT NULL, at INTEGER NOT NULL, busy_until INTEGER NOT NULL,
    PRIMARY KEY (session, process)) STRICT;
  CREATE INDEX IF NOT EXISTS facts_by_name ON facts (name);
  CREATE TABLE IF NOT EXISTS secret (only INTEGER PRIMARY KEY CHECK (only = 1), bytes BLOB NOT NULL) STRICT;
`;

/** Beyond this many, one in which nothing is under way ends: of the least worth, and not used for longest. */
const MAX_SESSIONS = 1000;

/** Opens the sessions of a data folder. A row for each fact: processes that learn different things lose neither. */
export function openSessions(folder: string, presence: Presence, most: number = MAX_SESSIONS): KeptSessions {
  const database = openDatabase(folder, 'sessions.sqlite', SCHEMA);
  // A session that a power cut takes is begun again by its client; a disk that is waited for on every change harms all.
  database.exec('PRAGMA synchronous = NORMAL');
  const known = database.prepare('SELECT 1 FROM sessions WHERE id = ?');
  const begin = database.prepare('INSERT OR IGNORE INTO sessions (id) VALUES (?)');
  const endLeast = database.prepare(
    `DELETE FROM sessions WHERE age IN (SELECT age FROM sessions LEFT JOIN uses ON session = id WHERE id <> ?
     GROUP BY age HAVING coalesce(max(busy_until), 0) < ? ORDER BY max(worth), max(at), age
     LIMIT max(0, (SELECT count(*) FROM sessions) - ?))`,
  );
  const end = database.prepare('DELETE FROM sessions WHERE id = ?');
  const get = database.prepare('SELECT value FROM facts WHERE session = ? AND name = ?');
  const set = database.prepare(
    `INSERT INTO facts SELECT id, ?, ? FROM sessions WHERE id = ?
     ON CONFLICT DO UPDATE SET value = excluded.value`,
  );
  const drop = database.prepare('DELETE FROM facts WHERE session = ? AND name = ?');
  const names = database.prepare('SELECT name FROM facts WHERE session = ?');
  const all = database.prepare('SELECT count(*) AS n FROM sessions');
  const openStream = database.prepare(
    'INSERT OR REPLACE INTO streams SELECT id, ? FROM sessions WHERE id = ?',
  );
  const closeStream = database.prepare('DELETE FROM streams WHERE session = ? AND process = ?');
  const streamAt = database.prepare('SELECT process FROM streams WHERE session = ?');
  const listening = database.prepare('SELECT process FROM facts NATURAL JOIN streams WHERE name = ?');
  database.prepare('INSERT OR IGNORE INTO secret VALUES (1, ?)').run(randomBytes(32));
  const secret = database.prepare('SELECT bytes FROM secret').get()?.['bytes'] as Uint8Array;
  const has = (id: string): boolean => known.get(id) !== undefined;
  const uses = keepUses(database, presence);

  function factsOf(id: string): Facts {
    let hasBegun = has(id);
    return {
      get(name) {
        const value = get.get(id, name)?.['value'] as string | undefined;
        return value === undefined ? undefined : JSON.parse(value);
      },
      set(name, value) {
        // One that was ended, here or elsewhere, is not begun again by what still runs in it.
        transaction(database, () => {
          if (!hasBegun && begin.run(id).changes === 1) endLeast.run(id, Date.now(), most);
          hasBegun = true;
          set.run(name, JSON.stringify(value), id);
        });
      },
      delete: (name) => drop.run(id, name).changes === 1,
      keys: () => names.all(id).map((row) => row['name'] as string),
    };
  }

  return {
    has,
    facts: factsOf,
    count: () => all.get()?.['n'] as number,
    streamOf: (id) => ({
      listens: (isListening) =>
        void (isListening ? openStream.run(presence.id(), id) : closeStream.run(id, presence.id())),
      isListenedHere: () => streamAt.get(id)?.['process'] === presence.id(),
    }),
    listeningElsewhere: (fact) =>
      listening
        .all(fact)
        .filter(({ process }) => process !== presence.id() && presence.has(process as number)).length,
    end: (id) => void end.run(id),
    uses: uses.note,
    secret: Buffer.from(secret),
    close() {
      uses.close();
      database.close();
    },
  };
}

/** How often it is said again that something is under way, and for how long it holds: a process that is gone says nothing. */
const BUSY_MS = { again: 1000, holds: 5000 };

/** Notes who uses which session: a request that runs for long goes on using it. */
function keepUses(database: DatabaseSync, presence: Presence) {
  const write = database.prepare(
    'INSERT OR REPLACE INTO uses SELECT id, ?, ?, ?, ? FROM sessions WHERE id = ?',
  );
  const underWay = new Map<string, number>();
  let again: NodeJS.Timeout | undefined;
  function note(id: string, worth: number, isUnderWay: boolean): void {
    if (isUnderWay) underWay.set(id, worth);
    else underWay.delete(id);
    again ??= setInterval(() => {
      for (const [busy, itsWorth] of underWay) note(busy, itsWorth, true);
    }, BUSY_MS.again).unref();
    const now = Date.now();
    try {
      write.run(presence.id(), worth, now, isUnderWay ? now + BUSY_MS.holds : 0, id);
    } catch {
      // A file that another holds for long is no reason to refuse a request.
    }
  }
  return { note, close: () => clearInterval(again) };
}

/** An object whose members are facts: what is not known yet is as given. */
export function membersOver<T extends object>(facts: Facts, usual: T): T {
  const members = {};
  for (const [name, value] of Object.entries(usual))
    Object.defineProperty(members, name, {
      enumerable: true,
      get: () => facts.get(name) ?? value,
      set: (known: unknown) => facts.set(name, known),
    });
  return members as T;
}

/** A set whose items are facts, told from others by how their names begin. */
export function setOver(facts: Facts, prefix: string): Pick<Set<string>, 'has' | 'add' | 'delete' | 'size'> {
  return {
    has: (item) => facts.get(prefix + item) !== undefined,
    add(item) {
      facts.set(prefix + item, true);
      return this as Set<string>;
    },
    delete: (item) => facts.delete(prefix + item),
    get size() {
      return [...facts.keys()].filter((name) => name.startsWith(prefix)).length;
    },
  };
}
