/** What can go wrong with orders, under the identifiers that adapters forward in `details.originalError`. */
import { defineFault, type FaultError, fault } from '@mayday/core';

/** There is no such order. */
export const OrderNotFound = defineFault<{ orderId: string }>('ORDER_NOT_FOUND', {
  kind: 'not_found',
  subject: 'order',
  subjectId: 'orderId',
  message: ({ orderId }) => `No order ${orderId}`,
  meaning: 'The order does not exist, or not in this system.',
});

/** There is nothing under this SKU. */
export const ProductNotFound = defineFault<{ sku: string }>('PRODUCT_NOT_FOUND', {
  kind: 'not_found',
  subject: 'product',
  subjectId: 'sku',
  message: ({ sku }) => `No product ${sku}`,
  meaning: 'The SKU does not exist in the catalogue.',
});

/** The order is past the point where this could be done. */
export const InvalidOrderState = defineFault<{ orderId: string; currentStatus: string; operation: string }>(
  'INVALID_ORDER_STATE',
  {
    kind: 'conflict',
    subject: 'order',
    subjectId: 'orderId',
    message: ({ orderId, currentStatus, operation }) =>
      `Cannot ${operation} order ${orderId}: it is ${currentStatus}`,
    advice: 'Look the order up with get-orders before you try something else.',
    meaning: 'The order is in a state that does not allow the operation.',
  },
);

/** There is less in stock than was asked for. */
export const InsufficientInventory = defineFault<{ sku: string; requested: number; available: number }>(
  'INSUFFICIENT_INVENTORY',
  {
    kind: 'conflict',
    subject: 'inventory',
    subjectId: 'sku',
    message: ({ sku, requested, available }) => `${requested} of ${sku} requested, ${available} available`,
    meaning: 'The order wants more than there is.',
  },
);

/** Another order has been made under the caller's own number. */
export const ExternalIdTaken = defineFault<{ externalId: string; orderId: string }>('EXTERNAL_ID_TAKEN', {
  kind: 'conflict',
  subject: 'order',
  subjectId: 'orderId',
  message: ({ externalId, orderId }) =>
    `externalId ${externalId} is of order ${orderId}, which is another one`,
  advice: 'Look that order up with get-orders, or send a new externalId.',
  meaning: 'The same externalId was sent before, with another content.',
});

/**
 * Arguments that fit their schema and still cannot be used: found by the tool, said in its result. `required` is 2002,
 * `invalid_format` 2003, every other reason 2001.
 */
export function unusable(field: string, reason: string, sentence: string, suggestion?: string): FaultError {
  return fault.invalidArguments(`${field} ${sentence}`, {
    issues: [{ path: field.split('.'), message: sentence, code: reason }],
    advice: suggestion,
    executed: 'no',
  });
}
