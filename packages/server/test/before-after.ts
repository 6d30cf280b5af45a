/** Prints what docs/server.md shows: one failing server, before and after. `npm run before-after`. */
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { guard } from '../src/index.ts';
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

for (const [title, method, params] of [
  ['the database is down', 'tools/call', { name: 'get_order', arguments: { id: '1', limit: 1 } }],
  ['wrong arguments', 'tools/call', { name: 'get_order', arguments: { order_id: '1', limit: 500 } }],
  ['a handler that hangs', 'tools/call', { name: 'report' }],
  ['a driver’s error code', 'resources/read', { uri: 'stock://all' }],
  ['a tool that does not exist', 'tools/call', { name: 'get_orders' }],
  ['parameters of the wrong shape', 'resources/read', {}],
] as const) {
  for (const guarded of [false, true]) {
    const handler = createMcpHandler(() => createServer(guarded));
    const answer = await answerOf(handler.fetch(httpRequest('2026-07-28', method, params)));
    console.log(
      `## ${title} (${guarded ? 'after' : 'before'})\n${answer === undefined ? '(no answer)' : JSON.stringify(answer.message.result ?? answer.message.error)}`,
    );
  }
}
process.exit(0);
