/** An upstream that pays, counts what it has paid, and loses many of its answers. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The upstream. */
export interface Till {
  readonly url: string;
  /** How often each order was paid. */
  readonly paid: ReadonlyMap<string, number>;
  /** Answers that went astray on this side. */
  readonly lost: number;
  close(): void;
}

/** How the answer to an order ends up. */
export type Ending = 'answered' | 'late' | 'cut' | 'half' | 'status';

const LATE_MS = 300;

/** Opens one. Each payment has a number, so that a second one shows. */
export async function openTill(endingOf: (order: string) => Ending): Promise<Till> {
  const paid = new Map<string, number>();
  let [payments, lost] = [0, 0];

  function pay(id: unknown, order: string, response: ServerResponse): void {
    paid.set(order, (paid.get(order) ?? 0) + 1);
    payments += 1;
    const text = `paid ${order} ${payments}`;
    const said = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
    const ending = endingOf(order);
    if (ending !== 'answered' && ending !== 'late') lost += 1;
    if (ending === 'cut') return void response.destroy();
    if (ending === 'status') return void response.writeHead(503).end();
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(said),
    });
    if (ending === 'late') setTimeout(() => response.end(said), LATE_MS);
    else if (ending === 'answered') response.end(said);
    else response.write(said.slice(0, said.length / 2), () => response.destroy());
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body);
      if (id === undefined) return void response.writeHead(202).end();
      if (method === 'tools/call') return pay(id, params.arguments.order, response);
      const result =
        method === 'initialize'
          ? {
              protocolVersion: '2025-11-25',
              capabilities: { tools: {} },
              serverInfo: { name: 'till', version: '1' },
            }
          : { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    paid,
    get lost() {
      return lost;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
