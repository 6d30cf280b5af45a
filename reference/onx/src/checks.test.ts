import { FaultError } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { CHECKS, STATUSES } from './checks.ts';

/** What a check throws, as far as a caller hears of it. */
function told(name: keyof typeof CHECKS, input: object): unknown {
  try {
    CHECKS[name]?.(input as never);
    return undefined;
  } catch (thrown) {
    const { message, issues, advice } = (thrown as FaultError).fault;
    return {
      thrown: thrown instanceof FaultError,
      message,
      path: issues[0]?.path,
      code: issues[0]?.code,
      advice,
    };
  }
}

const order = (more: object = {}): object => ({
  order: { lineItems: [{ sku: 'A' }], shippingAddress: { country: 'MX' }, ...more },
});

describe('what must hold of an input beyond its schema', () => {
  it.each([
    ['create-sales-order', order()],
    ['update-order', { updates: { note: 'x' } }],
    ['update-order', { updates: { shippingAddress: { country: 'DE' } } }],
    ['fulfill-order', {}],
    ['fulfill-order', { lineItems: [{ sku: 'A' }, { sku: 'B' }] }],
    ['create-return', { lineItems: [{ sku: 'A' }] }],
    ['get-orders', {}],
    ['get-orders', { status: 'returned', createdAtMin: '2026-01-31T00:00:00Z' }],
    ['get-orders', { createdAtMin: '2028-02-29' }],
    ['get-orders', { createdAtMin: '2026-01-31T23:59:59.123+05:30' }],
    ['get-orders', { createdAtMin: '2026-01-31T23:59' }],
  ] as const)('%s takes %j', (name, input) => {
    expect(told(name, input)).toBeUndefined();
  });

  it.each([
    [
      'create-sales-order',
      order({ shippingAddress: undefined }),
      'order.shippingAddress is required',
      'order.shippingAddress',
      'required',
      'Ask the customer where to ship to.',
    ],
    [
      'create-sales-order',
      order({ shippingAddress: { country: 'Mexico' } }),
      'order.shippingAddress.country is not a two-letter country code',
      'order.shippingAddress.country',
      'invalid_format',
      'For example MX.',
    ],
    [
      'create-sales-order',
      order({ lineItems: [{ sku: 'A' }, { sku: 'B' }, { sku: 'A' }] }),
      'order.lineItems.2.sku occurs twice',
      'order.lineItems.2.sku',
      'duplicate',
      'Add the quantities up.',
    ],
    ['update-order', { updates: {} }, 'updates needs at least one change', 'updates', 'required', undefined],
    [
      'update-order',
      { updates: { shippingAddress: { country: 'mx' } } },
      'updates.shippingAddress.country is not a two-letter country code',
      'updates.shippingAddress.country',
      'invalid_format',
      'For example MX.',
    ],
    [
      'fulfill-order',
      { lineItems: [{ sku: 'A' }, { sku: 'A' }] },
      'lineItems.1.sku occurs twice',
      'lineItems.1.sku',
      'duplicate',
      'Add the quantities up.',
    ],
    [
      'create-return',
      { lineItems: [{ sku: 'A' }, { sku: 'A' }] },
      'lineItems.1.sku occurs twice',
      'lineItems.1.sku',
      'duplicate',
      'Add the quantities up.',
    ],
    [
      'get-orders',
      { status: 'lost' },
      'status is none of open, fulfilled, cancelled, returned',
      'status',
      'unknown_status',
      undefined,
    ],
    [
      'get-orders',
      { createdAtMin: 'yesterday' },
      'createdAtMin is not an ISO 8601 time',
      'createdAtMin',
      'invalid_format',
      'For example 2026-01-31T00:00:00Z.',
    ],
  ] as const)('%s refuses %j: %s', (name, input, message, path, code, advice) => {
    expect(told(name, input)).toEqual({ thrown: true, message, path: path.split('.'), code, advice });
  });

  it('knows four states of an order', () => {
    expect(STATUSES).toEqual(['open', 'fulfilled', 'cancelled', 'returned']);
  });
});

describe('EM-16 a time that there is not', () => {
  it.each([
    '2026-02-30T00:00:00Z',
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-31T25:00:00Z',
    '2026-01-31T00:00:60Z',
    '31 January 2026',
    'January',
    '1',
    '2026-1-1',
    '',
  ])('%j is of the wrong format', (createdAtMin) => {
    expect(told('get-orders', { createdAtMin })).toMatchObject({
      path: ['createdAtMin'],
      code: 'invalid_format',
    });
  });
});
