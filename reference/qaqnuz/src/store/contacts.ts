import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** A person that a brand knows. */
interface Contact {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
}

/** The contacts of brands. Nothing of one brand is visible to another. */
export interface Contacts {
  add(brand: string, contact: { readonly name: string; readonly email?: string | undefined }): Contact;
  get(brand: string, id: string): Contact | undefined;
  search(brand: string, name: string): readonly Contact[];
}

/** Contacts in the database. */
export function createContacts(database: DatabaseSync): Contacts {
  const add = database.prepare('INSERT INTO contacts (brand, id, name, email) VALUES (?, ?, ?, ?)');
  const get = database.prepare('SELECT id, name, email FROM contacts WHERE brand = ? AND id = ?');
  const search = database.prepare(
    `SELECT id, name, email FROM contacts WHERE brand = ? AND instr(lower(name), lower(?)) > 0 ORDER BY name LIMIT 50`,
  );
  return {
    add(brand, { name, email }) {
      const id = `con_${randomBytes(6).toString('hex')}`;
      add.run(brand, id, name, email ?? null);
      return { id, name, email: email ?? null };
    },
    get: (brand, id) => get.get(brand, id) as Contact | undefined,
    search: (brand, name) => search.all(brand, name) as unknown as readonly Contact[],
  };
}
