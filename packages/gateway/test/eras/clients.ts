/** The official clients, each as one that a table of what works can be made with. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

/** A client that is connected, and what it was told. */
export interface Tried {
  readonly told: string[];
  call(
    name: string,
    args?: { [name: string]: unknown },
    options?: { signal?: AbortSignal; onprogress?: (step: { progress: number }) => void },
  ): Promise<{ content?: unknown; isError?: boolean }>;
  readonly resource: () => Promise<unknown>;
  readonly prompt: () => Promise<unknown>;
  /** A call that is a task of 2025-11-25; absent where the client knows none. */
  readonly task?: () => Promise<unknown>;
  readonly log: () => Promise<unknown>;
  readonly subscribe: () => Promise<unknown>;
  readonly listen: () => Promise<unknown>;
  close(): Promise<void>;
}

const INFO = { name: 'eras', version: '1' };
const CAPABLE = { capabilities: { sampling: {}, elicitation: {} } };
const ELICITED = { action: 'accept' as const, content: { name: 'ann' } };
const SAMPLED = {
  model: 'm',
  role: 'assistant' as const,
  content: { type: 'text' as const, text: 'sampled' },
};

async function v1(url: string, over: 'http' | 'sse'): Promise<Tried> {
  const client = new ClientV1(INFO, CAPABLE);
  const told: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, () => ELICITED);
  client.setRequestHandler(CreateMessageRequestSchema, () => SAMPLED);
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }) => void told.push(`${params.data}`),
  );
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void told.push('changed'));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, () => void told.push('updated'));
  const where = new URL(over === 'http' ? url : url.replace(/mcp$/, 'sse'));
  await client.connect((over === 'http' ? new HttpV1(where) : new SSEClientTransport(where)) as Transport);
  return {
    told,
    call: (name, args = {}, options = {}) =>
      client.callTool({ name, arguments: args }, undefined, options) as ReturnType<Tried['call']>,
    resource: () => client.readResource({ uri: 'note://1' }),
    prompt: () => client.getPrompt({ name: 'greet' }),
    task: async () => {
      let last: unknown;
      const calling = client.experimental.tasks.callToolStream({ name: 'task', arguments: {} }, undefined, {
        task: { ttl: 60_000 },
      });
      for await (const said of calling) last = said;
      return last;
    },
    log: async () => {
      await client.setLoggingLevel('debug');
      await client.callTool({ name: 'log', arguments: {} });
    },
    subscribe: () => client.subscribeResource({ uri: 'note://1' }),
    listen: async () => undefined,
    close: () => client.close(),
  };
}

async function v2(url: string, mode: 'legacy' | 'auto' | { pin: '2026-07-28' }): Promise<Tried> {
  const client = new ClientV2(INFO, { ...CAPABLE, versionNegotiation: { mode } });
  const told: string[] = [];
  client.setRequestHandler('elicitation/create', () => ELICITED);
  client.setRequestHandler('sampling/createMessage', () => SAMPLED);
  client.setNotificationHandler('notifications/message', ({ params }) => void told.push(`${params.data}`));
  client.setNotificationHandler('notifications/tools/list_changed', () => void told.push('changed'));
  client.setNotificationHandler('notifications/resources/updated', () => void told.push('updated'));
  await client.connect(new HttpV2(new URL(url)));
  const isModern = client.getNegotiatedProtocolVersion() === '2026-07-28';
  return {
    told,
    call: (name, args = {}, options = {}) =>
      client.callTool({ name, arguments: args }, options) as ReturnType<Tried['call']>,
    resource: () => client.readResource({ uri: 'note://1' }),
    prompt: () => client.getPrompt({ name: 'greet' }),
    log: async () => {
      const _meta = isModern ? { 'io.modelcontextprotocol/logLevel': 'debug' } : {};
      if (!isModern) await client.setLoggingLevel('debug');
      await client.callTool({ name: 'log', arguments: {}, _meta } as Parameters<typeof client.callTool>[0]);
    },
    subscribe: () =>
      isModern
        ? client.listen({ resourceSubscriptions: ['note://1'] } as Parameters<typeof client.listen>[0])
        : client.subscribeResource({ uri: 'note://1' }),
    listen: async () => (isModern ? client.listen({ toolsListChanged: true }) : undefined),
    close: () => client.close(),
  };
}

/** All of them, by name. */
export const CLIENTS: { readonly [name: string]: (url: string) => Promise<Tried> } = {
  v1: (url) => v1(url, 'http'),
  'v1, SSE': (url) => v1(url, 'sse'),
  'v2, 2025': (url) => v2(url, 'legacy'),
  'v2, both': (url) => v2(url, 'auto'),
  'v2, 2026': (url) => v2(url, { pin: '2026-07-28' }),
};
