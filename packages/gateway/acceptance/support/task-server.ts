/**
 * A real server with tasks, of SDK v1, over standard streams: `task-server.ts FOLDER`; with a port behind it, over
 * streamable HTTP with sessions, each of which knows its own tasks alone. What happens in it is in the file
 * `ledger` of the folder, and its work waits there for a file: nothing in it goes by the clock.
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const [, , folder = '.', port] = process.argv;

/** What a call asks for. */
interface Wish {
  /** Under which name it stands in the ledger; its work is done once the file `NAME.go` is there. */
  readonly name: string;
  readonly asks?: 'elicitation' | 'sampling';
  /** How often it tells how far it is: to who waits for its result, or outright once the file `NAME.tell` is there. */
  readonly steps?: number;
  readonly outright?: boolean;
  /** It fails with these words. */
  readonly fails?: string;
}

const info = { name: 'task-server', version: '1' };
const tools = ['work', 'pay', 'hold'].map((name) => ({
  name,
  inputSchema: { type: 'object' as const },
  execution: { taskSupport: 'optional' as const },
}));
const options = {
  capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  taskStore: new InMemoryTaskStore(),
  taskMessageQueue: new InMemoryTaskMessageQueue(),
};

const note = (what: string): void => appendFileSync(join(folder, 'ledger'), `${what}\n`);
const text = (said: string, isError = false): object => ({
  content: [{ type: 'text', text: said }],
  isError,
});

// biome-ignore lint/suspicious/noExplicitAny: what the SDK hands to a handler
type Extra = any;

function made(): Server {
  const server = new Server(info, options);
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra: Extra) => {
    const wish = params.arguments as unknown as Wish;
    note(`begun ${wish.name}`);
    if (params.task === undefined) {
      await goes(wish.name);
      return text(wish.fails ?? `${wish.name}: done`, wish.fails !== undefined);
    }
    const task = await extra.taskStore.createTask({ ttl: params.task.ttl ?? 600_000, pollInterval: 50 });
    work(server, wish, task.taskId, extra).catch((error: Error) =>
      note(`lost ${wish.name} ${error.message}`),
    );
    return { task };
  });
  return server;
}

async function work(server: Server, wish: Wish, taskId: string, extra: Extra): Promise<void> {
  const said = wish.asks === undefined ? 'done' : await asked(wish, taskId, extra);
  if (wish.outright === true) await goes(wish.name, undefined, 'tell');
  for (let progress = 1; progress <= (wish.steps ?? 0); progress++) {
    const params = { progressToken: extra._meta?.progressToken, progress, total: wish.steps };
    const related = wish.outright === true ? {} : { relatedTask: { taskId } };
    await server.notification({ method: 'notifications/progress', params }, related);
  }
  const ended = async (): Promise<boolean> => (await extra.taskStore.getTask(taskId)).status === 'cancelled';
  if (!(await goes(wish.name, ended))) return note(`cancelled ${wish.name}`);
  const failed = wish.fails !== undefined;
  const result = text(wish.fails ?? `${wish.name}: ${said}`, failed);
  await extra.taskStore.storeTaskResult(taskId, failed ? 'failed' : 'completed', result);
  note(`done ${wish.name}`);
}

async function asked({ name, asks }: Wish, taskId: string, extra: Extra): Promise<string> {
  const related = { relatedTask: { taskId } };
  await extra.taskStore.updateTaskStatus(taskId, 'input_required');
  note(`asks ${name}`);
  let said: string;
  if (asks === 'elicitation') {
    const requestedSchema = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] };
    const params = { mode: 'form', message: `A word for ${name}?`, requestedSchema };
    const { action, content } = await extra.sendRequest(
      { method: 'elicitation/create', params },
      ElicitResultSchema,
      related,
    );
    said = `${action} ${content?.word}`;
  } else {
    const params = {
      messages: [{ role: 'user', content: { type: 'text', text: `A line for ${name}?` } }],
      maxTokens: 9,
    };
    const request = { method: 'sampling/createMessage', params };
    said = (await extra.sendRequest(request, CreateMessageResultSchema, related)).content.text;
  }
  note(`heard ${name} ${said}`);
  await extra.taskStore.updateTaskStatus(taskId, 'working');
  return said;
}

/** Waits until its file is there, or the work is to be left. */
async function goes(name: string, left = async () => false, what = 'go'): Promise<boolean> {
  while (!existsSync(join(folder, `${name}.${what}`))) {
    if (await left()) return false;
    await sleep(15);
  }
  return true;
}

if (port === undefined) await made().connect(new StdioServerTransport());
else {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const opened = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await made().connect(transport as Transport);
    return transport;
  };
  createServer(async (incoming, outgoing) => {
    const id = incoming.headers['mcp-session-id'];
    const transport = id === undefined ? await opened() : sessions.get(String(id));
    if (transport === undefined) return void outgoing.writeHead(404).end();
    await transport.handleRequest(incoming, outgoing);
  }).listen(Number(port), '127.0.0.1');
}
