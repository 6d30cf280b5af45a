/** One failing server, plain and guarded: what docs/server.md and the README show. */
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { answerOf, httpRequest } from './wire.ts';

function createServer(guarded: boolean): McpServer {
  const plain = new McpServer({ name: 'orders', version: '1.0.0' });
  const server = guarded ? guard(plain, { deadlineMs: 300, correlationId: () => '7d0c-4f1e' }) : plain;
  server.registerTool(
    'get_order',
    { inputSchema: z.object({ id: z.string(), limit: z.number().max(50) }) },
    async () => {
      throw Object.assign(new Error('connect ECONNREFUSED postgres://svc:hunter2@10.0.0.5:5432/prod'), {
        code: 'ECONNREFUSED',
      });
    },
  );
  server.registerTool('report', {}, () => new Promise<never>(() => {}));
  server.registerResource('stock', 'stock://all', {}, async () => {
    throw Object.assign(new Error('E11000 duplicate key'), { code: 11000, data: { host: '10.0.0.5' } });
  });
  return server;
}

const CASES = [
  ['a database is down', 'tools/call', { name: 'get_order', arguments: { id: '1', limit: 1 } }],
  ['wrong arguments', 'tools/call', { name: 'get_order', arguments: { order_id: '1', limit: 500 } }],
  ['a handler hangs', 'tools/call', { name: 'report' }],
  ["a driver's error", 'resources/read', { uri: 'stock://all' }],
  ['an unknown tool', 'tools/call', { name: 'get_orders' }],
  ['parameters of the wrong shape', 'resources/read', {}],
] as const;

/** What becomes of one request; `undefined` when no answer comes. */
export interface Case {
  readonly title: string;
  readonly before: Message | undefined;
  readonly after: Message | undefined;
}

/** Makes every request of both servers. */
export async function beforeAndAfter(): Promise<readonly Case[]> {
  return Promise.all(
    CASES.map(async ([title, method, params]) => {
      const ask = async (guarded: boolean): Promise<Message | undefined> => {
        const handler = createMcpHandler(() => createServer(guarded));
        return (await answerOf(handler.fetch(httpRequest('2026-07-28', method, params))))?.message;
      };
      return { title, before: await ask(false), after: await ask(true) };
    }),
  );
}
