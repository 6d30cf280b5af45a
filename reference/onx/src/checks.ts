/** What must hold of an input beyond its schema, whichever adapter is behind the desk. */
import * as z from 'zod';
import { unusable } from './faults.ts';
import type { Input, ToolName } from './inputs.ts';

/** The states that an order can be in. */
export const STATUSES: readonly string[] = ['open', 'fulfilled', 'cancelled', 'returned'];

/** JavaScript's own parser takes the 30th of February for the 2nd of March. */
const TIME = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

/** Throws when the input cannot be used. */
export const CHECKS: { readonly [T in ToolName]?: (input: Input<T>) => void } = {
  'create-sales-order'({ order }) {
    const { lineItems, shippingAddress } = order;
    if (shippingAddress === undefined)
      throw unusable(
        'order.shippingAddress',
        'required',
        'is required',
        'Ask the customer where to ship to.',
      );
    checkCountry('order.shippingAddress.country', shippingAddress.country);
    checkOnce('order.lineItems', lineItems);
  },
  'update-order'({ updates }) {
    if (Object.keys(updates).length === 0) throw unusable('updates', 'required', 'needs at least one change');
    if (updates.shippingAddress !== undefined)
      checkCountry('updates.shippingAddress.country', updates.shippingAddress.country);
  },
  'fulfill-order': ({ lineItems = [] }) => checkOnce('lineItems', lineItems),
  'create-return': ({ lineItems }) => checkOnce('lineItems', lineItems),
  'get-orders'({ status, createdAtMin }) {
    if (status !== undefined && !STATUSES.includes(status))
      throw unusable('status', 'unknown_status', `is none of ${STATUSES.join(', ')}`);
    if (createdAtMin !== undefined && !TIME.safeParse(createdAtMin).success)
      throw unusable(
        'createdAtMin',
        'invalid_format',
        'is not an ISO 8601 time',
        'For example 2026-01-31T00:00:00Z.',
      );
  },
};

function checkCountry(field: string, country: string): void {
  if (!/^[A-Z]{2}$/.test(country))
    throw unusable(field, 'invalid_format', 'is not a two-letter country code', 'For example MX.');
}

/** Quantities are checked line by line, so a product has one line. */
function checkOnce(field: string, lineItems: readonly { readonly sku: string }[]): void {
  const skus = lineItems.map(({ sku }) => sku);
  const twice = skus.findIndex((sku, i) => skus.indexOf(sku) < i);
  if (twice >= 0)
    throw unusable(`${field}.${twice}.sku`, 'duplicate', 'occurs twice', 'Add the quantities up.');
}
