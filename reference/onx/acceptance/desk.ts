import { type Backend, plantBackend, type Reply, type Visit } from '../../acceptance/backend.ts';
import { Endpoint } from '../../acceptance/http.ts';
import { freshFolder, type HttpReference, serveHttp } from '../../acceptance/reference.ts';
import type { Wire } from '../../acceptance/wire.ts';

/** An order desk in front of a planted commerce system. */
export interface Desk {
  readonly server: HttpReference;
  readonly endpoint: Endpoint;
  readonly backend: Backend;
  readonly folder: string;
  close(): Promise<void>;
}

/** Opens a desk whose backend does what it is told. */
export async function openDesk(reply: (visit: Visit) => Reply, flags: readonly string[] = []): Promise<Desk> {
  const folder = freshFolder();
  const backend = await plantBackend(reply);
  const server = await serveHttp('onx', folder.path, ['--backend-url', backend.url, ...flags]);
  return {
    server,
    endpoint: new Endpoint(server.mcp),
    backend,
    folder: folder.path,
    close: async () => {
      await Promise.all([server.stop(), backend.close()]);
      folder.remove();
    },
  };
}

/** A JSON answer of the backend. */
export function says(status: number, body: Wire): Reply {
  return { status, body: JSON.stringify(body) };
}

/** An order that nothing is wrong with. */
export const ORDER = {
  customer: { email: 'ana@example.com' },
  lineItems: [{ sku: 'MUG-BLUE', quantity: 1 }],
  shippingAddress: { street: 'Calle 5', city: 'Puebla', country: 'MX' },
};

/** The five errors of JSON-RPC by the names that the document has for them. */
export const PROTOCOL_NAMES: Record<number, string> = {
  [-32700]: 'Parse error',
  [-32600]: 'Invalid request',
  [-32601]: 'Method not found',
  [-32602]: 'Invalid params',
  [-32603]: 'Internal error',
};

/** A reason that a program can compare: one word, no sentence. */
export const MACHINE_READABLE = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
