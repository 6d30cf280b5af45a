/** The failing server on SDK v1, guarded or not. */
import { fault } from '@mayday/core';
import { type GuardOptions, guard } from '@mayday/server/v1';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Message } from '../src/shapes.ts';
import { FAILURES } from './fixture.ts';
import { HANG_MS } from './wire.ts';

/** The server under test. */
export function failingV1(options?: GuardOptions | false): McpServer {
  const plain = new McpServer({ name: 'failing', version: '1.0.0' });
  const server = options === false ? plain : guard(plain, options);
  const failures = { ...FAILURES, protocol: throwMcpError };
  for (const [how, fail] of Object.entries(failures)) {
    server.tool(how, fail as never);
    server.registerTool(`registered-${how}`, {}, fail as never);
    server.resource(how, `fails://${how}`, fail as never);
    server.prompt(how, fail as never);
  }
  server.registerTool(
    'args',
    { inputSchema: { city: z.string(), days: z.number().min(1) } },
    async ({ city }) => ({
      content: [{ type: 'text', text: city }],
    }),
  );
  server.registerTool(
    'typed',
    { inputSchema: { how: z.string() }, outputSchema: { n: z.number() } },
    (async () => {
      throw fault.conflict('The order is already shipped');
    }) as never,
  );
  return server;
}

function throwMcpError(): never {
  throw new McpError(1429, 'Monthly plan limit reached', { retryAfterMs: 1500 });
}

/** Sends one request over an in-memory connection; `undefined` when no answer comes. */
export async function askV1(
  server: McpServer,
  method: string,
  params: object = {},
): Promise<Message | undefined> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const answer = new Promise<Message>((resolve) => {
    near.onmessage = (message) => resolve(message as Message);
  });
  await near.start();
  await near.send({ jsonrpc: '2.0', id: 1, method, params } as never);
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), HANG_MS);
  });
  const first = await Promise.race([answer, hang]);
  clearTimeout(timer);
  await server.close();
  return first;
}
