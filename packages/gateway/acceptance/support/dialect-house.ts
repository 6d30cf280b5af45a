/** One gateway for the tests of a dialect: puppets, plain servers of both SDKs, and a server that is not there. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from '../../../../scripts/free-port.ts';
import { COMPILE_CACHE } from '../../../../test/compile-cache.ts';
import { type Gateway, scratch, startGateway } from './gateway.ts';
import { type Answer, type Message, post, type SendOptions, send } from './http.ts';
import { type HttpPuppet, startHttpPuppet } from './http-puppet.ts';
import { ask, call } from './messages.ts';
import type { Step } from './puppet.ts';
import { API_PATHS, openapiFile, stdio } from './world.ts';

/** A puppet over stdio, over HTTP and as an API, a plain server of each SDK, and an address where nobody listens. */
type Upstream = 'p' | 'u' | 'o' | 'v1' | 'v2' | 'gone';

/** The servers that do what a script says. */
export const PUPPETS = ['p', 'u'] as const;

/** The plain servers of the SDKs. */
export const SDKS = ['v1', 'v2'] as const;

/** How long the puppet over HTTP may take: it is in the test's own process, so nobody has to start. */
export const LIMIT_MS = 800;

const KEY = 'good-key-of-ada';
const SDK = fileURLToPath(new URL('sdk-server.ts', import.meta.url));

/** The gateway, asked by callers who want one dialect. */
export interface DialectHouse {
  call(upstream: Upstream, tool: string, args?: unknown): Promise<Message>;
  /** Calls a tool that only reads, and has the puppet do this. */
  script(upstream: 'p' | 'u', ...steps: readonly Step[]): Promise<Message>;
  ask(upstream: Upstream, method: string, params?: unknown): Promise<Message>;
  /** An HTTP request exactly as given, by a caller with a key unless the headers say otherwise. */
  raw(upstream: Upstream, body: unknown, options?: SendOptions): Promise<Answer>;
}

/** Runs the gateway while the file's tests run. */
export function useDialectHouse(dialect: string): DialectHouse {
  let gateway: Gateway;
  let http: HttpPuppet;
  beforeAll(async () => {
    http = await startHttpPuppet();
    const once = { retry: { attempts: 1 }, breaker: false };
    const folder = scratch();
    const sdk = (name: string): object => ({
      command: process.execPath,
      args: [SDK, name],
      env: COMPILE_CACHE,
      ...once,
    });
    const upstreams = {
      p: stdio({}, once),
      u: { url: http.url, ...once, timeout_ms: LIMIT_MS },
      o: { openapi: openapiFile(folder, API_PATHS), base_url: http.origin, ...once },
      v1: sdk('v1'),
      v2: sdk('v2'),
      gone: { url: `http://127.0.0.1:${await freePort()}/mcp`, ...once },
    };
    const settings = { keys: [{ name: 'ada', key: KEY }], limits: { body_bytes: 65_536 }, upstreams };
    gateway = await startGateway(settings, { folder });
    // As clients do: the tools are known, and with them which ones only read.
    await Promise.all(['p', 'u', 'v1', 'v2'].map((name) => to(name as Upstream, ask('tools/list'))));
  });
  afterAll(async () => {
    await gateway.stop('SIGKILL');
    await http.close();
  });
  const raw: DialectHouse['raw'] = (upstream, body, options = {}) => {
    const sender = options.method === undefined ? post : send;
    return sender(`${gateway.url}/${upstream}/mcp`, body, { key: KEY, dialect, within: 20_000, ...options });
  };
  const to = async (upstream: Upstream, body: Message): Promise<Message> =>
    (await raw(upstream, body)).message;
  return {
    raw,
    call: (upstream, tool, args = {}) => to(upstream, call(tool, args)),
    script: (upstream, ...script) => to(upstream, call('lookup', { script })),
    ask: (upstream, method, params = {}) => to(upstream, ask(method, params)),
  };
}

const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'echo', arguments: {} } };

/** What the gateway's own door refuses: the status, the body and how it is sent. */
export const DOOR: readonly (readonly [what: string, status: number, body: unknown, options: SendOptions])[] =
  [
    ['method', 405, CALL, { method: 'PUT', headers: { 'content-type': 'application/json' } }],
    ['Accept', 406, CALL, { headers: { accept: 'text/html' } }],
    ['size', 413, { ...CALL, padding: 'x'.repeat(70_000) }, {}],
    ['Content-Type', 415, CALL, { headers: { 'content-type': 'application/xml' } }],
    ['Host', 403, CALL, { headers: { host: 'evil.example' } }],
  ];

/** Bytes that are no JSON. */
export const NO_JSON = '{"jsonrpc": "2.0", nope';

/** JSON that is no request. Whether an answer names the id that can be read in it is left to the gateway. */
export const NO_REQUEST: readonly (readonly [what: string, body: string])[] = [
  ['no method', '{"jsonrpc":"2.0","id":7}'],
  ['a number', '7'],
  ['a batch', JSON.stringify([CALL])],
];

/** The ids that an answer to a refused request may have. */
export const IDS: readonly unknown[] = [null, 7];
