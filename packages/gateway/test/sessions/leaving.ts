/** One piece of work behind a process, a server over HTTP and one that only speaks the transport of 2024-11-05: who is told that nobody waits for it any more? */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SettingsFile } from '../../src/index.ts';
import { call, INITIALIZE, JSON_TYPES, later, open, post } from '../tools.ts';

/** Sessions that the gateway keeps. */
export const KEPT = [
  ['/p/mcp', 'pay'],
  ['/l/mcp', 'pay'],
  ['/mcp', 'p_pay'],
  ['/mcp', 'u_pay'],
  ['/mcp', 'l_pay'],
  ['/v/mcp', 'p_pay'],
  ['/v/mcp', 'u_pay'],
  ['/v/mcp', 'l_pay'],
] as const;

/** A little while. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const TOOLS = [{ name: 'pay', inputSchema: { type: 'object' } }];
const OPENED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
};

/** It asks elsewhere for what it answers, and tells there what was cancelled. */
const PROCESS = `
const { WORK } = process.env;
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'notifications/cancelled') return void fetch(WORK + '/told', { method: 'POST' });
  if (id === undefined) return;
  if (method === 'initialize') return say({ id, result: ${JSON.stringify(OPENED)} });
  if (method !== 'tools/call') return say({ id, result: { tools: ${JSON.stringify(TOOLS)} } });
  const { blockMs = 0 } = params.arguments;
  if (blockMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockMs);
  const progressToken = params._meta?.progressToken;
  if (progressToken !== undefined) say({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
  const text = await (await fetch(WORK + '/work', { method: 'POST' })).text();
  say({ id, result: { content: [{ type: 'text', text }] } });
});`;

interface Asked {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly _meta?: { readonly progressToken?: unknown } };
}

/** What the servers did. */
export interface Work {
  begun: number;
  /** How often they heard that nobody waits. */
  told: number;
  /** How long it takes to open the older transport. */
  openMs: number;
  /** How long it takes to take there what follows the opening. */
  takeMs: number;
  /** Cuts the streams of the older transport. */
  cut(): void;
  /** What was begun ends with this. */
  finish(text: string): void;
}

/** A gateway before all of them, and a virtual server. */
export async function leavingHouse(
  more: Omit<SettingsFile, 'upstreams'> = {},
): Promise<{ readonly url: string; readonly work: Work }> {
  const waiting: ((text: string) => void)[] = [];
  const streams = new Map<string, ServerResponse>();
  let opened = 0;
  const work: Work = {
    begun: 0,
    told: 0,
    openMs: 0,
    takeMs: 0,
    cut: () => {
      for (const stream of streams.values()) stream.destroy();
    },
    finish: (text) => {
      for (const end of waiting.splice(0)) end(text);
    },
  };
  const begin = (): Promise<string> => {
    work.begun += 1;
    return new Promise((resolve) => waiting.push(resolve));
  };
  const answer = async (asked: Asked, say: (message: object) => void): Promise<void> => {
    const { id, method, params } = asked;
    if (method === 'notifications/cancelled') work.told += 1;
    if (id === undefined) return;
    if (method === 'initialize') say({ id, result: OPENED });
    else if (method !== 'tools/call') say({ id, result: { tools: TOOLS } });
    else {
      const progressToken = params?._meta?.progressToken;
      if (progressToken !== undefined)
        say({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
      const text = await begin();
      say({ id, result: { content: [{ type: 'text', text }] } });
    }
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://x');
    const say = (to: ServerResponse) => (message: object) =>
      to.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    const stream = { 'content-type': 'text/event-stream', 'mcp-session-id': 'one' };
    if (path === '/work') response.end(await begin());
    else if (path === '/told') {
      work.told += 1;
      response.end();
    } else if (path === '/sse') {
      await pause(work.openMs);
      const id = String(++opened);
      response.writeHead(200, stream).write(`event: endpoint\ndata: /messages?in=${id}\n\n`);
      streams.set(id, response);
      response.on('close', () => streams.delete(id));
    } else if (path === '/messages') {
      if (body.includes('notifications/initialized')) await pause(work.takeMs);
      response.writeHead(202).end();
      const to = streams.get(searchParams.get('in') ?? '');
      if (to !== undefined) await answer(JSON.parse(body) as Asked, say(to));
    } else if (request.method !== 'POST') response.writeHead(405).end();
    else {
      const asked = JSON.parse(body) as Asked;
      if (asked.id === undefined) response.writeHead(202).end();
      else response.writeHead(200, stream);
      await answer(asked, say(response));
      response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { url } = await open({
    upstreams: {
      p: { command: process.execPath, args: ['-e', PROCESS], env: { WORK: origin } },
      u: { url: `${origin}/mcp` },
      l: { url: `${origin}/sse`, transport: 'sse' },
    },
    virtual: { v: { tools: ['*'] } },
    ...more,
  });
  return { url, work };
}

/** A call, and what can be done with it. */
export interface Made {
  /** Its head, once there is one. */
  readonly response: Promise<Response>;
  leave(): Promise<void>;
}

/** Makes calls of one tool at one endpoint, in a session or not. */
export async function callerAt(
  at: string,
  tool: string,
  { inSession = true, as = {} }: { inSession?: boolean; as?: { readonly [name: string]: string } } = {},
): Promise<{
  readonly headers: { readonly [name: string]: string };
  call(id: number, meta?: object, bytes?: number, args?: object): Made;
  /** Asks for the tools in so many bytes; under which status it is answered. */
  ask(bytes: number): Promise<number>;
}> {
  const opened = inSession ? await post(at, INITIALIZE, as) : undefined;
  const session = opened?.headers.get('mcp-session-id');
  const headers = { ...as, ...(session ? { 'mcp-session-id': session } : {}) };
  if (inSession) await post(at, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
  await post(at, call('tools/list'), headers); // processes are started
  return {
    headers,
    ask: async (bytes) => (await post(at, call('tools/list', { pad: 'x'.repeat(bytes) }), headers)).status,
    call(id, _meta = {}, bytes = 0, args = {}) {
      const leaving = new AbortController();
      const params = { name: tool, arguments: { ...args, pad: 'x'.repeat(bytes) }, _meta };
      const response = fetch(at, {
        method: 'POST',
        headers: { ...JSON_TYPES, ...headers },
        body: JSON.stringify(call('tools/call', params, id)),
        signal: leaving.signal,
      });
      response.catch(() => undefined);
      return {
        response,
        async leave() {
          leaving.abort();
          await response.catch(() => undefined);
        },
      };
    },
  };
}
