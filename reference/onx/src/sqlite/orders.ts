/** What changes orders. Each of these runs in one transaction. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Answer } from '../adapter.ts';
import {
  ExternalIdTaken,
  InsufficientInventory,
  InvalidOrderState,
  OrderNotFound,
  ProductNotFound,
  unusable,
} from '../faults.ts';
import type { Input } from '../inputs.ts';
import { type Line, linesOf, orderRow, readOrder } from './rows.ts';

/** Makes an order and takes its goods out of the stock. The same order again, by its `externalId`, is one order. */
export function createOrder(database: DatabaseSync, { order }: Input<'create-sales-order'>): Answer {
  const { externalId = null, customer, lineItems, shippingAddress } = order;
  const known = database.prepare('SELECT id FROM orders WHERE external_id = ?').get(externalId);
  const content = contentOf(order);
  if (known !== undefined) {
    const sent = database.prepare('SELECT content FROM requests WHERE external_id = ?').get(externalId);
    const orderId = known['id'] as string;
    if (sent !== undefined && sent['content'] !== content)
      throw ExternalIdTaken({ externalId: externalId as string, orderId });
    return { order: readOrder(database, orderId) };
  }
  for (const { sku, quantity } of lineItems) takeFromStock(database, sku, quantity);
  database
    .prepare(
      'INSERT INTO customers VALUES (?, ?) ON CONFLICT DO UPDATE SET name = coalesce(excluded.name, name)',
    )
    .run(customer.email, customer.name ?? null);
  const id = `ord_${randomUUID()}`;
  database
    .prepare('INSERT INTO orders VALUES (?, ?, ?, ?, ?, NULL, ?)')
    .run(id, externalId, 'open', customer.email, JSON.stringify(shippingAddress), new Date().toISOString());
  const line = database.prepare('INSERT INTO lines (order_id, sku, quantity) VALUES (?, ?, ?)');
  for (const { sku, quantity } of lineItems) line.run(id, sku, quantity);
  if (externalId !== null) database.prepare('INSERT INTO requests VALUES (?, ?)').run(externalId, content);
  return { order: readOrder(database, id) };
}

/** What was asked for, whatever becomes of the order later; lines in any sequence are the same. */
function contentOf({ lineItems, ...rest }: Input<'create-sales-order'>['order']): string {
  return JSON.stringify([rest, [...lineItems].sort((a, b) => (a.sku < b.sku ? -1 : 1))]);
}

/** Cancels an open order and puts its goods back; what was shipped comes back by a return. */
export function cancelOrder(database: DatabaseSync, { orderId, reason }: Input<'cancel-order'>): Answer {
  requireStatus(database, orderId, 'cancel', ['open']);
  for (const { sku, quantity, fulfilled } of linesOf(database, orderId))
    putIntoStock(database, sku, quantity - fulfilled);
  database
    .prepare("UPDATE orders SET status = 'cancelled', note = coalesce(?, note) WHERE id = ?")
    .run(reason ?? null, orderId);
  return { order: readOrder(database, orderId) };
}

/** Changes an open order. */
export function updateOrder(database: DatabaseSync, { orderId, updates }: Input<'update-order'>): Answer {
  requireStatus(database, orderId, 'update', ['open']);
  const { note, shippingAddress } = updates;
  database
    .prepare(
      'UPDATE orders SET note = coalesce(?, note), shipping_address = coalesce(?, shipping_address) WHERE id = ?',
    )
    .run(note ?? null, shippingAddress === undefined ? null : JSON.stringify(shippingAddress), orderId);
  return { order: readOrder(database, orderId) };
}

/** Ships what was named, or all that is left; the order is fulfilled when nothing is. */
export function fulfillOrder(database: DatabaseSync, input: Input<'fulfill-order'>): Answer {
  const { orderId, trackingNumber = null } = input;
  requireStatus(database, orderId, 'fulfill', ['open']);
  const left = linesOf(database, orderId).map((line) => ({
    sku: line.sku,
    quantity: line.quantity - line.fulfilled,
  }));
  const items = input.lineItems ?? left.filter(({ quantity }) => quantity > 0);
  checkQuantities(items, left, 'to fulfill');
  const ship = database.prepare('UPDATE lines SET fulfilled = fulfilled + ? WHERE order_id = ? AND sku = ?');
  for (const { sku, quantity } of items) ship.run(quantity, orderId, sku);
  if (linesOf(database, orderId).every((line) => line.fulfilled === line.quantity))
    setStatus(database, orderId, 'fulfilled');
  const fulfillment = { id: `ful_${randomUUID()}`, orderId, lineItems: items, trackingNumber };
  database
    .prepare('INSERT INTO fulfillments VALUES (?, ?, ?, ?, ?)')
    .run(fulfillment.id, orderId, JSON.stringify(items), trackingNumber, new Date().toISOString());
  return { fulfillment, order: readOrder(database, orderId) };
}

/** Takes back what was shipped. */
export function createReturn(database: DatabaseSync, input: Input<'create-return'>): Answer {
  const { orderId, lineItems, reason = null } = input;
  const out = linesOf(database, orderId).map((line) => ({
    sku: line.sku,
    quantity: line.fulfilled - line.returned,
  }));
  const isOut = out.some(({ quantity }) => quantity > 0);
  requireStatus(database, orderId, 'return', ['open', 'fulfilled', ...(isOut ? ['cancelled'] : [])]);
  checkQuantities(lineItems, out, 'shipped and not yet returned');
  const back = database.prepare('UPDATE lines SET returned = returned + ? WHERE order_id = ? AND sku = ?');
  for (const { sku, quantity } of lineItems) {
    back.run(quantity, orderId, sku);
    putIntoStock(database, sku, quantity);
  }
  if (linesOf(database, orderId).every((line) => line.returned === line.quantity))
    setStatus(database, orderId, 'returned');
  const made = { id: `ret_${randomUUID()}`, orderId, lineItems, reason };
  database
    .prepare('INSERT INTO returns VALUES (?, ?, ?, ?, ?)')
    .run(made.id, orderId, JSON.stringify(lineItems), reason, new Date().toISOString());
  return { return: made, order: readOrder(database, orderId) };
}

function takeFromStock(database: DatabaseSync, sku: string, requested: number): void {
  const row = database.prepare('SELECT available FROM variants WHERE sku = ?').get(sku);
  if (row === undefined) throw ProductNotFound({ sku });
  const available = row['available'] as number;
  if (available < requested) throw InsufficientInventory({ sku, requested, available });
  putIntoStock(database, sku, -requested);
}

function putIntoStock(database: DatabaseSync, sku: string, quantity: number): void {
  database.prepare('UPDATE variants SET available = available + ? WHERE sku = ?').run(quantity, sku);
}

function requireStatus(
  database: DatabaseSync,
  orderId: string,
  operation: string,
  allowed: readonly string[],
): void {
  const row = orderRow(database, orderId);
  if (row === undefined) throw OrderNotFound({ orderId });
  const currentStatus = row['status'] as string;
  if (!allowed.includes(currentStatus)) throw InvalidOrderState({ orderId, currentStatus, operation });
}

function setStatus(database: DatabaseSync, orderId: string, status: string): void {
  database.prepare('UPDATE orders SET status = ? WHERE id = ?').run(status, orderId);
}

type Item = Pick<Line, 'sku' | 'quantity'>;

function checkQuantities(wanted: readonly Item[], possible: readonly Item[], what: string): void {
  for (const [i, { sku, quantity }] of wanted.entries()) {
    const most = possible.find((item) => item.sku === sku)?.quantity ?? 0;
    if (quantity > most)
      throw unusable(`lineItems.${i}.quantity`, 'too_big', `is more than the ${most} ${what}`);
  }
}
