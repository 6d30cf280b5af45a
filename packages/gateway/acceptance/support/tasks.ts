/** Tasks behind workers: a gateway of several, a real server that has tasks, and official clients at the worker one wants. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { freePort } from '../../../../scripts/free-port.ts';
import { COMPILE_CACHE } from '../../../../test/compile-cache.ts';
import { freshClient } from './fresh-clients.ts';
import { type Gateway, scratch, startGateway } from './gateway.ts';
import { at } from './house.ts';
import { type Answer, type Message, post, type SendOptions, send } from './http.ts';
import { ask, initialize } from './messages.ts';

const SERVER = fileURLToPath(new URL('./task-server.ts', import.meta.url));

export const ANN = 'ann-key-0123456789abcdef';
export const BOB = 'bob-key-0123456789abcdef';
export const CARL = 'carl-key-0123456789abcdef';
export const OPS = 'ops-key-0123456789abcdef';
/** Two callers of one tenant, one of another, and an operator. */
const KEYS: readonly object[] = [
  { name: 'ann', key: ANN, tenant: 'acme' },
  { name: 'bob', key: BOB, tenant: 'acme' },
  { name: 'carl', key: CARL, tenant: 'other' },
  { name: 'ops', key: OPS, role: 'operator' },
];

// biome-ignore lint/suspicious/noExplicitAny: the client of SDK v1, whose tasks are experimental
type Any = any;

/** A client with a session of its own. */
export interface Visitor {
  readonly client: Any;
  readonly tasks: Any;
  readonly session: string;
  /** Calls `work` as a task, or a tool that has another name here, and tells its id. */
  begin(wish: object, options?: object, tool?: string): Promise<string>;
  /** A task's result. */
  payload(taskId: string): Promise<Message>;
  /** The text of it. */
  result(taskId: string): Promise<string>;
  leave(): Promise<void>;
}

/** A gateway with workers, and the server behind it. */
export interface TaskHouse {
  readonly gateway: Gateway;
  /** Where the server writes what it does. */
  readonly folder: string;
  /** Lets the work of this name end, or go on to what it waits for. */
  go(name: string, what?: 'go' | 'tell'): void;
  /** What the server has noted of this name, such as `begun`. */
  notes(name: string): string[];
  /** A client of SDK v1 whose session is at this worker. */
  visit(key: string, worker: number, options?: VisitOptions): Promise<Visitor>;
  /** A session at this worker, without a client; with the id alone. */
  open(key: string, worker: number, capabilities?: object): Promise<string>;
  /** Any request at the endpoint, on a connection of its own. */
  ask(method: string, params: object, options: SendOptions): Promise<Answer>;
  /** The status, as the operator reads it. */
  status(): Promise<Message>;
  stop(): Promise<void>;
}

/** How a client comes. */
interface VisitOptions {
  /** Where it comes to: the server's own endpoint if absent, all of them if empty. */
  readonly endpoint?: string;
  readonly capabilities?: object;
  /** Handlers are set here, before it connects. */
  readonly prepare?: (client: Any) => void;
}

/** Starts `mayday gateway --workers N` in front of the server with tasks. */
export async function startTaskHouse(workers: number, settings: Any = {}): Promise<TaskHouse> {
  const [own, folder] = [scratch(), scratch()];
  const env = { ...COMPILE_CACHE };
  const upstreams = { p: { command: process.execPath, args: [SERVER, folder], env }, ...settings.upstreams };
  const whole = { keys: KEYS, telemetry: { metrics: 'operators' }, ...settings, upstreams };
  const gateway = await startGateway(whole, { folder: own, args: ['--workers', String(workers)] });
  const house: TaskHouse = {
    gateway,
    folder,
    go: (name, what = 'go') => writeFileSync(join(folder, `${name}.${what}`), ''),
    notes: (name) => notesOf(join(folder, 'ledger'), name),
    visit: (key, worker, options = {}) => visit(gateway, key, worker, options),
    open: (key, worker, capabilities) => openAt(gateway, key, worker, capabilities),
    ask: (method, params, options) => post(at(gateway, 'p'), ask(method, params), options),
    status: async () => JSON.parse((await send(`${gateway.url}/-/status`, undefined, { key: OPS })).body),
    stop: async () => {
      await gateway.stop('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await until(async () => (await house.status())['workers']?.length === workers);
  return house;
}

/** The server with tasks, over HTTP. */
export interface TaskServer {
  readonly url: string;
  /** Lets the work of this name end. */
  go(name: string): void;
  stop(): void;
}

/** Starts the same server over streamable HTTP; what it does is noted in a folder of its own. */
export async function startTaskServer(): Promise<TaskServer> {
  const [port, folder] = [await freePort(), scratch()];
  const child = spawn(process.execPath, [SERVER, folder, String(port)], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}/mcp`;
  const answers = (): Promise<boolean> =>
    send(url, undefined).then(
      () => true,
      () => false,
    );
  await until(answers, 'the server over HTTP');
  const go = (name: string): void => writeFileSync(join(folder, `${name}.go`), '');
  const stop = (): void => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, go, stop };
}

/** A name that no other try of a test has. */
export function fresh(name: string): string {
  return `${name}-${randomUUID().slice(0, 8)}`;
}

/** Waits for it, and not for a time. */
export async function until(isSo: () => Promise<boolean> | boolean, what = 'it'): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    if (await isSo()) return;
    await sleep(20);
  }
  throw new Error(`waited in vain: ${what}`);
}

/** How a request of a client has failed: its code and its words; `fine` where it has not. */
export function failure(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => 'fine',
    (error: { code?: number; message?: string }) => `${error.code} ${error.message}`,
  );
}

/** All pages of the tasks that a client is told of, by id. */
export async function listed({ tasks }: Visitor): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await tasks.listTasks(cursor);
    found.push(...page.tasks.map(({ taskId }: { taskId: string }) => taskId));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

async function visit(
  gateway: Gateway,
  key: string,
  worker: number,
  { endpoint = 'p', capabilities = {}, prepare }: VisitOptions,
): Promise<Visitor> {
  const opened = await openUntil(worker, async () => {
    const { client, transport } = freshClient('SDK 1', at(gateway, endpoint), key, capabilities);
    prepare?.(client);
    await client.connect(transport);
    return visitor(client, transport);
  });
  await Promise.all(opened.others.map((other) => other.leave()));
  return opened.found;
}

/** Workers take connections in turns: what came to another one is only ended when the right one is there. */
async function openUntil<T extends { readonly session: string }>(
  worker: number,
  open: () => Promise<T>,
): Promise<{ readonly found: T; readonly others: readonly T[] }> {
  const others: T[] = [];
  while (others.length < 9) {
    const found = await open();
    if (found.session.endsWith(`.w${worker}`)) return { found, others };
    others.push(found);
  }
  throw new Error(`no session at worker ${worker}: ${others.map(({ session }) => session).join()}`);
}

function visitor(client: Any, transport: Any): Visitor {
  const { tasks } = client.experimental;
  const payload = (taskId: string): Promise<Message> => tasks.getTaskResult(taskId, CallToolResultSchema);
  return {
    client,
    tasks,
    session: transport.sessionId,
    begin: async (wish, options = {}, name = 'work') => {
      const request = { method: 'tools/call', params: { name, arguments: wish } };
      const whole = { task: { ttl: 600_000 }, ...options };
      return (await client.request(request, CreateTaskResultSchema, whole)).task.taskId;
    },
    payload,
    result: async (taskId) => (await payload(taskId))['content'][0].text,
    leave: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
}

async function openAt(gateway: Gateway, key: string, worker: number, capabilities = {}): Promise<string> {
  const opened = await openUntil(worker, async () => {
    const { headers } = await post(at(gateway, 'p'), initialize({ capabilities }), { key });
    return { session: String(headers['mcp-session-id']) };
  });
  for (const { session } of opened.others)
    await send(at(gateway, 'p'), undefined, { method: 'DELETE', key, session });
  return opened.found.session;
}

function notesOf(ledger: string, name: string): string[] {
  try {
    const lines = readFileSync(ledger, 'utf8').split('\n');
    return lines.filter((line) => line.split(' ')[1] === name).map((line) => line.replace(` ${name}`, ''));
  } catch {
    return [];
  }
}
