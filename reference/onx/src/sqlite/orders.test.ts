import { tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { INPUTS, type ToolName } from '../inputs.ts';
import { createSqliteAdapter } from './adapter.ts';
import { openOrders } from './database.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/);
const ADDRESS = { street: 'Calle 1', city: 'Mérida', country: 'MX' };

/** A desk of its own; gives what a tool answers, or what it throws as text. */
function openDesk() {
  const { tools } = createSqliteAdapter(tempFolder());
  return (name: ToolName, input: object): never => {
    try {
      return tools[name]?.(INPUTS[name].parse(input) as never, new AbortController().signal) as never;
    } catch (thrown) {
      return (thrown as Error).message as never;
    }
  };
}

type Made = { order: { id: string } };
const anOrder = (lineItems: object[], more: object = {}) => ({
  order: { customer: { email: 'ana@example.com' }, lineItems, shippingAddress: ADDRESS, ...more },
});
const line = (sku: string, quantity: number) => ({ sku, quantity });

describe('the stock', () => {
  it('starts with these, once', () => {
    const folder = tempFolder();
    for (const database of [openOrders(folder), openOrders(folder)]) {
      const rows = (table: string) => database.prepare(`SELECT * FROM ${table}`).all().map(Object.values);
      expect(rows('products')).toEqual([
        ['mug', 'Enamel mug'],
        ['shirt', 'Work shirt'],
      ]);
      expect(rows('variants')).toEqual([
        ['MUG-BLUE', 'mug', 'Blue', 100_000],
        ['MUG-RED', 'mug', 'Red', 3],
        ['SHIRT-M', 'shirt', 'Medium', 40],
      ]);
    }
  });

  it('gives all that there is, and no more', () => {
    const call = openDesk();
    const stock = () => call('get-inventory', { skus: ['MUG-RED', 'SHIRT-M'] });
    expect(call('create-sales-order', anOrder([line('MUG-RED', 4)]))).toBe(
      '4 of MUG-RED requested, 3 available',
    );
    expect(call('create-sales-order', anOrder([line('MUG-RED', 3)]))).toMatchObject({
      order: { status: 'open' },
    });
    expect(stock()).toEqual({
      inventory: [
        { sku: 'MUG-RED', available: 0 },
        { sku: 'SHIRT-M', available: 40 },
      ],
    });
    expect(call('create-sales-order', anOrder([line('MUG-GOLD', 1)]))).toBe('No product MUG-GOLD');
  });
});

describe('an order', () => {
  it('is shown with all that is known of it', () => {
    const call = openDesk();
    const given = anOrder([line('SHIRT-M', 2)], { externalId: 'web-1' });
    const made: Made = call('create-sales-order', given);
    const { id } = made.order;
    expect(made).toEqual({
      order: {
        id: expect.stringMatching(/^ord_[0-9a-f-]{36}$/),
        externalId: 'web-1',
        status: 'open',
        customer: { email: 'ana@example.com' },
        shippingAddress: ADDRESS,
        note: null,
        createdAt: TIME,
        lineItems: [{ sku: 'SHIRT-M', quantity: 2, fulfilled: 0, returned: 0 }],
      },
    });
    expect(call('create-sales-order', given)).toEqual(made);
    const moved = { ...ADDRESS, city: 'Izamal' };
    call('update-order', { orderId: id, updates: { note: 'Ring' } });
    expect(call('update-order', { orderId: id, updates: { shippingAddress: moved } })).toMatchObject({
      order: { note: 'Ring', shippingAddress: moved },
    });
    expect(call('cancel-order', { orderId: id })).toMatchObject({
      order: { status: 'cancelled', note: 'Ring' },
    });
    expect(call('create-sales-order', anOrder([line('SHIRT-M', 1)]))).toMatchObject({
      order: { externalId: null },
    });
  });

  it('is told from another one under the same externalId', () => {
    const call = openDesk();
    const lines = [line('SHIRT-M', 2), line('MUG-RED', 1)];
    const more = { externalId: 'web-2' };
    const { order }: Made = call('create-sales-order', anOrder(lines, more));
    const taken = `externalId web-2 is of order ${order.id}, which is another one`;
    for (const [others, changes] of [
      [[line('SHIRT-M', 5), line('MUG-RED', 1)], more],
      [[line('SHIRT-M', 2)], more],
      [lines, { ...more, shippingAddress: { ...ADDRESS, city: 'Izamal' } }],
      [lines, { ...more, customer: { email: 'eva@example.com' } }],
    ] as const)
      expect(call('create-sales-order', anOrder([...others], changes))).toBe(taken);
    // What became of the order later, and the sequence of its lines, make it no other one.
    call('update-order', { orderId: order.id, updates: { shippingAddress: { ...ADDRESS, city: 'Izamal' } } });
    const again: Made = call('create-sales-order', anOrder([...lines].reverse(), more));
    expect(again.order.id).toBe(order.id);
    expect(call('get-inventory', { skus: ['SHIRT-M'] })).toEqual({
      inventory: [{ sku: 'SHIRT-M', available: 38 }],
    });
  });

  it('is shipped and returned line by line, and counted', () => {
    const call = openDesk();
    const { order }: Made = call('create-sales-order', anOrder([line('SHIRT-M', 2), line('MUG-RED', 1)]));
    const at = { orderId: order.id };
    expect(
      call('fulfill-order', { ...at, lineItems: [line('SHIRT-M', 1)], trackingNumber: 'T' }),
    ).toMatchObject({
      fulfillment: {
        id: expect.stringMatching(/^ful_[0-9a-f-]{36}$/),
        orderId: order.id,
        lineItems: [line('SHIRT-M', 1)],
        trackingNumber: 'T',
      },
      order: {
        status: 'open',
        lineItems: [
          { sku: 'MUG-RED', fulfilled: 0 },
          { sku: 'SHIRT-M', fulfilled: 1 },
        ],
      },
    });
    expect(call('fulfill-order', { ...at, lineItems: [line('SHIRT-M', 2)] })).toBe(
      'lineItems.0.quantity is more than the 1 to fulfill',
    );
    expect(call('fulfill-order', { ...at, lineItems: [line('MUG-BLUE', 1)] })).toBe(
      'lineItems.0.quantity is more than the 0 to fulfill',
    );
    expect(call('create-return', { ...at, lineItems: [line('SHIRT-M', 2)] })).toBe(
      'lineItems.0.quantity is more than the 1 shipped and not yet returned',
    );
    call('fulfill-order', { ...at, lineItems: [line('SHIRT-M', 1)] });
    expect(call('fulfill-order', at)).toMatchObject({
      fulfillment: { lineItems: [line('MUG-RED', 1)], trackingNumber: null },
      order: { status: 'fulfilled' },
    });
    expect(call('create-return', { ...at, lineItems: [line('SHIRT-M', 2)], reason: 'small' })).toMatchObject({
      return: {
        id: expect.stringMatching(/^ret_[0-9a-f-]{36}$/),
        orderId: order.id,
        lineItems: [line('SHIRT-M', 2)],
        reason: 'small',
      },
      order: { status: 'fulfilled' },
    });
    expect(call('get-inventory', { skus: ['SHIRT-M'] })).toEqual({
      inventory: [{ sku: 'SHIRT-M', available: 40 }],
    });
    expect(call('create-return', { ...at, lineItems: [line('MUG-RED', 1)] })).toMatchObject({
      return: { reason: null },
      order: { status: 'returned' },
    });
    expect(call('get-returns', { orderIds: [order.id], limit: 1 })).toMatchObject({
      returns: [{ order_id: order.id, reason: 'small', created_at: TIME }],
    });
    expect(call('get-fulfillments', { orderIds: [order.id] })).toMatchObject({
      fulfillments: [{ tracking_number: 'T' }, {}, {}],
    });
  });

  it.each([
    ['cancel-order', 'cancel', {}],
    ['update-order', 'update', { updates: { note: 'x' } }],
    ['fulfill-order', 'fulfill', {}],
    ['create-return', 'return', { lineItems: [line('MUG-RED', 1)] }],
  ] as const)('EM-23 that is cancelled, or is none, is not open to %s', (name, operation, more) => {
    const call = openDesk();
    const { order }: Made = call('create-sales-order', anOrder([line('MUG-RED', 1)]));
    call('cancel-order', { orderId: order.id });
    expect(call(name, { orderId: order.id, ...more })).toBe(
      `Cannot ${operation} order ${order.id}: it is cancelled`,
    );
    expect(call(name, { orderId: 'ord_0', ...more })).toBe('No order ord_0');
  });

  it('that is cancelled gives back what was not shipped, and the rest when it is returned', () => {
    const call = openDesk();
    const stock = () =>
      (call('get-inventory', { skus: ['MUG-BLUE'] }) as { inventory: { available: number }[] }).inventory[0]
        ?.available as number;
    const before = stock();
    const { order }: Made = call('create-sales-order', anOrder([line('MUG-BLUE', 5)]));
    const orderId = order.id;
    call('fulfill-order', { orderId, lineItems: [line('MUG-BLUE', 3)] });
    call('create-return', { orderId, lineItems: [line('MUG-BLUE', 2)] });
    call('cancel-order', { orderId });
    expect(stock()).toBe(before - 1);
    call('create-return', { orderId, lineItems: [line('MUG-BLUE', 1)] });
    expect(stock()).toBe(before);
    expect(call('create-return', { orderId, lineItems: [line('MUG-BLUE', 1)] })).toBe(
      `Cannot return order ${orderId}: it is cancelled`,
    );
    expect(call('get-orders', { ids: [orderId] })).toMatchObject({ orders: [{ status: 'cancelled' }] });
  });

  it('is found by number, state, age, and as many as were asked for', () => {
    const call = openDesk();
    const ids = [1, 2, 3].map(() => {
      const { order }: Made = call('create-sales-order', anOrder([line('MUG-BLUE', 1)]));
      return order.id;
    });
    const found = (input: object): string[] =>
      (call('get-orders', input) as { orders: { id: string }[] }).orders.map(({ id }) => id);
    call('cancel-order', { orderId: ids[0] });
    const { orders } = call('get-orders', { ids: [ids[1]] }) as { orders: { createdAt: string }[] };
    expect(found({})).toEqual(ids);
    expect(found({ limit: 2 })).toEqual(ids.slice(0, 2));
    expect(found({ status: 'open', limit: 1 })).toEqual([ids[1]]);
    expect(found({ status: 'cancelled' })).toEqual([ids[0]]);
    expect(found({ ids: [ids[2], ids[0], 'ord_0'] })).toEqual([ids[0], ids[2]]);
    expect(found({ ids: [ids[1]], createdAtMin: orders[0]?.createdAt })).toEqual([ids[1]]);
    expect(found({ createdAtMin: '2999-01-01T00:00:00Z' })).toEqual([]);
  });
});

describe('what else is found', () => {
  it('customers, products and variants by what identifies them', () => {
    const call = openDesk();
    const named = (name?: string) => ({ customer: { email: 'ana@example.com', name } });
    for (const customer of [named(), named('Ana'), named()])
      call('create-sales-order', anOrder([line('MUG-BLUE', 1)], customer));
    expect(call('get-customers', { emails: ['ana@example.com', 'bob@example.com'] })).toEqual({
      customers: [{ email: 'ana@example.com', name: 'Ana' }],
    });
    expect(call('get-products', { limit: 1 })).toEqual({ products: [{ id: 'mug', title: 'Enamel mug' }] });
    expect(call('get-product-variants', { productIds: ['mug'], skus: ['MUG-RED', 'SHIRT-M'] })).toEqual({
      variants: [{ sku: 'MUG-RED', product_id: 'mug', title: 'Red', available: 3 }],
    });
  });
});
