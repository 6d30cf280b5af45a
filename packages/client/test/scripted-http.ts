/** A real HTTP server on loopback that does to each request what a script says. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One JSON-RPC message that came in. */
export interface Heard {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: {
    readonly name?: string;
    readonly cursor?: string;
    readonly _meta?: { readonly [key: string]: unknown };
  };
  readonly session: string | undefined;
}

export type Script = (heard: Heard, response: ServerResponse, count: number) => void;

export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  /** Every message, in order. */
  readonly heard: Heard[];
  /** How often a tool was called. */
  calls(tool: string): number;
}

export function answer(response: ServerResponse, body: unknown, status = 200, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export function succeed(heard: Heard, response: ServerResponse, text = 'done'): void {
  answer(response, { jsonrpc: '2.0', id: heard.id, result: { content: [{ type: 'text', text }] } });
}

export function fail(heard: Heard, response: ServerResponse, text: string): void {
  const result = { isError: true, content: [{ type: 'text', text }] };
  answer(response, { jsonrpc: '2.0', id: heard.id, result });
}

/** What is listed: on one page, or on the one that is asked for. */
type Listed = readonly object[] | ((cursor: string | undefined) => object);

const TOOLS = [
  { name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'set', inputSchema: { type: 'object' }, annotations: { idempotentHint: true } },
  { name: 'write', inputSchema: { type: 'object' } },
  {
    name: 'typed',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  },
];

function handshake(
  heard: Heard,
  response: ServerResponse,
  session: (() => string) | undefined,
  tools: Listed,
): boolean {
  if (heard.id === undefined) response.writeHead(202).end();
  else if (heard.method === 'initialize') {
    const result = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, prompts: {} },
      serverInfo: { name: 'scripted', version: '1.0.0' },
    };
    const headers = session === undefined ? {} : { 'mcp-session-id': session() };
    answer(response, { jsonrpc: '2.0', id: heard.id, result }, 200, headers);
  } else if (heard.method === 'tools/list') {
    const result = typeof tools === 'function' ? tools(heard.params?.cursor) : { tools };
    answer(response, { jsonrpc: '2.0', id: heard.id, result });
  } else return false;
  return true;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** What is said to a GET: there are no streams to listen to. */
const NO_STREAMS = (_: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(405).end();
};

/** `session` gives each handshake its session id, `listened` answers what is no POST. */
export async function scriptedHttp(
  script: Script,
  session?: () => string,
  tools: Listed = TOOLS,
  listened = NO_STREAMS,
): Promise<ScriptedServer> {
  const heard: Heard[] = [];
  const counts = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    void (async () => {
      if (request.method !== 'POST') {
        listened(request, response);
        return;
      }
      const message = JSON.parse(await bodyOf(request)) as Heard;
      const one = { ...message, session: request.headers['mcp-session-id'] as string | undefined };
      heard.push(one);
      if (handshake(one, response, session, tools)) return;
      const key = `${one.method} ${one.params?.name ?? ''}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      script(one, response, count);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    heard,
    calls: (tool) => counts.get(`tools/call ${tool}`) ?? 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
