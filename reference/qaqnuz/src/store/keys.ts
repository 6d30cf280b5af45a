import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { digestKey, type KeyRecord } from '@mayday/server';

/** Brands, and the keys that act for them. A key is shown once, when it is issued; only its digest is kept. */
export interface Keys {
  addBrand(name: string): void;
  /** May the brand use the platform at all? */
  entitle(brand: string, entitled: boolean): boolean;
  isEntitled(brand: string): boolean;
  isBrand(name: string): boolean;
  brands(): readonly object[];
  /** Keys without their secrets, of one brand or of all. */
  list(brand?: string): readonly object[];
  issue(
    brand: string,
    scopes: readonly string[],
    expiresAt?: number,
  ): { readonly id: string; readonly key: string };
  revoke(id: string): boolean;
  /** What the server kit asks for. */
  lookup(digest: string): KeyRecord | undefined;
}

/** Brands and keys in the database. */
export function createKeys(database: DatabaseSync): Keys {
  const addBrand = database.prepare('INSERT OR IGNORE INTO brands (name, entitled) VALUES (?, 1)');
  const entitle = database.prepare('UPDATE brands SET entitled = ? WHERE name = ?');
  const isEntitled = database.prepare('SELECT entitled FROM brands WHERE name = ?');
  const issue = database.prepare(
    'INSERT INTO keys (digest, id, brand, scopes, expires_at) VALUES (?, ?, ?, ?, ?)',
  );
  const revoke = database.prepare('UPDATE keys SET revoked = 1 WHERE id = ?');
  const find = database.prepare('SELECT id, brand, scopes, revoked, expires_at FROM keys WHERE digest = ?');
  const brands = database.prepare('SELECT name, entitled FROM brands ORDER BY name');
  const list = database.prepare(
    'SELECT id, brand, scopes, revoked, expires_at FROM keys WHERE ?1 IS NULL OR brand = ?1 ORDER BY rowid',
  );
  return {
    brands: () => brands.all().map((row) => ({ ...row, entitled: row['entitled'] === 1 })),
    list: (brand) => list.all(brand ?? null).map((row) => ({ ...row, revoked: row['revoked'] === 1 })),
    addBrand: (name) => void addBrand.run(name),
    entitle: (brand, entitled) => entitle.run(entitled ? 1 : 0, brand).changes === 1,
    isEntitled: (brand) => isEntitled.get(brand)?.['entitled'] === 1,
    isBrand: (name) => isEntitled.get(name) !== undefined,
    issue(brand, scopes, expiresAt) {
      const id = randomBytes(4).toString('hex');
      const key = `qx_live_${randomBytes(24).toString('base64url')}`;
      issue.run(digestKey(key), id, brand, scopes.join(' '), expiresAt ?? null);
      return { id, key };
    },
    revoke: (id) => revoke.run(id).changes === 1,
    lookup(digest) {
      const row = find.get(digest);
      if (row === undefined) return undefined;
      const { id, brand, scopes, revoked, expires_at: expiresAt } = row;
      return {
        principal: `${brand}/${id}`,
        scopes: String(scopes).split(' '),
        revoked: revoked === 1,
        ...(expiresAt === null ? {} : { expiresAt: Number(expiresAt) }),
      };
    },
  };
}

/** The brand that a principal, `brand/key`, acts for. */
export function brandOf(principal: string | undefined): string {
  return principal?.split('/')[0] ?? '';
}
