/** Products, resolver rules, claims and tokens, in one file. */
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase, transaction } from '@mayday/reference-shared';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS products (gtin TEXT PRIMARY KEY, name TEXT NOT NULL, brand TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS rules (
    level TEXT NOT NULL CHECK (level IN ('serial', 'batch', 'item', 'prefix', 'global')),
    key TEXT NOT NULL,
    target TEXT NOT NULL,
    PRIMARY KEY (level, key)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS claims (gtin TEXT PRIMARY KEY, owner TEXT NOT NULL, claimed_at TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS tokens (
    digest TEXT PRIMARY KEY, owner TEXT NOT NULL, kind TEXT NOT NULL, scopes TEXT NOT NULL, revoked INTEGER NOT NULL
  ) STRICT;
`;

const PRODUCTS: readonly (readonly [gtin: string, name: string, brand: string])[] = [
  ['09506000134352', 'Sparkling water 0.5 l', 'Fontana'],
  ['09506000134369', 'Still water 0.5 l', 'Fontana'],
  ['00000096385074', 'Chewing gum', 'Mint & Co'],
];

const RULES: readonly (readonly [level: string, key: string, target: string])[] = [
  ['serial', '09506000134352/SN-1', 'https://care.example/units/{serial}'],
  ['batch', '09506000134352/LOT-7', 'https://recall.example/lots/{batch}'],
  ['item', '09506000134352', 'https://shop.example/p/{gtin}'],
  ['prefix', '09506000', 'https://brand.example/items/{gtin}'],
];

/** Opens the store; an empty one gets a few products and rules. */
export function openStore(folder: string): DatabaseSync {
  const store = openDatabase(folder, 'closient.sqlite', SCHEMA);
  transaction(store, () => {
    if (store.prepare('SELECT 1 FROM products').get() !== undefined) return;
    const product = store.prepare('INSERT INTO products VALUES (?, ?, ?)');
    for (const row of PRODUCTS) product.run(...row);
    const rule = store.prepare('INSERT INTO rules VALUES (?, ?, ?)');
    for (const row of RULES) rule.run(...row);
  });
  return store;
}
