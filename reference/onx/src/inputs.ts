/** What the twelve commerce tools take. These schemas are checked before a tool runs. */
import * as z from 'zod';

const id = z.string().min(1).max(64);
const sku = z.string().regex(/^[A-Z0-9-]{1,32}$/, 'must be 1 to 32 capitals, digits or dashes');
const quantity = z.number().int().min(1).max(10_000);
const lineItems = z.array(z.strictObject({ sku, quantity })).min(1).max(100);
const address = z.strictObject({ street: z.string().min(1), city: z.string().min(1), country: z.string() });
const customer = z.strictObject({ email: z.email(), name: z.string().max(200).optional() });
const limit = z.number().int().min(1).max(100).default(50);

/** The input of each tool, by its name. */
export const INPUTS = {
  'create-sales-order': z
    .strictObject({
      order: z.strictObject({
        /** The caller's own number: sending the same one twice makes one order. */
        externalId: id.optional(),
        customer,
        lineItems,
        shippingAddress: address.optional(),
      }),
    })
    .describe('Makes an order and reserves its goods.'),
  'cancel-order': z
    .strictObject({ orderId: id, reason: z.string().max(500).optional() })
    .describe('Cancels an open order.'),
  'update-order': z
    .strictObject({
      orderId: id,
      updates: z.strictObject({ note: z.string().max(500).optional(), shippingAddress: address.optional() }),
    })
    .describe('Changes the note or the address of an open order.'),
  'fulfill-order': z
    .strictObject({
      orderId: id,
      lineItems: lineItems.optional(),
      trackingNumber: id.optional(),
    })
    .describe('Ships all of an order, or part of it.'),
  'create-return': z
    .strictObject({ orderId: id, lineItems, reason: z.string().max(500).optional() })
    .describe('Takes back what was shipped.'),
  'get-orders': z
    .strictObject({
      ids: z.array(id).optional(),
      status: z.string().optional(),
      createdAtMin: z.string().optional(),
      limit,
    })
    .describe('Finds orders.'),
  'get-customers': z
    .strictObject({ emails: z.array(z.email()).optional(), limit })
    .describe('Finds customers.'),
  'get-products': z.strictObject({ ids: z.array(id).optional(), limit }).describe('Finds products.'),
  'get-product-variants': z
    .strictObject({
      skus: z.array(sku).optional(),
      productIds: z.array(id).optional(),
      limit,
    })
    .describe('Finds the variants of products.'),
  'get-inventory': z.strictObject({ skus: z.array(sku).min(1) }).describe('Says how much is in stock.'),
  'get-fulfillments': z
    .strictObject({ orderIds: z.array(id).optional(), limit })
    .describe('Finds shipments.'),
  'get-returns': z.strictObject({ orderIds: z.array(id).optional(), limit }).describe('Finds returns.'),
} as const;

/** The name of a commerce tool. */
export type ToolName = keyof typeof INPUTS;

/** The checked input of a tool. */
export type Input<T extends ToolName> = z.infer<(typeof INPUTS)[T]>;

/** Tools that change nothing. */
export function isReading(name: ToolName): boolean {
  return name.startsWith('get-');
}
