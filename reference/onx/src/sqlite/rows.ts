/** Rows, as the tools show them. */
import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '@mayday/core';

/** One line of an order. */
export interface Line {
  readonly sku: string;
  readonly quantity: number;
  readonly fulfilled: number;
  readonly returned: number;
}

type Row = { readonly [column: string]: unknown };

/** An order's row. */
export function orderRow(database: DatabaseSync, id: string): Row | undefined {
  return database.prepare('SELECT * FROM orders WHERE id = ?').get(id);
}

/** An order's lines. */
export function linesOf(database: DatabaseSync, orderId: string): Line[] {
  const rows = database
    .prepare('SELECT sku, quantity, fulfilled, returned FROM lines WHERE order_id = ?')
    .all(orderId);
  return rows as unknown as Line[];
}

/** An order with its lines. */
export function readOrder(database: DatabaseSync, id: string): JsonObject {
  const row = orderRow(database, id) as { [column: string]: string | null };
  return {
    id,
    externalId: row['external_id'] ?? null,
    status: row['status'] ?? null,
    customer: { email: row['customer'] ?? null },
    shippingAddress: JSON.parse(row['shipping_address'] as string) as JsonObject,
    note: row['note'] ?? null,
    createdAt: row['created_at'] ?? null,
    lineItems: linesOf(database, id).map((line) => ({ ...line })),
  };
}

/** Rows of a table, narrowed by lists of values, in the order they were made. */
export function select(
  database: DatabaseSync,
  table: string,
  filters: { readonly [column: string]: readonly string[] | undefined },
  limit: number,
): JsonObject[] {
  const given = Object.entries(filters).filter(([, values]) => values !== undefined);
  const where =
    given.map(([column]) => `${column} IN (SELECT value FROM json_each(?))`).join(' AND ') || 'TRUE';
  const rows = database
    .prepare(`SELECT * FROM ${table} WHERE ${where} ORDER BY rowid LIMIT ?`)
    .all(...given.map(([, values]) => JSON.stringify(values)), limit);
  return rows.map((row) => ({ ...row }) as JsonObject);
}
