/** One SQLite file: opened, checked, brought up to date, and asked. */
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { StoreError } from '../store-error.ts';
import { expectLocal, expectSafe } from './platform.ts';
import { problemOf } from './problem.ts';
import { MIGRATIONS } from './schema.ts';
import { steadyTime } from './steady.ts';

/** A row as SQLite gives it. */
export type Row = { readonly [column: string]: string | number | null };

/** How long another process may hold the file while it is opened. */
const BUSY_MS = 5000;

/** And afterwards, where this process has other things to do: see `patient`. */
const BRIEF_MS = 5;

/** Who is asked so soon again is asked by many. */
const BUSY_AGAIN_MS = 5;

/** A connection with its prepared statements. */
export class Connection {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #expectThere: () => void;
  #isInside = false;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #asking: { readonly work: () => () => void; readonly reject: (thrown: unknown) => void }[] = [];

  /** `expectThere` refuses when the file is not the one that was opened any more. */
  constructor(db: DatabaseSync, expectThere: () => void) {
    this.#db = db;
    this.#expectThere = expectThere;
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return this.#asked(() => Number(this.#prepared(sql).run(...values).changes));
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#asked(() => this.#prepared(sql).get(...values) as Row | undefined);
  }

  all(sql: string, ...values: SQLInputValue[]): readonly Row[] {
    return this.#asked(() => this.#prepared(sql).all(...values) as unknown as readonly Row[]);
  }

  script(sql: string): void {
    this.#asked(() => this.#db.exec(sql));
  }

  /** All of it or nothing, and nobody in between: what it returns has been written. */
  atomic<T>(work: () => T): T {
    if (this.#isInside) return work();
    this.run('BEGIN IMMEDIATE');
    this.#isInside = true;
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (thrown) {
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw thrown;
    } finally {
      this.#isInside = false;
    }
  }

  /**
   * The same for what every call does: everything that is asked for in one turn of the loop, or in two where it was asked
   * just before, is written at once, since ending a transaction costs more than what is in it. Where it fails, nothing of it
   * was written, and all are told.
   */
  together<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#asking.length === 0) this.#answerSoon();
      this.#asking.push({
        work: () => {
          const result = work();
          return () => resolve(result);
        },
        reject,
      });
    });
  }

  #answerSoon(): void {
    const answer = (): void => this.#answer();
    const isBusy = performance.now() - this.#answeredAt < BUSY_AGAIN_MS;
    setImmediate(isBusy ? () => setImmediate(answer) : answer);
  }

  #answer(): void {
    const asking = this.#asking;
    this.#asking = [];
    try {
      for (const tell of this.atomic(() => asking.map(({ work }) => work()))) tell();
    } catch (thrown) {
      for (const { reject } of asking) reject(thrown);
    }
    this.#answeredAt = performance.now();
  }

  close(): void {
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #asked<T>(work: () => T): T {
    if (!this.#db.isOpen) throw new StoreError('closed', 'The store is closed; open it again');
    if (!this.#isInside) this.#expectThere();
    try {
      return work();
    } catch (thrown) {
      throw problemOf(thrown);
    }
  }
}

/**
 * A file, twice. Both survive the end of the process; what people decided (consent, keys, audit) is also written through to
 * the disk, for which a call at a time can be waited for, and not every call.
 */
export interface Database {
  readonly sure: Connection;
  readonly quick: Connection;
  /** The time of the file, as all who have it open agree on it. */
  readonly steady: () => number;
  close(): void;
}

/** Opens the file, or makes it; refuses where it would not be safe, and says why. */
export function openDatabase(path: string): Database {
  const sqlite = sqliteHere();
  const file = resolve(path);
  expectFolder(file);
  let expectThere = watch([file]);
  const opened: Connection[] = [];
  const connect = (synchronous: 'FULL' | 'NORMAL'): Connection => {
    try {
      const db = new sqlite.DatabaseSync(file, { timeout: BUSY_MS });
      const connection = new Connection(db, () => expectThere());
      opened.push(connection);
      connection.script(`PRAGMA synchronous = ${synchronous}`);
      return connection;
    } catch (thrown) {
      throw problemOf(thrown, file);
    }
  };
  const close = (): void => {
    for (const connection of opened) connection.close();
  };
  try {
    const sure = connect('FULL');
    expectText(sure);
    expectOurs(sure, file);
    expectLog(sure, file);
    migrate(sure, file);
    const steady = steadyTime(sure);
    const quick = connect('NORMAL');
    expectThere = watch([file, `${file}-wal`, `${file}-shm`]);
    for (const connection of opened) connection.script(`PRAGMA busy_timeout = ${BRIEF_MS}`);
    return { sure, quick, steady, close };
  } catch (thrown) {
    close();
    throw problemOf(thrown, file);
  }
}

/** SQLite as this Node has it; refuses where that would not be safe. */
export function sqliteHere(): typeof import('node:sqlite') {
  const { node, sqlite: version } = process.versions;
  expectSafe({ node, sqlite: version }); // an older Node that is asked for its SQLite warns of it
  const sqlite = process.getBuiltinModule?.('node:sqlite');
  expectSafe({ node, sqlite: sqlite && version });
  return sqlite as typeof import('node:sqlite');
}

function expectFolder(file: string): void {
  const folder = dirname(file);
  if (!existsSync(folder))
    throw new StoreError('unusable', `The folder ${folder} does not exist; make it, or choose another`);
  expectLocal(folder);
  try {
    // What is inside is nobody else's business.
    closeSync(openSync(file, 'a', 0o600));
  } catch (thrown) {
    throw problemOf(thrown, file);
  }
}

/**
 * A file that was removed or replaced can still be written, and nobody will ever read it; the same is true of its log, and of
 * what all who have it open share.
 */
function watch(files: readonly string[]): () => void {
  const seen = (file: string): string | undefined => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found && `${found.dev} ${found.ino}`;
  };
  const first = files.map(seen);
  return () => {
    const gone = files.find((file, i) => seen(file) !== first[i]);
    if (gone === undefined) return;
    const message = `${gone} was removed or replaced while it was open; put it back, or open the store again`;
    throw new StoreError('unusable', message);
  };
}

const HARD_TEXT = 'a\0b\u{1f6d1}';

function expectText(connection: Connection): void {
  if (connection.get('SELECT ? AS text', HARD_TEXT)?.['text'] === HARD_TEXT) return;
  throw new StoreError('unsupported', 'This SQLite does not keep text with NUL as it is; update Node');
}

/** A file of somebody else's is left as it is. */
function expectOurs(connection: Connection, file: string): void {
  const names = connection.all("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => name);
  if (names.length === 0 || names.includes('mayday_schema')) return;
  throw new StoreError('unusable', `${file} is a database of something else; choose another file`);
}

/** While another process opens the same file, the log cannot be switched on: it just has been. */
function expectLog(connection: Connection, file: string): void {
  const mode = connection.get('PRAGMA journal_mode = WAL')?.['journal_mode'];
  if (mode === 'wal') return;
  const message = `${file} cannot have a write-ahead log here (its mode is ${mode}); choose a file on a disk of this machine`;
  throw new StoreError('unsupported', message);
}

function migrate(connection: Connection, file: string): void {
  connection.atomic(() => {
    connection.script(
      'CREATE TABLE IF NOT EXISTS mayday_schema (version INTEGER NOT NULL, at TEXT NOT NULL) STRICT',
    );
    const version = Number(
      connection.get('SELECT max(version) AS version FROM mayday_schema')?.['version'] ?? 0,
    );
    if (version > MIGRATIONS.length) {
      const message = `${file} was written by a newer version (${version}, this one knows ${MIGRATIONS.length}); update, or choose another file`;
      throw new StoreError('unusable', message);
    }
    for (const [index, step] of MIGRATIONS.entries()) {
      if (index < version) continue;
      connection.script(step);
      connection.run("INSERT INTO mayday_schema VALUES (?, datetime('now'))", index + 1);
    }
  });
}
