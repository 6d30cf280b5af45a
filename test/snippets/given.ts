/** What the pages' code takes for granted: names that a reader has already, and no package exports. Each block gets its own. */
import { type ResilientClient, resilient } from '@mayday/client';
import { createMemoryApprovals, createMemoryIdempotency, guard, type KeyRecord } from '@mayday/server';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

class OutOfStock extends Error {
  readonly sku = 'tea';
}

function newServer(): McpServer {
  return new McpServer({ name: 'orders', version: '1.0.0' });
}

/** The way to a server with one tool. */
function connected(): InMemoryTransport {
  const server = guard(newServer());
  server.registerTool('pay', { inputSchema: z.object({ order: z.number() }) }, async ({ order }) => ({
    content: [{ type: 'text', text: `paid ${order}` }],
  }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  void server.connect(far);
  return near;
}

const info = { name: 'agent', version: '1.0.0' };

/** Made anew for each block that names them. */
export const GIVEN = {
  server: newServer,
  OutOfStock: () => OutOfStock,
  store: () => createMemoryIdempotency(),
  approvals: () => createMemoryApprovals(),
  inputSchema: () => z.object({ id: z.string() }),
  db: () => ({
    find: async (id: string): Promise<{ id: string } | undefined> => ({ id }),
    keyByDigest: async (_digest: string): Promise<KeyRecord | undefined> => undefined,
  }),
  info: () => info,
  transport: () => connected,
  sessions: () => [{ transport: connected }],
  client: (): ResilientClient => resilient(new Client(info), { transport: connected }),
  plain: async (): Promise<Client> => {
    const client = new Client(info);
    await client.connect(connected());
    return client;
  },
  tell: () => (_text: string, _reaction?: string) => {},
  use: () => (_result: object) => {},
  url: () => new URL('https://example.com/'),
  fetchPage: () => async (_url: URL, _signal?: AbortSignal) => 'a page',
  pay: () => async (_arguments: unknown, _signal?: AbortSignal) => ({ paid: true }),
  args: () => ({ to: 'ada', password: 'x7Kq2mZ9' }),
  file: () => ['a line\n', 'and another\n'],
  out: () => ({ write: (_text: string) => {} }),
};
