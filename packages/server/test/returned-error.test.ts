/** Some documents prescribe `result.error` for failures; whoever returns it by hand has failed, and is guarded. */
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { guard as guardV1 } from '../src/v1.ts';
import { connectRaw } from './wire.ts';

const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
const handler = async () => ({
  content: [],
  error: { code: 4001, message: `The provider refused ${SECRET}` },
});

const servers = {
  v2: (dialect: string, work: unknown = handler) => {
    const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
    server.registerTool('t', {}, work as never);
    return server;
  },
  v1: (dialect: string, work: unknown = handler) => {
    const server = guardV1(new McpServerV1({ name: 's', version: '1' }), { dialect });
    server.registerTool('t', {}, work as never);
    return server;
  },
};

it.each([
  ['v2', 'mayday'],
  ['v2', 'qaqnuz'],
  ['v2', 'onx'],
  ['v1', 'mayday'],
  ['v1', 'closient'],
] as const)('is a failure, without its secrets: %s, %s', async (sdk, dialect) => {
  const client = await connectRaw(servers[sdk](dialect) as never);
  const answer = await client.ask('tools/call', { name: 't', arguments: {} });
  expect(answer.result?.['isError']).toBe(true);
  expect(JSON.stringify(answer)).not.toContain(SECRET);
});

it('is no failure where `error` is something else', async () => {
  const said = { content: [{ type: 'text', text: 'fine' }], error: 'none' };
  const client = await connectRaw(servers.v2('mayday', async () => said) as never);
  expect((await client.ask('tools/call', { name: 't', arguments: {} })).result).toMatchObject(said);
});
