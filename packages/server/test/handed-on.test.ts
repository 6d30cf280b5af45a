/** A tool that calls another MCP server through the official client, and hands its failure on as it was thrown. */

import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as InMemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport, McpServer, ProtocolError, Server } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { connectRaw } from './wire.ts';

const WORDS = 'Ledger node L-77 in shard 3 refused account Zeta Holdings';
const called = { name: 'inner', arguments: {} };

/** The provider: a plain server that refuses at the protocol's level. */
const providers = {
  async v2(): Promise<() => Promise<unknown>> {
    const server = new Server({ name: 'p', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/call', async () => {
      throw new ProtocolError(-32050, WORDS);
    });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const client = new Client({ name: 'c', version: '1' });
    await client.connect(near);
    return () => client.callTool(called);
  },
  async v1(): Promise<() => Promise<unknown>> {
    const server = new ServerV1({ name: 'p', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(CallToolRequestSchema, async () => {
      throw new McpError(-32050, WORDS);
    });
    const [near, far] = InMemoryV1.createLinkedPair();
    await server.connect(far);
    const client = new ClientV1({ name: 'c', version: '1' });
    await client.connect(near);
    return () => client.callTool(called);
  },
};

it.each(['v2', 'v1'] as const)('QA-6 lets no word of that server cross in qaqnuz: %s', async (sdk) => {
  const call = await providers[sdk]();
  const server = guard(new McpServer({ name: 's', version: '1' }), { dialect: 'qaqnuz' });
  server.registerTool('t', {}, call as never);
  const answer = await (await connectRaw(server as never)).ask('tools/call', { name: 't', arguments: {} });
  expect(answer.result?.['isError']).toBe(true);
  expect(JSON.stringify(answer)).not.toMatch(/Ledger|shard|Zeta/);
});

it('keeps the words of an author who throws one on purpose', async () => {
  const server = guard(new McpServer({ name: 's', version: '1' }), { dialect: 'qaqnuz' });
  server.registerTool('t', {}, async () => {
    throw new ProtocolError(-32602, 'The date must not be in the past');
  });
  const answer = await (await connectRaw(server as never)).ask('tools/call', { name: 't', arguments: {} });
  expect(JSON.stringify(answer)).toContain('The date must not be in the past');
});
