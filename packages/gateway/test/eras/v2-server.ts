/** One server of the official SDK v2 with something of everything: for both eras, or for the stateless one alone. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  inputRequired,
  type McpHttpHandler,
  McpServer,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import type { Seen } from './v1-server.ts';

/** Tells whoever listens. */
interface Notify {
  toolsChanged(): unknown;
  resourceUpdated(uri: string): unknown;
}

function makeV2Server(seen: Seen, notify: () => Notify | undefined): McpServer {
  const server = new McpServer(
    { name: 'eras', version: '2' },
    {
      capabilities: {
        logging: {},
        resources: { subscribe: true, listChanged: true },
        tools: { listChanged: true },
      },
    },
  );
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
  const none = z.object({});
  server.registerTool('echo', { inputSchema: z.object({ say: z.string() }) }, ({ say }) => {
    seen.calls.push(`echo ${say}`);
    return text(say);
  });
  server.registerTool('fails', { inputSchema: none }, () => {
    throw new Error('disk full');
  });
  server.registerTool('progress', { inputSchema: none }, async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken !== undefined)
      for (const progress of [1, 2])
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress } });
    await setTimeout(300);
    return text('done');
  });
  server.registerTool('log', { inputSchema: none }, async (_args, { mcpReq }) => {
    await mcpReq.log('info', 'logged');
    return text('done');
  });
  server.registerTool('elicit', { inputSchema: none }, (_args, { mcpReq }) => {
    const answers = mcpReq.inputResponses as { who?: { content?: unknown } } | undefined;
    if (answers?.who !== undefined) return text(JSON.stringify(answers.who.content));
    const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
    const who = inputRequired.elicit({ message: 'Who?', requestedSchema });
    return inputRequired({ requestState: 'st', inputRequests: { who } });
  });
  server.registerTool('sample', { inputSchema: none }, (_args, { mcpReq }) => {
    const answers = mcpReq.inputResponses as { said?: { content?: unknown } } | undefined;
    if (answers?.said !== undefined) return text(JSON.stringify(answers.said.content));
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'hi' } }];
    return inputRequired({
      inputRequests: { said: inputRequired.createMessage({ messages, maxTokens: 5 }) },
    });
  });
  server.registerTool('slow', { inputSchema: none }, async (_args, { mcpReq }) => {
    seen.calls.push('slow');
    await setTimeout(60_000, undefined, { signal: mcpReq.signal }).catch(() => seen.cancelled.push('slow'));
    return text('done');
  });
  server.registerTool('grow', { inputSchema: none }, () => {
    notify()?.toolsChanged();
    return text('grown');
  });
  server.registerTool('touch', { inputSchema: none }, () => {
    notify()?.resourceUpdated('note://1');
    return text('touched');
  });
  server.registerResource('note', 'note://1', {}, () => ({ contents: [{ uri: 'note://1', text: 'one' }] }));
  server.registerPrompt('greet', {}, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
  }));
  return server;
}

/** A server over streamable HTTP that runs. */
export interface V2Server {
  readonly url: string;
  readonly seen: Seen;
  stop(): Promise<void>;
}

/** Serves it; `legacy: 'reject'` for the stateless era alone. */
export async function serveV2(legacy: 'stateless' | 'reject'): Promise<V2Server> {
  const seen: Seen = { calls: [], cancelled: [] };
  const handler: McpHttpHandler = createMcpHandler(() => makeV2Server(seen, () => handler.notify), {
    legacy,
  });
  const node = toNodeHandler(handler);
  const server = createServer(
    (request, response) => void node(request as Parameters<typeof node>[0], response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The stateless era alone, over standard input and output. */
function asProcess(): McpServer {
  const server = makeV2Server({ calls: [], cancelled: [] }, () => ({
    toolsChanged: () => server.sendToolListChanged(),
    resourceUpdated: (uri) => server.server.sendResourceUpdated({ uri }),
  }));
  return server;
}

if (process.argv[1] === import.meta.filename) serveStdio(asProcess, { legacy: 'reject' });
