/** How much a message may carry is what the document says, whatever the SDK's own limit is. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guard } from '@mayday/server';
import { guardHandler, nodeHandler } from '@mayday/server/http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

const options = { dialect: 'erlmcp' } as const;

async function endpoint(): Promise<string> {
  const make = (): McpServer => {
    const server = guard(new McpServer({ name: 's', version: '1' }), options);
    const inputSchema = z.object({ text: z.string() });
    server.registerTool('measure', { inputSchema }, async ({ text }) => ({
      content: [{ type: 'text', text: String(text.length) }],
    }));
    return server;
  };
  const server = createServer(nodeHandler(guardHandler(createMcpHandler(make), options), options));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** A call of exactly this many bytes. */
function callOf(bytes: number): string {
  const head =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"measure","arguments":{"text":"';
  const tail = '"}}}';
  return head + 'x'.repeat(bytes - head.length - tail.length) + tail;
}

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const post = (url: string, body: string): Promise<Response> => fetch(url, { method: 'POST', headers, body });

it('ER-35 ER-76 erlmcp takes 16 MiB over HTTP, and says how much that is', async () => {
  const url = await endpoint();
  expect(await (await post(url, callOf(5_000_000))).text()).toContain('"text":"4999902"');
  expect((await post(url, callOf(16_777_216))).status).toBe(200);
  const refused = await post(url, callOf(16_777_217));
  expect(refused.status).toBe(413);
  expect(await refused.json()).toMatchObject({ error: { code: -32012, data: { max_size: 16_777_216 } } });
});

it('ER-19 what is large and no JSON is told so', async () => {
  const refused = await post(await endpoint(), callOf(5_000_000).slice(0, -1));
  expect(await refused.json()).toMatchObject({ id: null, error: { code: -32700 } });
});
