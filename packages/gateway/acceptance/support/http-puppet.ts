/** A puppet over streamable HTTP, in the test's own process. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Message } from './http.ts';
import { completed, filled, type PuppetOptions, type Step, scriptOf } from './puppet.ts';

/** One request as it arrived. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A puppet that listens. */
export interface HttpPuppet {
  readonly url: string;
  readonly origin: string;
  readonly arrivals: Arrival[];
  close(): Promise<void>;
}

/** What makes an HTTP puppet differ from the ordinary one. */
export interface HttpPuppetOptions extends PuppetOptions {
  /** `initialize` opens a session. */
  readonly sessions?: boolean | undefined;
  /** What a GET of the endpoint gets. */
  readonly get?: readonly Step[] | undefined;
}

/** Starts an MCP server at `/mcp`; every other path is an HTTP API whose query parameter `script` says what it answers. */
export async function startHttpPuppet(options: HttpPuppetOptions = {}): Promise<HttpPuppet> {
  const arrivals: Arrival[] = [];
  const server = createServer((incoming, outgoing) => {
    // What cannot be answered, such as 200,000 brackets, is an ordinary server's 500.
    serve(incoming, outgoing, options, arrivals).catch(() => outgoing.writeHead(500).end());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return { url: `${origin}/mcp`, origin, arrivals, close: () => closed(server) };
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: HttpPuppetOptions,
  arrivals: Arrival[],
): Promise<void> {
  outgoing.on('error', () => undefined);
  const body = await text(incoming);
  const path = incoming.url ?? '';
  arrivals.push({ method: incoming.method ?? '', path, headers: incoming.headers, body });
  if (path === '/mcp') return serveMcp(incoming, outgoing, body, options);
  const script = new URL(path, 'http://api').searchParams.get('script');
  const steps: Step[] = script === null ? [{ head: 200 }, { say: '{"ok":true}' }] : JSON.parse(script);
  return perform(outgoing, {}, steps);
}

async function serveMcp(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  body: string,
  options: HttpPuppetOptions,
): Promise<void> {
  if (incoming.method === 'GET') return perform(outgoing, {}, options.get ?? [{ head: 405 }]);
  if (incoming.method !== 'POST') return perform(outgoing, {}, [{ head: 200 }]);
  const message = parsed(body);
  if (message?.['method'] === undefined || message['id'] === undefined) {
    return perform(outgoing, {}, [{ head: message === undefined ? 400 : 202 }]);
  }
  if (options.sessions === true && message['method'] === 'initialize') {
    outgoing.setHeader('mcp-session-id', `puppet-${Math.random().toString(36).slice(2)}`);
  }
  return perform(outgoing, message, scriptOf(message, options));
}

async function perform(outgoing: ServerResponse, message: Message, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if ('hang' in step) return;
    if ('wait' in step) await new Promise((resolve) => setTimeout(resolve, step.wait));
    if ('exit' in step || 'reset' in step) return void outgoing.socket?.resetAndDestroy();
    if ('processing' in step) outgoing.writeProcessing();
    if ('hints' in step) outgoing.writeEarlyHints(step.hints);
    if ('head' in step)
      outgoing.writeHead(step.head, step.words, headersOf(step.head, step.headers)).flushHeaders();
    if ('trailers' in step) outgoing.addTrailers(step.trailers);
    if ('bytes' in step) outgoing.write(Buffer.from(step.bytes, 'base64'));
    if ('say' in step) outgoing.write(filled(step.say, message));
    if ('answer' in step) begun(outgoing, 'application/json').write(completed(step.answer, message));
    if ('events' in step) {
      const data = step.events.map((event) => `event: message\ndata: ${completed(event, message)}\n\n`);
      begun(outgoing, 'text/event-stream').write(data.join(''));
    }
  }
  if (!outgoing.headersSent) outgoing.writeHead(200, { 'content-type': 'application/json' });
  outgoing.end();
}

function headersOf(status: number, headers: Record<string, string> | undefined): Record<string, string> {
  if (headers !== undefined) return headers;
  return status === 202 || status === 204 || status === 205 || status === 304
    ? {}
    : { 'content-type': 'application/json' };
}

function begun(outgoing: ServerResponse, type: string): ServerResponse {
  return outgoing.headersSent ? outgoing : outgoing.writeHead(200, { 'content-type': type });
}

async function text(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

function parsed(body: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
