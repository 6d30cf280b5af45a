/** An error result of very many blocks, or very much text, does not stop the server. */
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { guard as guardV1 } from '../src/v1.ts';
import { connectRaw } from './wire.ts';

type Block = { readonly type: 'text'; readonly text: string };
type Work = (args: never) => Promise<{ isError: boolean; content: Block[] }>;

const servers = {
  v2: (work: Work) => {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('t', {}, work as never);
    return server;
  },
  v1: (work: Work) => {
    const server = guardV1(new McpServerV1({ name: 's', version: '1' }));
    server.registerTool('t', {}, work as never);
    return server;
  },
};

describe.each(['v2', 'v1'] as const)('on %s, an error result', (sdk) => {
  const answer = async (blocks: number, text: (at: number) => string, isError = true): Promise<Block[]> => {
    const content = Array.from({ length: blocks }, (_, at) => ({ type: 'text' as const, text: text(at) }));
    const client = await connectRaw(servers[sdk](async () => ({ isError, content })) as never);
    const { result } = await client.ask('tools/call', { name: 't', arguments: {} });
    return result?.['content'] as Block[];
  };
  const dsn = (at: number): string => `part ${at} at postgres://svc:hunter2Zq9@10.0.0.5/x`;

  it('of very many blocks has as many as anybody reads, without secrets, and says how many more', async () => {
    const content = await answer(200_000, dsn);
    expect(content.length).toBeLessThanOrEqual(1002);
    expect(content[999]?.text).toContain('part 999 at postgres://');
    expect(content[1000]?.text).toBe('… [199,000 more blocks]');
    expect(JSON.stringify(content)).not.toContain('hunter2');
  });

  it('of very much text has as much as anybody reads', async () => {
    const content = await answer(50, () => 'abc '.repeat(25_000));
    expect(content.slice(0, 11).map(({ text }) => text.length)).toEqual([...Array(10).fill(100_000), 18]);
    expect(content[10]?.text).toBe('… [40 more blocks]');
  });

  it('of a thousand blocks is whole, and so is whatever is a success', async () => {
    expect((await answer(1000, String)).filter(({ text }) => text.includes('more blocks'))).toEqual([]);
    expect(await answer(1500, String, false)).toHaveLength(1500);
  });
});
