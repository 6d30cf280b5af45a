/** A tool that calls another MCP server through the official client, and hands its failure on as it was thrown. */

import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as InMemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport, McpServer, ProtocolError, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
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

const PROVIDERS = [
  'Stripe error: No such customer: x; request req_8f3ka92LmQ',
  'psycopg2.OperationalError: FATAL: role "svc_reporting" has no table users_shadow, row 88123',
];
const CODES = [-32603, -32602, -32601, -32600, -32700, -32000, -32001, -32002, -32020, -32021, -32022];

describe.each(['qaqnuz', 'platica'] as const)('QA-3 QA-6 QA-7 PL-19 in %s', (dialect) => {
  it.each(CODES)("lets no word of a provider's cross in an error of the SDK's with %i", async (code) => {
    for (const words of PROVIDERS) {
      const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
      server.registerTool('t', {}, async () => {
        throw new ProtocolError(code, words, { table: 'users_shadow' });
      });
      const answer = await (await connectRaw(server as never)).ask('tools/call', {
        name: 't',
        arguments: {},
      });
      expect(answer.result?.['isError']).toBe(true);
      expect(JSON.stringify(answer)).not.toMatch(/Stripe|customer|req_|psycopg|svc_|users_shadow|88123/);
    }
  });
});

it.each([
  ['closient', undefined, -32100],
  ['onx', undefined, 5001],
  ['platica', undefined, undefined],
  ['erlmcp', -32031, undefined],
] as const)(
  'CL-3 EM-25 ER-44 PL-17 a tool that hands on "Method not found" has failed, and is no unknown method: %s',
  async (dialect, top, inside) => {
    const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
    server.registerTool('t', {}, async () => {
      throw new ProtocolError(-32601, 'Method not found');
    });
    const wire = await connectRaw(server as never);
    await wire.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    });
    const { error, result } = await wire.ask('tools/call', { name: 't', arguments: {} });
    expect(error?.code).toBe(top);
    expect((result?.['error'] as { code?: number } | undefined)?.code).toBe(inside);
  },
);

it.each(['qaqnuz', 'platica'] as const)(
  'QA-3 QA-7 an address to open keeps its code and its members in %s, and no other word',
  async (dialect) => {
    const page = { mode: 'url', elicitationId: 'e1', url: 'https://x.example/a' };
    const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
    server.registerTool('t', {}, async () => {
      throw new ProtocolError(-32042, WORDS, {
        elicitations: [{ ...page, message: WORDS }],
        table: 'users_shadow',
      });
    });
    const { error } = await (await connectRaw(server as never)).ask('tools/call', {
      name: 't',
      arguments: {},
    });
    expect(error).toEqual({
      code: -32042,
      message: 'URL elicitation required',
      data: { elicitations: [{ ...page, message: 'Open the page to go on' }] },
    });
  },
);

describe('CL-9 ER-24 ER-44 EM-2 PL-18 a number of the author’s, outside of tools, is no code of a document’s', () => {
  // biome-ignore format: a table
  it.each([
    ['closient', 'resources/read', -32200], ['closient', 'prompts/get', -32200],
    ['erlmcp', 'resources/read', -32001], ['erlmcp', 'prompts/get', -32044],
    ['onx', 'resources/read', -32602], ['onx', 'prompts/get', -32602],
    ['qaqnuz', 'resources/read', -32602], ['qaqnuz', 'prompts/get', -32602],
    ['platica', 'resources/read', -32602], ['platica', 'prompts/get', -32602],
  ] as const)('%s %s', async (dialect, method, code) => {
    for (const theirs of [-32002, 404, 1090, 2001]) {
      const fail = async (): Promise<never> => {
        throw new ProtocolError(theirs, 'Thing 9 not found');
      };
      const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
      server.registerResource('r', 'r://r', {}, fail);
      server.registerPrompt('p', {}, fail);
      const wire = await connectRaw(server as never);
      await wire.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
      const { error } = await wire.ask(method, method === 'prompts/get' ? { name: 'p' } : { uri: 'r://r' });
      expect(error?.code).toBe(code);
    }
  });
});

describe.each([
  'Parse error: bad CSV in line 3',
  'Invalid Request: the order was saved, but the mail failed',
  'MCP error -32601: Method not found',
])('a tool that ran and returns %s', (text) => {
  it.each([
    ['closient', undefined],
    ['onx', undefined],
    ['qaqnuz', undefined],
    ['platica', undefined],
    ['erlmcp', -32031],
  ] as const)(
    'CL-3 EM-3 EM-25 ER-44 PL-17 has failed, and no request was refused: %s',
    async (dialect, code) => {
      const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
      server.registerTool('t', {}, async () => ({ isError: true, content: [{ type: 'text', text }] }));
      const wire = await connectRaw(server as never);
      await wire.ask('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'c', version: '1' },
      });
      const { error, result } = await wire.ask('tools/call', { name: 't', arguments: {} });
      expect([error?.code, result?.['isError']]).toEqual([code, code === undefined ? true : undefined]);
    },
  );
});
