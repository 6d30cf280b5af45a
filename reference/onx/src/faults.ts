/** What can go wrong with orders, under the identifiers that adapters forward in `details.originalError`. */
import { defineFault, FaultError, fault, type Issue, type JsonObject, makeFault } from '@mayday/core';

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

/** A failure of a commerce system, under its own identifier. Not worth repeating unless it says so. */
export function adapterError(
  identifier: string,
  message: string,
  options: {
    readonly retryable?: boolean;
    readonly context?: JsonObject | undefined;
    readonly cause?: unknown;
  } = {},
): FaultError {
  const { retryable = false, context: details, cause } = options;
  return fault.upstreamFailed(message, { name: identifier, retryable, details, cause });
}

/** Arguments that their schema refuses: the tool does not run, the JSON-RPC call fails. */
export function invalidParams(issues: readonly Issue[]): FaultError {
  const field = issues[0]?.path.join('.') ?? '';
  const details = { field, reason: issues[0]?.message ?? '' };
  const native = { dialect: 'onx', code: -32602, message: 'Invalid params', extra: { details } };
  return new FaultError(makeFault({ kind: 'invalid_arguments', message: 'Invalid params', issues, native }));
}

const FIELD_CODES = {
  wrong: [2001, 'Validation error'],
  missing: [2002, 'Missing required field'],
  format: [2003, 'Invalid format'],
} as const;

/** Arguments that fit their schema and still cannot be used: found by the tool, said in its result. */
export function unusable(
  how: keyof typeof FIELD_CODES,
  field: string,
  reason: string,
  suggestion?: string,
): FaultError {
  const [code, message] = FIELD_CODES[how];
  const details = { field, reason, ...(suggestion === undefined ? {} : { suggestion }) };
  return new FaultError(
    makeFault({
      kind: 'unprocessable',
      message,
      issues: [{ path: field.split('.'), message: reason }],
      advice: suggestion,
      native: { dialect: 'onx', code, extra: { details } },
    }),
  );
}
