/** The adapter with a database of its own: all twelve tools. */
import type { DatabaseSync } from 'node:sqlite';
import { fault, isFault } from '@mayday/core';
import { AdapterError } from '@mayday/core/dialects/onx';
import { transaction } from '@mayday/reference-shared';
import type { Adapter, Answer } from '../adapter.ts';
import { openOrders } from './database.ts';
import { cancelOrder, createOrder, createReturn, fulfillOrder, updateOrder } from './orders.ts';
import { readOrder, select } from './rows.ts';

/** An order desk in one file under the data folder. */
export function createSqliteAdapter(folder: string): Adapter {
  const database = openOrders(folder);
  const writing =
    <I>(run: (database: DatabaseSync, input: I) => Answer) =>
    (input: I): Answer =>
      stored(() => transaction(database, () => run(database, input)));
  const reading =
    <I>(run: (input: I) => Answer) =>
    (input: I): Answer =>
      stored(() => run(input));
  return {
    name: 'sqlite',
    tools: {
      'create-sales-order': writing(createOrder),
      'cancel-order': writing(cancelOrder),
      'update-order': writing(updateOrder),
      'fulfill-order': writing(fulfillOrder),
      'create-return': writing(createReturn),
      'get-orders': reading(({ ids, status, createdAtMin = 0, limit }) => ({
        orders: select(
          database,
          'orders',
          { id: ids, status: status === undefined ? undefined : [status] },
          NO_LIMIT,
        )
          .filter((row) => Date.parse(row['created_at'] as string) >= new Date(createdAtMin).getTime())
          .slice(0, limit)
          .map((row) => readOrder(database, row['id'] as string)),
      })),
      'get-customers': reading(({ emails, limit }) => ({
        customers: select(database, 'customers', { email: emails }, limit),
      })),
      'get-products': reading(({ ids, limit }) => ({
        products: select(database, 'products', { id: ids }, limit),
      })),
      'get-product-variants': reading(({ skus, productIds, limit }) => ({
        variants: select(database, 'variants', { sku: skus, product_id: productIds }, limit),
      })),
      'get-inventory': reading(({ skus }) => ({
        inventory: select(database, 'variants', { sku: skus }, 100).map(({ sku = '', available = 0 }) => ({
          sku,
          available,
        })),
      })),
      'get-fulfillments': reading(({ orderIds, limit }) => ({
        fulfillments: select(database, 'fulfillments', { order_id: orderIds }, limit),
      })),
      'get-returns': reading(({ orderIds, limit }) => ({
        returns: select(database, 'returns', { order_id: orderIds }, limit),
      })),
    },
    close: () => database.close(),
  };
}

/** SQLite takes a negative limit for none. */
const NO_LIMIT = -1;
const SQLITE_BUSY = 5;

/** What the database itself refuses: busy passes, everything else does not. */
function stored<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (isFault(cause)) throw cause;
    if ((cause as { errcode?: number }).errcode === SQLITE_BUSY)
      // SQLite refuses the whole transaction: nothing was written.
      throw fault.unavailable('The order database is busy', { cause, executed: 'no' });
    throw new AdapterError('STORAGE_FAILED', { message: 'The order database failed', cause });
  }
}
