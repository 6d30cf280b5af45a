import type { DatabaseSync } from 'node:sqlite';

/** A tool that a client defined: it answers with its text. */
interface DefinedTool {
  readonly name: string;
  readonly description: string;
  readonly text: string;
}

/** Defined tools by name. */
export interface ToolRows {
  get(name: string): DefinedTool | undefined;
  all(): readonly DefinedTool[];
  save(tool: DefinedTool): void;
  delete(name: string): boolean;
}

/** Defined tools in the database. */
export function createToolRows(database: DatabaseSync): ToolRows {
  const get = database.prepare('SELECT name, description, text FROM tools WHERE name = ?');
  const all = database.prepare('SELECT name, description, text FROM tools ORDER BY name');
  const save = database.prepare('INSERT OR REPLACE INTO tools (name, description, text) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM tools WHERE name = ?');
  return {
    get: (name) => get.get(name) as DefinedTool | undefined,
    all: () => all.all() as unknown as readonly DefinedTool[],
    save: ({ name, description, text }) => void save.run(name, description, text),
    delete: (name) => remove.run(name).changes === 1,
  };
}
