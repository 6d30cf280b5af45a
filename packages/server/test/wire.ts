/** Drives servers over real wires with raw JSON-RPC, so that tests see exactly what a client would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, InMemoryTransport, type McpServer } from '@modelcontextprotocol/server';
import type { Message } from '../src/shapes.ts';

/** The two eras of the protocol. */
export type Era = '2025-11-25' | '2026-07-28';

/** An answer; `undefined` where none came in time. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly message: Message;
}

/** What a stateless request carries. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** How long a test waits before it says that no answer comes. */
export const HANG_MS = 500;
/** A process that is started answers within this time, on a busy machine too. */
const STARTED_MS = 40_000;

/** The HTTP request for a call. */
export function httpRequest(
  era: Era,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Request {
  const base = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const { name, uri, _meta } = params as { name?: string; uri?: string; _meta?: object };
  const named = name ?? uri;
  const modern = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof named === 'string' ? { 'mcp-name': named } : {}),
  };
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: era === '2026-07-28' ? { ...params, _meta: { ...ENVELOPE, ..._meta } } : params,
  };
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { ...base, ...(era === '2026-07-28' ? modern : {}), ...headers },
    body: JSON.stringify(body),
  });
}

/** Sends one request to a fresh handler of the factory's; `undefined` when no answer comes. */
export async function ask(
  factory: () => McpServer,
  era: Era,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<Answer | undefined> {
  const handler = createMcpHandler(factory);
  return answerOf(handler.fetch(httpRequest(era, method, params, headers)));
}

/** A response, read to its end; `undefined` when it does not come or never ends. */
export async function answerOf(pending: Promise<Response>): Promise<Answer | undefined> {
  const read = pending.then(async (response) => {
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, message: messageIn(text) };
  });
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), HANG_MS);
  });
  const answer = await Promise.race([read, hang]);
  clearTimeout(timer);
  return answer;
}

/** The last JSON-RPC message in a body, plain or as an event stream; an empty one where there is none. */
export function messageIn(text: string): Message {
  const data = text.startsWith('{')
    ? text
    : text
        .split('\n')
        .findLast((line) => line.startsWith('data: {'))
        ?.slice(6);
  return data === undefined ? ({} as Message) : (JSON.parse(data) as Message);
}

/** A child process that speaks lines of JSON. */
export interface Child {
  readonly process: ChildProcess;
  write(line: string | object): void;
  /** The next line, parsed; `undefined` when none comes, or none can come any more. */
  next(waitMs?: number): Promise<Message | undefined>;
  readonly exited: Promise<number | null>;
  kill(): void;
}

/** Runs a TypeScript file as a stdio server; the packages below it as they are built, which takes half as long to start. */
export function runChild(file: URL, args: readonly string[] = []): Child {
  const child = spawn(process.execPath, ['--no-warnings', file.pathname, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const waiting: ((line: string | undefined) => void)[] = [];
  let rest = '';
  let isOver = false;
  child.stdout.once('close', () => {
    isOver = true;
    for (const taker of waiting.splice(0)) taker(undefined);
  });
  child.stdout.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString('utf8')).split('\n');
    rest = parts.pop() as string;
    for (const line of parts) {
      const taker = waiting.shift();
      if (taker === undefined) lines.push(line);
      else taker(line);
    }
  });
  child.stdin.on('error', () => {}); // the child may be gone, which a test may want
  return {
    process: child,
    write: (line) => void child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    next(waitMs = STARTED_MS) {
      const line = lines.shift();
      if (line !== undefined) return Promise.resolve(JSON.parse(line) as Message);
      if (isOver) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const taker = (text: string | undefined): void => {
          clearTimeout(timer);
          resolve(text === undefined ? undefined : (JSON.parse(text) as Message));
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(taker), 1);
          resolve(undefined);
        }, waitMs);
        waiting.push(taker);
      });
    },
    exited: new Promise((resolve) => child.once('exit', resolve)),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Serves a fetch handler on loopback. */
export async function listen(handler: {
  fetch(request: Request): Promise<Response>;
}): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(
    (request, response) => void toNodeHandler(handler as never)(request as never, response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The text that a model reads. */
export function textOf(answer: Pick<Answer, 'message'> | undefined): string {
  const content = answer?.message.result?.['content'] as { text?: string }[] | undefined;
  return content?.[0]?.text ?? '';
}

/** The fault document of an answer, wherever it sits. */
export function faultIn(message: Message | undefined): { readonly [key: string]: unknown } {
  const meta = message?.result?.['_meta'] as { [key: string]: unknown } | undefined;
  return (meta?.['dev.mayday/fault'] ?? message?.error?.data ?? {}) as { [key: string]: unknown };
}

/** A raw client of a connected server, in memory: every message it gets, and one way to ask. */
export interface RawClient {
  /** Everything that came, in order. */
  readonly received: Message[];
  /** Sends a request and waits for the answer to it. */
  ask(method: string, params?: object): Promise<Message>;
  /** Sends anything. */
  send(message: object): Promise<void>;
  close(): Promise<void>;
}

/** Connects to a server of either SDK with a transport pair of v2's, which v1 takes too. */
export async function connectRaw(server: { connect(transport: never): Promise<void> }): Promise<RawClient> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const received: Message[] = [];
  const waiting = new Map<unknown, (message: Message) => void>();
  near.onmessage = (message) => {
    received.push(message as Message);
    waiting.get((message as Message).id)?.(message as Message);
  };
  await server.connect(far as never);
  await near.start();
  let last = 0;
  return {
    received,
    ask: (method, params = {}) =>
      new Promise((resolve) => {
        const id = ++last;
        waiting.set(id, resolve);
        void near.send({ jsonrpc: '2.0', id, method, params } as never);
      }),
    send: (message) => near.send({ jsonrpc: '2.0', ...message } as never),
    close: () => near.close(),
  };
}
