/** What a server's tool returns as a failure stays a result, whatever its words resemble. */
import { afterEach, describe, expect, it } from 'vitest';
import { callTool, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const LIKE_THE_PROTOCOLS: readonly string[] = [
  'Task 7 not found',
  'Session abc not found',
  'Prompt x not found',
  'Unknown tool: hammer',
  'Invalid request: amount missing',
  'Parse error on line 3',
  'Method not found',
  'Unsupported protocol version',
];

async function serving(text: string) {
  const content = [
    { type: 'text', text },
    { type: 'text', text: 'second block' },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
  ];
  const result = { isError: true, content, structuredContent: { done: ['pay_991'] } };
  const server = await upstream((body, response) =>
    json(response, 200, { jsonrpc: '2.0', id: JSON.parse(body).id, result }),
  );
  const gateway = await open({ upstreams: { a: { url: server.url, retry: { attempts: 1 } } } });
  return (dialect: string, path: string, tool: string) =>
    post(gateway.url + path, callTool(tool), { 'mayday-dialect': dialect });
}

describe.each([
  ['/a/mcp', 'book'],
  ['/mcp', 'a_book'],
])('a failing result at %s', (path, tool) => {
  it.each(LIKE_THE_PROTOCOLS)('stays one, with all of it: %s', async (text) => {
    const ask = await serving(text);
    for (const dialect of ['mayday', 'mcp', 'tool-failure']) {
      const { message, status } = await ask(dialect, path, tool);
      expect([status, message.error]).toEqual([200, undefined]);
      expect(message.result).toMatchObject({ isError: true, structuredContent: { done: ['pay_991'] } });
      const blocks = (message.result?.['content'] ?? []) as { text?: string; data?: string }[];
      expect(blocks[0]?.text?.startsWith(text)).toBe(true);
      expect(blocks.map((block) => block.text ?? block.data).join('\n')).toMatch(/second block[\s\S]*aGk=/);
    }
  });
});
