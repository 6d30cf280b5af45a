/** A tool that says of itself that it is not there has been found and asked: what it says is how it failed. */
import { fault } from '@mayday/core';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer, ProtocolError } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { guard as guardV1 } from '../src/v1.ts';
import { askV1 } from './v1-fixture.ts';
import { connectRaw } from './wire.ts';

const SAID = 'Tool pay not found';
const throwing = (reason: unknown) => (): never => {
  throw reason;
};
const text = (said: string): object => ({ isError: true, content: [{ type: 'text', text: said }] });

const WAYS: readonly (readonly [string, () => unknown])[] = [
  ['returned', () => text(SAID)],
  ['returned as another server said it', () => text(`MCP error -32602: ${SAID}`)],
  ['thrown', throwing(new Error(SAID))],
  ['thrown as an error of the protocol', throwing(new ProtocolError(-32602, SAID))],
  ['thrown as a fault', throwing(fault.notFound(SAID, { subject: { type: 'tool', id: 'pay' } }))],
];

async function v2(dialect: string, work: () => unknown): Promise<Message> {
  const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
  server.registerTool('pay', {}, work as never);
  const client = await connectRaw(server);
  const clientInfo = { name: 'c', version: '1' };
  await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return client.ask('tools/call', { name: 'pay', arguments: {} });
}

async function v1(dialect: string, work: () => unknown): Promise<Message | undefined> {
  const server = guardV1(new McpServerV1({ name: 's', version: '1' }), { dialect });
  server.registerTool('pay', {}, work as never);
  return askV1(server, 'tools/call', { name: 'pay', arguments: {} });
}

// biome-ignore format: a table
const TOLD: { readonly [dialect: string]: object } = {
  mayday: { result: { isError: true, _meta: { 'dev.mayday/fault': { kind: 'not_found', executed: 'maybe' } } } },
  mcp: { result: { isError: true } },
  closient: { result: { isError: true, error: { code: -32200 } } },
  onx: { result: { isError: true, error: { code: 4001, retryable: false } } },
  erlmcp: { error: { code: -32031, message: 'Tool execution failed', data: { tool: 'pay' } } },
  qaqnuz: { result: { isError: true, content: [{ type: 'text', text: expect.not.stringContaining('available for your key') }] } },
  platica: { result: { isError: true } },
};

describe.each(WAYS)('%s', (_way, work) => {
  it.each(Object.entries(TOLD))('in %s', async (dialect, told) => {
    expect(await v2(dialect, work)).toMatchObject(told);
  });

  it.each(['mayday', 'onx', 'qaqnuz', 'platica'])('in %s, on SDK v1', async (dialect) => {
    expect(await v1(dialect, work)).toMatchObject(TOLD[dialect] as object);
  });
});
