import type { DatabaseSync } from 'node:sqlite';

/** What was paid for an order, and what of it went back. */
interface Order {
  readonly paidCents: number;
  /** `undefined` until there is a refund: an order has one at most. */
  readonly refundedCents: number | undefined;
}

/** The orders of brands. Nothing of one brand is visible to another. */
export interface Orders {
  /** Says whether the order is new. */
  add(brand: string, order: string, paidCents: number): boolean;
  get(brand: string, order: string): Order | undefined;
  refund(brand: string, order: string, amountCents: number): void;
  refunds(brand: string): readonly { readonly order: string; readonly amount_cents: number }[];
}

/** Orders in the database. */
export function createOrders(database: DatabaseSync): Orders {
  const add = database.prepare('INSERT OR IGNORE INTO orders (brand, id, paid_cents) VALUES (?, ?, ?)');
  const get = database.prepare('SELECT paid_cents, refunded_cents FROM orders WHERE brand = ? AND id = ?');
  const refund = database.prepare('UPDATE orders SET refunded_cents = ? WHERE brand = ? AND id = ?');
  const refunds = database.prepare(
    `SELECT id AS "order", refunded_cents AS amount_cents FROM orders
      WHERE brand = ? AND refunded_cents IS NOT NULL ORDER BY rowid`,
  );
  return {
    add: (brand, order, paidCents) => add.run(brand, order, paidCents).changes === 1,
    get(brand, order) {
      const row = get.get(brand, order);
      if (row === undefined) return undefined;
      const refunded = row['refunded_cents'];
      return {
        paidCents: Number(row['paid_cents']),
        refundedCents: refunded === null ? undefined : Number(refunded),
      };
    },
    refund: (brand, order, amountCents) => void refund.run(amountCents, brand, order),
    refunds: (brand) => refunds.all(brand) as unknown as readonly { order: string; amount_cents: number }[],
  };
}
