/** A gateway with two workers as users run it, a server whose tasks ask something, and clients that are with a worker. */
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { call, JSON_TYPES, until } from '../tools.ts';

/**
 * Counts its tasks. `ask` of a task is a method that it asks its client with while somebody waits for its result; what
 * is answered is the result; of one that `fails` there is none. Whoever waits and wants to hear of progress does. Two tasks are on a page.
 */
const SERVER = `const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const tasks = new Map();
const questions = new Map();
const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
const related = (taskId) => ({ 'io.modelcontextprotocol/related-task': { taskId } });
const done = (task) => { for (const id of task.waiting.splice(0)) say({ id, result: { content: [{ type: 'text', text: task.said }], _meta: related(task.shown.taskId) } }); };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) {
    const task = questions.get(id);
    task.said = (task.said ?? '') + JSON.stringify(result ?? error);
    return done(task);
  }
  if (id === undefined) return;
  const answer = (result) => say({ id, result });
  if (method === 'initialize') return answer({ protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } });
  if (method === 'tools/list') return answer({ tools: ['job', 'parent'].map((name) => ({ name, inputSchema: { type: 'object' } })) });
  if (method === 'tools/call' && params.name === 'parent') return answer({ content: [{ type: 'text', text: String(process.ppid) }] });
  if (method === 'tools/call') {
    const shown = { taskId: 'task-' + (tasks.size + 1), status: 'working', statusMessage: params.arguments.who, createdAt: 'x', lastUpdatedAt: 'x', ttl: null };
    tasks.set(shown.taskId, { shown, ask: params.arguments.ask, fails: params.arguments.fails, waiting: [], said: params.arguments.ask ? undefined : 'done' });
    return answer({ task: shown });
  }
  if (method === 'tasks/list') {
    const from = Number(params?.cursor ?? 0);
    const shown = [...tasks.values()].map((task) => task.shown);
    return answer({ tasks: shown.slice(from, from + 2), ...(shown.length > from + 2 ? { nextCursor: String(from + 2) } : {}) });
  }
  const task = tasks.get(params?.taskId);
  if (task === undefined) return say({ id, error: { code: -32602, message: 'Task not found' } });
  if (method !== 'tasks/result') return answer(method === 'tasks/cancel' ? Object.assign(task.shown, { status: 'cancelled' }) : task.shown);
  const progressToken = params._meta?.progressToken;
  if (progressToken !== undefined) say({ method: 'notifications/progress', params: { progressToken, progress: 7 } });
  if (task.fails) return say({ id, error: { code: -32001, message: 'Disk full on volume 7' } });
  task.waiting.push(id);
  if (task.said !== undefined) return done(task);
  if (questions.has(task.question)) return;
  task.question = 'q' + questions.size;
  questions.set(task.question, task);
  const asked = { 'elicitation/create': { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } }, 'sampling/createMessage': { messages: [], maxTokens: 5 }, 'roots/list': {} };
  say({ id: task.question, method: task.ask, params: { ...asked[task.ask], _meta: related(task.shown.taskId) } });
});`;

/** The server, as settings have it. */
export const ASKING = { command: process.execPath, args: ['-e', SERVER] };

/** Somebody's key. */
export const keyOf = (name: string): string => `${name}-key-0123456789`;
/** What somebody sends who has a key. */
export const as = (name: string): Headers => ({ authorization: `Bearer ${keyOf(name)}` });

/** Headers of a request. */
export type Headers = { readonly [name: string]: string };

/** A message of the gateway's. */
interface Said {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly requestId?: unknown; readonly progress?: unknown };
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by its literal paths
  readonly result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly error?: any;
}

/** An answer whose messages come one by one. */
interface Coming {
  readonly status: Promise<number>;
  /** All that has come so far. */
  readonly said: readonly Said[];
  /** The message with this method, once it has come; without a method, the answer. */
  next(method?: string): Promise<Said>;
  /** Goes away. */
  cut(): void;
}

/** A client in a session, over one connection that its worker has taken; further ones go wherever they go. */
export class Client {
  readonly url: string;
  readonly headers: Headers;
  readonly #agent: Agent;

  constructor(url: string, headers: Headers, agent: Agent = new Agent({ keepAlive: true, maxSockets: 1 })) {
    this.url = url;
    this.headers = headers;
    this.#agent = agent;
  }

  /** The worker that its session is with. */
  get worker(): string {
    return this.headers['mcp-session-id']?.slice(-2) ?? '';
  }

  /** Opens a session. */
  static async open(url: string, headers: Headers, capabilities: object = ALL): Promise<Client> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const clientInfo = { name: 'c', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
    const { answer, body } = await exchanged(url, headers, agent, call('initialize', params));
    const id = String(answer.headers['mcp-session-id']);
    if (answer.statusCode !== 200) throw new Error(body);
    const client = new Client(url, { ...headers, 'mcp-session-id': id }, agent);
    await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return client;
  }

  /** The same client, as it sends its requests from now on. */
  sending(headers: Headers): Client {
    return new Client(this.url, { ...this.headers, ...headers }, this.#agent);
  }

  /** Sends a message, and gives the last that comes back for it. */
  async send(message: object): Promise<Said & { readonly status: number }> {
    const { answer, body } = await exchanged(this.url, this.headers, this.#agent, message);
    const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true;
    const last = isStream
      ? body
          .match(/^data: (\{.*)$/gm)
          ?.at(-1)
          ?.slice(6)
      : body;
    return { ...(JSON.parse(last || '{}') as Said), status: answer.statusCode ?? 0 };
  }

  ask(method: string, params: object = {}): ReturnType<Client['send']> {
    return this.send(call(method, params));
  }

  /** Begins a task, and gives its id. */
  async begin(args: object = {}): Promise<string> {
    const name = this.url.endsWith('/p/mcp') ? 'job' : 'p_job';
    const { result, error } = await this.ask('tools/call', { name, arguments: args, task: {} });
    if (result === undefined) throw new Error(JSON.stringify(error));
    return result.task.taskId;
  }

  /** The process of its worker. */
  async pid(): Promise<number> {
    const name = this.url.endsWith('/p/mcp') ? 'parent' : 'p_parent';
    const { result } = await this.ask('tools/call', { name, arguments: {} });
    return Number(result.content[0].text);
  }

  /** Waits for the result of a task, over a connection of its own. */
  wait(taskId: string, more: object = {}, id: number | string = 1): Coming {
    const said: Said[] = [];
    const sent = posted(this.url, this.headers, undefined, call('tasks/result', { taskId, ...more }, id));
    sent.on('error', () => {}); // it was cut
    const status = new Promise<number>((resolve) => {
      sent.on('response', (answer: IncomingMessage) => {
        resolve(answer.statusCode ?? 0);
        hear(answer, said);
      });
    });
    return {
      status,
      said,
      cut: () => sent.destroy(),
      async next(method) {
        await until(() => said.some((one) => one.method === method));
        return said.find((one) => one.method === method) ?? {};
      },
    };
  }

  /** Answers a question. */
  answer({ id }: Said, result: object): ReturnType<Client['send']> {
    return this.send({ jsonrpc: '2.0', id, result });
  }

  async end(): Promise<void> {
    await fetch(this.url, { method: 'DELETE', headers: this.headers });
    this.#agent.destroy();
  }
}

/** Everything that a client can be asked. */
const ALL = { elicitation: {}, sampling: {}, roots: {} };

/** A session of somebody's at each worker, `w1` first. */
export async function both(
  url: string,
  headers: Headers,
  capabilities?: object,
): Promise<readonly [Client, Client]> {
  const found = new Map<string, Client>();
  await until(async () => {
    // At once, as they go to one worker after the other.
    const opened = await Promise.all([1, 2, 3].map(() => Client.open(url, headers, capabilities)));
    for (const client of opened) {
      if (found.has(client.worker)) await client.end();
      else found.set(client.worker, client);
    }
    return found.size === 2;
  });
  return [found.get('w1') as Client, found.get('w2') as Client];
}

function posted(url: string, headers: Headers, agent: Agent | undefined, message: object): ClientRequest {
  const sent = request(url, {
    method: 'POST',
    headers: { ...JSON_TYPES, ...headers },
    agent: agent ?? false,
  });
  sent.end(JSON.stringify(message));
  return sent;
}

async function exchanged(url: string, headers: Headers, agent: Agent, message: object) {
  const sent = posted(url, headers, agent, message);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve);
    sent.on('error', reject);
  });
  let body = '';
  for await (const chunk of answer.setEncoding('utf8')) body += chunk;
  return { answer, body };
}

function hear(answer: IncomingMessage, said: Said[]): void {
  let text = '';
  const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true;
  answer.setEncoding('utf8').on('error', () => {});
  answer.on('data', (chunk: string) => {
    text += chunk;
    const events = text.split('\n\n');
    if (!isStream) return;
    text = events.pop() ?? '';
    for (const event of events)
      for (const line of event.split('\n'))
        if (line.startsWith('data: {')) said.push(JSON.parse(line.slice(6)));
  });
  answer.on('end', () => {
    if (!isStream) said.push(JSON.parse(text));
  });
}
