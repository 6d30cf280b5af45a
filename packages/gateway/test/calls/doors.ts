/** Doors of a gateway before one server, behind which somebody pays. */
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'vitest';
import type { SettingsFile } from '../../src/index.ts';
import { spokenTo } from '../spoken-to.ts';
import { call, INITIALIZE, later, open, post } from '../tools.ts';

type Bank = SettingsFile['upstreams'][string];

/** Each gives who pays there, by the id of the call. */
export const DOORS = [
  [
    'the plain command',
    async (bank: Bank) => {
      const { ask } = await spokenTo({ bank });
      return (id: number) => ask(call('tools/call', { name: 'pay' }, id));
    },
  ],
  [
    'the joined endpoint',
    async (bank: Bank) => {
      const gateway = await open({ upstreams: { bank } });
      const opened = await post(`${gateway.url}/mcp`, INITIALIZE);
      const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
      await post(`${gateway.url}/mcp`, call('tools/list', {}, 90), session);
      return async (id: number) =>
        (await post(`${gateway.url}/mcp`, call('tools/call', { name: 'bank_pay' }, id), session)).message;
    },
  ],
  [
    "a server's own endpoint",
    async (bank: Bank) => {
      const gateway = await open({ upstreams: { bank } });
      const at = `${gateway.url}/bank/mcp`;
      const enter = async () => {
        const opened = await post(at, INITIALIZE);
        return { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
      };
      let session = await enter();
      return async (id: number) => {
        const told = await post(at, call('tools/call', { name: 'pay' }, id), session);
        if (told.status !== 404) return told.message;
        // As clients do.
        session = await enter();
        return (await post(at, call('tools/call', { name: 'pay' }, id), session)).message;
      };
    },
  ],
  [
    "a server's own endpoint, over HTTP+SSE",
    async (bank: Bank) => {
      const gateway = await open({ upstreams: { bank } });
      const transport = new SSEClientTransport(new URL(`${gateway.url}/bank/sse`));
      const answers = new Map<unknown, object>();
      transport.onmessage = (message) => void ('id' in message && answers.set(message.id, message));
      await transport.start();
      later(() => transport.close());
      const ask = async (message: object): Promise<object> => {
        const { id } = message as { readonly id: number };
        await transport.send(message as JSONRPCMessage);
        await expect.poll(() => answers.get(id), { timeout: 10_000, interval: 5 }).toBeDefined();
        return answers.get(id) ?? {};
      };
      await ask(INITIALIZE);
      await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return (id: number) => ask(call('tools/call', { name: 'pay' }, id));
    },
  ],
] as const;
