/** What a tool returns as a failure is a tool's result, whatever its words resemble. */
import { FAULT_KEY } from '@mayday/core/protocol';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { type GuardOptions, guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { guard as guardV1 } from '../src/v1.ts';
import { askV1 } from './v1-fixture.ts';
import { connectRaw } from './wire.ts';

const LIKE_THE_PROTOCOLS: readonly string[] = [
  'Task 7 not found',
  'Task 7 not found. Call list_tasks to see the tasks.',
  'The job task 7 does not exist',
  'Browser session abc not found, start one with open_browser',
  'Prompt greeting not found',
  'Tool hammer not found in the shed',
  'Tool t not found',
  'Unknown tool: hammer',
  'Unknown resource: file:///a',
  'Invalid request: amount missing',
  'Parse error on line 3',
  'Method not found',
  'Unsupported protocol version',
  'Invalid cursor',
  'MCP error -32602: Invalid params',
  'Input validation error: Invalid arguments for tool t',
];

const DIALECTS = ['mayday', 'mcp', 'mcp@2025-11-25', 'mcp@draft', 'tool-failure', 'problem'] as const;

function returning(text: string) {
  return {
    isError: true,
    content: [
      { type: 'text' as const, text },
      { type: 'text' as const, text: 'second block' },
      { type: 'image' as const, data: 'aGk=', mimeType: 'image/png' },
    ],
    structuredContent: { done: ['pay_991'] },
  };
}

async function v2(text: string, options: GuardOptions): Promise<Message> {
  const server = guard(new McpServer({ name: 's', version: '1' }), options);
  server.registerTool('t', {}, async () => returning(text));
  return (await connectRaw(server)).ask('tools/call', { name: 't', arguments: {} });
}

async function v1(text: string, options: GuardOptions): Promise<Message | undefined> {
  const server = guardV1(new McpServerV1({ name: 's', version: '1' }), options);
  server.registerTool('t', {}, async () => returning(text));
  return askV1(server, 'tools/call', { name: 't', arguments: {} });
}

describe.each([
  ['v1', v1],
  ['v2', v2],
] as const)('a returned failure (%s)', (_sdk, ask) => {
  it.each(DIALECTS.flatMap((dialect) => LIKE_THE_PROTOCOLS.map((text) => [dialect, text] as const)))(
    'stays a whole result (%s): %s',
    async (dialect, text) => {
      const answer = await ask(text, { dialect });
      expect(answer?.error).toBeUndefined();
      expect(answer?.result).toMatchObject({
        isError: true,
        structuredContent: { done: ['pay_991'] },
        content: expect.arrayContaining(returning(text).content),
      });
    },
  );

  it('has its advice in a block of its own', async () => {
    const answer = await ask('Task 7 not found', {});
    expect(answer?.result?.['content']).toEqual([
      ...returning('Task 7 not found').content,
      { type: 'text', text: 'Check the identifier; do not repeat the same call.' },
    ]);
    expect(answer?.result?.['_meta']).toMatchObject({
      [FAULT_KEY]: { kind: 'not_found', executed: 'maybe' },
    });
  });
});

describe('what the SDK says before any handler began', () => {
  it('is the protocol error that the specification wants', async () => {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('t', {}, async () => returning('no'));
    const answer = await (await connectRaw(server)).ask('tools/call', { name: 'hammer', arguments: {} });
    expect(answer.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool: hammer'),
    });
  });
});
