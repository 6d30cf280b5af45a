/** Of a prompt's argument that was sent nobody says that it is missing. */
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import { guard as guardV1 } from '../src/v1.ts';
import { connectRaw, type RawClient } from './wire.ts';

const ARGUMENTS = { mood: z.enum(['merry', 'solemn']) };
const toast = ({ mood }: { readonly mood: string }) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: mood } }],
});

async function v2(): Promise<RawClient> {
  const server = guard(new McpServer({ name: 's', version: '1' }), { dialect: 'erlmcp' });
  server.registerPrompt('toast', { argsSchema: z.object(ARGUMENTS) }, toast);
  return opened(await connectRaw(server));
}

async function v1(): Promise<RawClient> {
  const server = guardV1(new McpServerV1({ name: 's', version: '1' }), { dialect: 'erlmcp' });
  server.registerPrompt('toast', { argsSchema: ARGUMENTS }, toast);
  return opened(await connectRaw(server as never));
}

async function opened(client: RawClient): Promise<RawClient> {
  const clientInfo = { name: 'c', version: '1' };
  await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  await client.send({ method: 'notifications/initialized' });
  return client;
}

describe.each([
  ['v2', v2],
  ['v1', v1],
])('on SDK %s', (_name, connect) => {
  it('a wrong one is -32602, which says what is right (ER-22)', async () => {
    const client = await connect();
    const { error } = await client.ask('prompts/get', { name: 'toast', arguments: { mood: 'sad' } });
    expect(error).toEqual({
      code: -32602,
      message: 'Invalid params',
      data: { details: 'mood: expected one of "merry"|"solemn"' },
    });
  });

  it('one that is not there is -32043 (ER-48)', async () => {
    const client = await connect();
    const { error } = await client.ask('prompts/get', { name: 'toast', arguments: {} });
    expect(error).toEqual({
      code: -32043,
      message: 'Prompt argument missing',
      data: { prompt: 'toast', argument: 'mood' },
    });
  });
});
