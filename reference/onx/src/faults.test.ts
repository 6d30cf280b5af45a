import { describe, expect, it } from 'vitest';
import {
  InsufficientInventory,
  InvalidOrderState,
  OrderNotFound,
  ProductNotFound,
  unusable,
} from './faults.ts';

describe('what can go wrong with orders', () => {
  it.each([
    [
      OrderNotFound({ orderId: 'o-1' }),
      {
        name: 'ORDER_NOT_FOUND',
        kind: 'not_found',
        subject: { type: 'order', id: 'o-1' },
        message: 'No order o-1',
      },
    ],
    [
      ProductNotFound({ sku: 'A' }),
      {
        name: 'PRODUCT_NOT_FOUND',
        kind: 'not_found',
        subject: { type: 'product', id: 'A' },
        message: 'No product A',
      },
    ],
    [
      InvalidOrderState({ orderId: 'o-1', currentStatus: 'cancelled', operation: 'fulfill' }),
      {
        name: 'INVALID_ORDER_STATE',
        kind: 'conflict',
        subject: { type: 'order', id: 'o-1' },
        message: 'Cannot fulfill order o-1: it is cancelled',
        advice: 'Look the order up with get-orders before you try something else.',
      },
    ],
    [
      InsufficientInventory({ sku: 'A', requested: 5, available: 3 }),
      {
        name: 'INSUFFICIENT_INVENTORY',
        kind: 'conflict',
        subject: { type: 'inventory', id: 'A' },
        message: '5 of A requested, 3 available',
      },
    ],
  ])('EM-22 %#', ({ fault }, expected) => {
    expect(fault).toMatchObject(expected);
  });

  it('each says in the reference what it means', () => {
    for (const { definition } of [OrderNotFound, ProductNotFound, InvalidOrderState, InsufficientInventory])
      expect(definition.meaning).toMatch(/^The .+\.$/);
  });

  it('an argument that fits its schema and cannot be used is refused before anything happens', () => {
    expect(unusable('order.items', 'required', 'is required', 'Ask.').fault).toMatchObject({
      kind: 'invalid_arguments',
      executed: 'no',
      message: 'order.items is required',
      advice: 'Ask.',
      issues: [{ path: ['order', 'items'], message: 'is required', code: 'required' }],
    });
  });
});
