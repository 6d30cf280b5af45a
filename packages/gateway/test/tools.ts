/** What the gateway's tests share: a gateway that cleans up after itself, and upstreams that misbehave. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from '../../../test/compile-cache.ts';
import {
  type Gateway,
  resolveSettings,
  type Settings,
  type SettingsFile,
  startGateway,
} from '../src/index.ts';

const closers: (() => Promise<unknown> | unknown)[] = [];

/** Closes everything that was opened since the last time. */
export async function cleanUp(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

/** Remembers to close something. */
export function later(close: () => Promise<unknown> | unknown): void {
  closers.push(close);
}

/** The command of the relay's test server. */
export const STDIO_SERVER = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../../relay/test/stdio-server.ts', import.meta.url))],
  env: COMPILE_CACHE,
} as const;

/** The script behind a package's command. */
export function binOf(name: string): string {
  const require = createRequire(import.meta.url);
  const manifest = require(`${name}/package.json`) as { bin: string | { [name: string]: string } };
  const file = typeof manifest.bin === 'string' ? manifest.bin : Object.values(manifest.bin)[0];
  return require.resolve(`${name}/${file?.replace(/^\.\//, '')}`);
}

/** The settings of what a file would say. */
export function settingsOf(file: SettingsFile): Settings {
  return resolveSettings({ ...file, listen: { port: 0, ...file.listen } }).settings;
}

/** A gateway on a free port, with its log. */
export async function open(file: SettingsFile): Promise<Gateway & { readonly logs: string[] }> {
  const logs: string[] = [];
  const gateway = await startGateway(settingsOf(file), { onLog: (line) => logs.push(line) });
  later(() => gateway.close(500));
  // A getter would be evaluated by a spread.
  return Object.assign(Object.create(gateway) as Gateway, { logs });
}

/** An HTTP server that answers as the test says. */
export async function upstream(
  answer: (body: string, response: ServerResponse, request: IncomingMessage) => void,
): Promise<{ readonly url: string; readonly seen: { body: string; headers: IncomingMessage['headers'] }[] }> {
  const seen: { body: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push({ body, headers: request.headers });
      try {
        answer(body, response, request);
      } catch (error) {
        // A stream, or the end of a session, that the test says nothing about.
        if (request.method === 'POST') throw error;
        response.writeHead(405).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, seen };
}

/** The id of a request, for the answer to it. */
export function idIn(body: string): unknown {
  return (JSON.parse(body) as { readonly id?: unknown }).id;
}

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** What a POST came back with. */
export interface Posted {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The (last) message. */
  readonly message: {
    readonly id?: unknown;
    readonly result?: {
      readonly [key: string]: unknown;
      readonly _meta?: { readonly [key: string]: { readonly [key: string]: unknown } };
    };
    readonly error?: {
      readonly code: number;
      readonly message: string;
      readonly data?: { readonly [key: string]: unknown };
    };
  };
}

/** What a client of streamable HTTP says about types. */
export const JSON_TYPES = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

/** Sends one message. */
export async function post(
  url: string,
  message: unknown,
  headers: { readonly [name: string]: string } = {},
): Promise<Posted> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...JSON_TYPES,
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const last = isStream
    ? (text
        .match(/^data: (.*)$/gm)
        ?.at(-1)
        ?.slice(6) ?? '')
    : text;
  return { status: response.status, headers: response.headers, text, message: parsed(last) };
}

function parsed(text: string): Posted['message'] {
  try {
    return JSON.parse(text) as Posted['message'];
  } catch {
    return {}; // the tests look at the text then
  }
}

/** A request. */
export function call(method: string, params: object = {}, id: number | string = 1): object {
  return { jsonrpc: '2.0', id, method, params };
}

/** A call of a tool. */
export function callTool(name: string, args: object = {}, id: number | string = 1): object {
  return call('tools/call', { name, arguments: args }, id);
}

/** An `initialize` request. */
export const INITIALIZE: object = call('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

/** Where the fault document of a tool result is. */
export function faultIn(posted: Posted): { readonly [key: string]: unknown } | undefined {
  return posted.message.result?._meta?.['dev.mayday/fault'] ?? posted.message.error?.data;
}

/** Waits until something is so. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Reads events from a stream until there are `count`. */
export async function takeEvents(response: Response, count: number): Promise<string[]> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  const found = (): string[] => text.split('\n\n').filter((event) => event.includes('data: '));
  while (found().length < count) {
    const { value, done } = await reader.read();
    if (done) break;
    text += Buffer.from(value).toString('utf8');
  }
  // Not awaited: one half of a cloned answer is only given up together with the other.
  void reader.cancel();
  return found();
}
