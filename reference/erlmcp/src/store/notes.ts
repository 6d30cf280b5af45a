import type { DatabaseSync } from 'node:sqlite';

/** A note: a name, and bytes of some type. */
interface Note {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** Notes by name. */
export interface Notes {
  get(name: string): Note | undefined;
  names(): readonly string[];
  /** Who saved it last. */
  authorOf(name: string): string | undefined;
  save(note: Note, author: string): void;
  delete(name: string): boolean;
}

/** Notes in the database. */
export function createNotes(database: DatabaseSync): Notes {
  const get = database.prepare('SELECT mime_type, bytes FROM notes WHERE name = ?');
  const names = database.prepare('SELECT name FROM notes ORDER BY name');
  const save = database.prepare('INSERT OR REPLACE INTO notes (name, mime_type, bytes) VALUES (?, ?, ?)');
  const author = database.prepare('SELECT owner FROM authors WHERE note = ?');
  const sign = database.prepare('INSERT OR REPLACE INTO authors (note, owner) VALUES (?, ?)');
  const remove = database.prepare('DELETE FROM notes WHERE name = ?');
  return {
    get(name) {
      const row = get.get(name);
      if (row === undefined) return undefined;
      return { name, mimeType: String(row['mime_type']), bytes: Buffer.from(row['bytes'] as Uint8Array) };
    },
    names: () => names.all().map((row) => String(row['name'])),
    authorOf: (name) => author.get(name)?.['owner'] as string | undefined,
    save({ name, mimeType, bytes }, by) {
      sign.run(name, by); // first: whatever ends the process between the two, nobody has the note of another
      save.run(name, mimeType, bytes);
    },
    delete: (name) => remove.run(name).changes === 1,
  };
}
