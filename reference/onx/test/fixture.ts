/** Orders to try things with. */
import { memoryLogger, serveHere, tempFolder } from '@mayday/reference-shared/testing';
import type { Adapter } from '../src/adapter.ts';
import { createDesk, type DeskOptions } from '../src/desk.ts';
import { createSqliteAdapter } from '../src/sqlite/adapter.ts';

/** An order that can be made. */
export function anOrder(sku = 'MUG-BLUE', quantity = 1, externalId?: string): object {
  return {
    order: {
      ...(externalId === undefined ? {} : { externalId }),
      customer: { email: 'ana@example.com' },
      lineItems: [{ sku, quantity }],
      shippingAddress: { street: 'Calle 1', city: 'Mérida', country: 'MX' },
    },
  };
}

/** A desk that serves on a port of its own, and its log. */
export async function openDesk(options: Partial<DeskOptions> = {}): Promise<{
  readonly url: string;
  readonly logger: ReturnType<typeof memoryLogger>;
  readonly adapter: Adapter;
}> {
  const logger = memoryLogger();
  const adapter = options.adapter ?? createSqliteAdapter(tempFolder());
  const createServer = createDesk({ logger, ...options, adapter });
  const { url } = await serveHere({
    name: 'onx',
    dialect: 'onx',
    createServer,
    logger,
    close: () => adapter.close(),
  });
  return { url, logger, adapter };
}
