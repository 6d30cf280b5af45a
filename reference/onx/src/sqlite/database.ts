/** Tables of the order desk, and what an empty one starts with. */
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase, transaction } from '@mayday/reference-shared';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS products (id TEXT PRIMARY KEY, title TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS variants (
    sku TEXT PRIMARY KEY, product_id TEXT NOT NULL REFERENCES products, title TEXT NOT NULL,
    available INTEGER NOT NULL CHECK (available >= 0)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS customers (email TEXT PRIMARY KEY, name TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS orders (
    id TEXT PRIMARY KEY, external_id TEXT UNIQUE, status TEXT NOT NULL, customer TEXT NOT NULL REFERENCES customers,
    shipping_address TEXT NOT NULL, note TEXT, created_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS requests (external_id TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS lines (
    order_id TEXT NOT NULL REFERENCES orders, sku TEXT NOT NULL REFERENCES variants, quantity INTEGER NOT NULL,
    fulfilled INTEGER NOT NULL DEFAULT 0, returned INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (order_id, sku)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS fulfillments (
    id TEXT PRIMARY KEY, order_id TEXT NOT NULL REFERENCES orders, items TEXT NOT NULL, tracking_number TEXT,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS returns (
    id TEXT PRIMARY KEY, order_id TEXT NOT NULL REFERENCES orders, items TEXT NOT NULL, reason TEXT,
    created_at TEXT NOT NULL
  ) STRICT;
`;

const PRODUCTS: readonly (readonly [id: string, title: string])[] = [
  ['mug', 'Enamel mug'],
  ['shirt', 'Work shirt'],
];

const VARIANTS: readonly (readonly [sku: string, product: string, title: string, available: number])[] = [
  ['MUG-BLUE', 'mug', 'Blue', 100_000],
  ['MUG-RED', 'mug', 'Red', 3],
  ['SHIRT-M', 'shirt', 'Medium', 40],
];

/** Opens the database in the data folder. */
export function openOrders(folder: string): DatabaseSync {
  const database = openDatabase(folder, 'onx.sqlite', SCHEMA);
  transaction(database, () => {
    if (database.prepare('SELECT 1 FROM products').get() !== undefined) return;
    const product = database.prepare('INSERT INTO products VALUES (?, ?)');
    for (const row of PRODUCTS) product.run(...row);
    const variant = database.prepare('INSERT INTO variants VALUES (?, ?, ?, ?)');
    for (const row of VARIANTS) variant.run(...row);
  });
  return database;
}
