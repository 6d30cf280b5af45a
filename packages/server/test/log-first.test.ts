/** A process may end as soon as its answer is out: the cause is in the log by then. */
import { McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { guard } from '../src/index.ts';

it.each(['erlmcp', 'mayday', 'onx', 'qaqnuz', 'platica', 'closient'] as const)(
  'ER-87 EM-37 %s: logs, then answers',
  async (dialect) => {
    const order: string[] = [];
    const note = () => void order.push('log');
    const server = guard(new McpServer({ name: 's', version: '1' }), {
      dialect,
      logger: { error: note, warn: note },
    });
    server.registerTool('fails', {}, async () => {
      throw new Error('boom');
    });
    const answered = Promise.withResolvers<void>();
    const transport: Parameters<typeof server.connect>[0] = {
      start: async () => {},
      close: async () => {},
      send: async (message) => {
        if (!('id' in message) || message.id === 0) return;
        order.push(`answer ${message.id}`);
        if (message.id === 2) answered.resolve();
      },
    };
    await server.connect(transport);
    const ask = (id: number, method: string, params: object) =>
      transport.onmessage?.({ jsonrpc: '2.0', id, method, params: { ...params } });
    const clientInfo = { name: 'c', version: '1' };
    ask(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    ask(1, 'no/such', {});
    await expect.poll(() => order).toContain('answer 1');
    ask(2, 'tools/call', { name: 'fails', arguments: {} });
    await answered.promise;
    expect(order).toEqual(['log', 'answer 1', 'log', 'answer 2']);
  },
);
