/** The gateway under fire: two of each kind of upstream, one that behaves and one that does not, and the joined endpoint. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from '../../../test/compile-cache.ts';
import { type Gateway, scratch, startGateway } from '../acceptance/support/gateway.ts';
import { post } from '../acceptance/support/http.ts';
import { call } from '../acceptance/support/messages.ts';
import type { Endpoint } from './grammar.ts';
import type { HttpUpstream } from './http-upstream.ts';
import type { WitnessOptions } from './witness.ts';

/** The key of the hostile callers. */
export const HOSTILE = 'hostile-key-0123456789';
const WITNESS = 'witness-key-0123456789';
const STDIO = fileURLToPath(new URL('./stdio-upstream.ts', import.meta.url));

/** A silent server is given up after this. */
const TIMEOUT_MS = 500;

/** Everything a hostile caller can reach. */
export const ENDPOINTS: readonly Endpoint[] = [
  { path: '/calm/mcp', tools: ['echo', 'fuzz', 'nope'], calm: true },
  { path: '/calm-url/mcp', tools: ['echo', 'fuzz', 'nope'], calm: true },
  { path: '/calm-api/mcp', tools: ['echo', 'fuzz', 'post', 'nope'], calm: true },
  { path: '/wild/mcp', tools: ['fuzz', 'fuzz', 'echo'], calm: false },
  { path: '/wild-url/mcp', tools: ['fuzz', 'fuzz', 'echo'], calm: false },
  { path: '/wild-api/mcp', tools: ['fuzz', 'fuzz', 'post', 'echo'], calm: false },
  {
    path: '/mcp',
    tools: [
      'calm_echo',
      'wild_fuzz',
      'wild-url_fuzz',
      'wild-api_fuzz',
      'wild-api_post',
      'calm-url_fuzz',
      'calm-api_echo',
      'nope',
    ],
    calm: false,
  },
];

/** Starts the gateway with all of them, and their processes. */
export async function startRange(
  http: HttpUpstream,
  onLog?: (text: string) => void,
  preload: readonly string[] = [],
): Promise<Gateway> {
  const folder = scratch();
  const file = join(folder, 'api.json');
  writeFileSync(file, JSON.stringify(API));
  const command = (mode: string): object => ({
    command: process.execPath,
    args: [STDIO, mode],
    env: COMPILE_CACHE,
    max_sessions: 6,
  });
  const calm = { timeout_ms: 3000, breaker: false };
  const wild = { timeout_ms: TIMEOUT_MS, open_timeout_ms: TIMEOUT_MS, breaker: false };
  const upstreams = {
    calm: { ...command('calm'), ...calm },
    'calm-url': { url: `${http.origin}/calm/mcp`, ...calm },
    'calm-api': { openapi: file, base_url: `${http.origin}/calm`, ...calm },
    wild: { ...command('wild'), ...wild },
    'wild-url': { url: `${http.origin}/wild/mcp`, ...wild },
    'wild-api': { openapi: file, base_url: `${http.origin}/wild`, ...wild },
  };
  const keys = [
    { name: 'hostile', key: HOSTILE },
    { name: 'witness', key: WITNESS },
  ];
  const gateway = await startGateway(
    { keys, upstreams, limits: { message_bytes: 4_000_000 } },
    { folder, onLog, preload },
  );
  await Promise.all(
    ENDPOINTS.map(({ path, tools }) =>
      post(gateway.url + path, call(tools[0], {}), { key: HOSTILE, within: 10_000 }),
    ),
  );
  return gateway;
}

/** Ends it and takes its folder away. */
export async function stopRange(gateway: Gateway): Promise<void> {
  await gateway.stop('SIGKILL');
  rmSync(gateway.folder, { recursive: true, force: true });
}

/** The witnesses: one at every endpoint that has a server which behaves, in both eras, with and without a session. */
export function witnessesAt(gateway: Gateway, limitMs: number): readonly WitnessOptions[] {
  const echo = (text: string): string => `echo: ${text}`;
  const ok = (): string => '{"ok":true}';
  const at = (
    path: string,
    tool: string,
    era: '2025' | '2026',
    session: boolean,
    right = echo,
  ): WitnessOptions => ({
    url: gateway.url + path,
    tool,
    key: WITNESS,
    era,
    session,
    limitMs,
    right,
  });
  return [
    at('/calm/mcp', 'echo', '2025', false),
    at('/calm/mcp', 'echo', '2026', false),
    at('/calm/mcp', 'echo', '2025', true),
    at('/calm-url/mcp', 'echo', '2025', false),
    at('/calm-url/mcp', 'echo', '2026', false),
    at('/calm-api/mcp', 'echo', '2025', false, ok),
    at('/calm-api/mcp', 'echo', '2026', false, ok),
    at('/mcp', 'calm_echo', '2025', false),
    at('/mcp', 'calm_echo', '2026', false),
    at('/mcp', 'calm-url_echo', '2025', true),
  ];
}

const PARAMETERS = [
  { name: 'text', in: 'query', schema: {} },
  { name: 'plan', in: 'query', schema: {} },
  { name: 'say', in: 'query', schema: {} },
];
const operation = (operationId: string, more: object = {}): object => ({
  operationId,
  parameters: PARAMETERS,
  responses: { 200: { description: 'ok' } },
  ...more,
});
const API = {
  openapi: '3.1.0',
  info: { title: 'api', version: '1' },
  paths: {
    '/echo': { get: operation('echo') },
    '/fuzz': { get: operation('fuzz') },
    '/post': {
      post: operation('post', { requestBody: { content: { 'application/json': { schema: {} } } } }),
    },
  },
};
