/** One server of the official SDK v1 with something of everything, over any transport; as a program, over standard input and output. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  type CallToolResult,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';

/** What the server was asked to do and did. */
export interface Seen {
  readonly calls: string[];
  readonly cancelled: string[];
}

/** Makes one; what it is asked is noted. */
export function makeV1Server(seen: Seen = { calls: [], cancelled: [] }): McpServer {
  const server = new McpServer(
    { name: 'eras', version: '1' },
    {
      capabilities: {
        logging: {},
        resources: { subscribe: true },
        tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
      },
      taskStore: new InMemoryTaskStore(),
    },
  );
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
  server.registerTool('echo', { inputSchema: { say: z.string() } }, ({ say }) => {
    seen.calls.push(`echo ${say}`);
    return text(say);
  });
  server.experimental.tasks.registerToolTask(
    'task',
    { execution: { taskSupport: 'required' } },
    {
      async createTask({ taskStore }) {
        const task = await taskStore.createTask({ ttl: 60_000, pollInterval: 50 });
        void setTimeout(100).then(() =>
          taskStore.storeTaskResult(task.taskId, 'completed', text('task done')),
        );
        return { task };
      },
      getTask: ({ taskStore, taskId }) => taskStore.getTask(taskId),
      getTaskResult: ({ taskStore, taskId }) => taskStore.getTaskResult(taskId) as Promise<CallToolResult>,
    },
  );
  server.registerTool('fails', {}, () => {
    throw new Error('disk full');
  });
  server.registerTool('progress', {}, async ({ _meta, sendNotification }) => {
    seen.calls.push('progress');
    const progressToken = _meta?.progressToken;
    if (progressToken !== undefined)
      for (const progress of [1, 2])
        await sendNotification({ method: 'notifications/progress', params: { progressToken, progress } });
    await setTimeout(300); // the SDK's client forgets progress that comes together with the answer
    return text('done');
  });
  server.registerTool('log', {}, async ({ sendNotification }) => {
    await sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'logged' } });
    return text('done');
  });
  server.registerTool('sample', {}, async () => {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'hi' } }];
    const { content } = await server.server.createMessage({ messages, maxTokens: 5 });
    return text(JSON.stringify(content));
  });
  server.registerTool('elicit', {}, async () => {
    const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
    const { content } = await server.server.elicitInput({ message: 'Who?', requestedSchema });
    return text(JSON.stringify(content));
  });
  server.registerTool('slow', {}, async ({ signal }) => {
    seen.calls.push('slow');
    await setTimeout(60_000, undefined, { signal }).catch(() => seen.cancelled.push('slow'));
    return text('done');
  });
  server.registerTool('grow', {}, () => {
    server.registerTool(`grown-${randomUUID().slice(0, 8)}`, {}, () => text('new'));
    return text('grown');
  });
  server.registerTool('touch', {}, async () => {
    await server.server.sendResourceUpdated({ uri: 'note://1' });
    return text('touched');
  });
  server.registerResource('note', 'note://1', {}, () => ({ contents: [{ uri: 'note://1', text: 'one' }] }));
  server.registerResource(
    'notes',
    new ResourceTemplate('notes://{n}', { list: undefined }),
    {},
    ({ href }) => ({
      contents: [{ uri: href, text: 'many' }],
    }),
  );
  server.registerPrompt('greet', {}, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
  }));
  server.server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
  return server;
}

/** A server over the transport of 2024-11-05 that runs. */
export interface SseServer {
  readonly url: string;
  readonly seen: Seen;
  /** All requests, as `GET /sse`, with their headers. */
  readonly requests: { readonly line: string; readonly headers: IncomingMessage['headers'] }[];
  /** Ends the streams that stand. */
  cut(): void;
  stop(): Promise<void>;
}

/** Serves over the transport of 2024-11-05, and over nothing else. */
export async function serveSse(): Promise<SseServer> {
  const seen: Seen = { calls: [], cancelled: [] };
  const requests: SseServer['requests'] = [];
  const open = new Map<string, SSEServerTransport>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    requests.push({ line: `${request.method} ${url.pathname}`, headers: request.headers });
    if (request.method === 'GET' && url.pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      open.set(transport.sessionId, transport);
      response.on('close', () => open.delete(transport.sessionId));
      void makeV1Server(seen).connect(transport);
      return;
    }
    const found = open.get(url.searchParams.get('sessionId') ?? '');
    if (request.method !== 'POST' || url.pathname !== '/messages') response.writeHead(404).end();
    else if (found === undefined) response.writeHead(404).end('Session not found');
    else void found.handlePostMessage(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/sse`,
    seen,
    requests,
    cut() {
      for (const transport of open.values()) void transport.close();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

if (process.argv[1] === import.meta.filename) await makeV1Server().connect(new StdioServerTransport());
