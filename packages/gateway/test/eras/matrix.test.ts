/** What works with whom: every official client before every kind of server, as docs/eras.md has it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMPILE_CACHE } from '../../../../test/compile-cache.ts';
import type { UpstreamFile } from '../../src/index.ts';
import { serveSessions } from '../sdk-server.ts';
import { cleanUp, later, open } from '../tools.ts';
import { CLIENTS, type Tried } from './clients.ts';
import { makeV1Server, type Seen, serveSse } from './v1-server.ts';
import { serveV2 } from './v2-server.ts';

let gateway: Awaited<ReturnType<typeof open>>;
const seen: { [server: string]: Seen } = {};

const processOf = (file: string): UpstreamFile => ({
  command: process.execPath,
  args: [join(import.meta.dirname, file)],
  env: COMPILE_CACHE,
});

beforeAll(async () => {
  const [sse, both, stateless] = [await serveSse(), await serveV2('stateless'), await serveV2('reject')];
  const sessions: Seen = { calls: [], cancelled: [] };
  const v1 = await serveSessions(() => makeV1Server(sessions));
  for (const { stop } of [sse, both, stateless]) later(stop);
  Object.assign(seen, { http: sessions, sse: sse.seen, both: both.seen, stateless: stateless.seen });
  gateway = await open({
    upstreams: {
      stdio: processOf('v1-server.ts'),
      http: { url: v1.url },
      sse: { url: sse.url },
      both: { url: both.url },
      stateless: { url: stateless.url },
      process: processOf('v2-server.ts'),
    },
  });
});
afterAll(cleanUp);

/** The rows of the table, by the name that the upstream has here. */
const SERVERS: { readonly [row: string]: string } = {
  'SDK v1, a process': 'stdio',
  'SDK v1, streamable HTTP': 'http',
  'SDK v1, HTTP+SSE': 'sse',
  'SDK v2, both eras': 'both',
  'SDK v2, 2026-07-28 alone': 'stateless',
  'SDK v2, 2026-07-28 alone, a process': 'process',
};

/** What a cell of the table says is missing; all of it where nothing works. */
const MISSING: { readonly [cell: string]: readonly string[] | 'everything' } = {
  all: [],
  1: ['elicitation', 'sampling', 'list changed', 'subscriptions', 'cancellation'],
  2: ['logging'],
  no: 'everything',
};

/** `patienceMs`: how long what is to come may take. */
type Feature = (client: Tried, server: string, patienceMs: number) => Promise<unknown>;

async function within(ms: number, holds: () => boolean): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    if (holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return holds();
}

const contentOf = async (calling: ReturnType<Tried['call']>): Promise<string> =>
  JSON.stringify((await calling).content);

/** Each holds, or does not. */
const FEATURES: { readonly [name: string]: Feature } = {
  tools: async (client) => (await contentOf(client.call('echo', { say: 'hi' }))).includes('hi'),
  resources: (client) => client.resource(),
  prompts: (client) => client.prompt(),
  progress: async (client) => {
    const steps: number[] = [];
    await client.call('progress', {}, { onprogress: ({ progress }) => void steps.push(progress) });
    return steps.length === 2;
  },
  logging: async (client, _server, patienceMs) => {
    await client.log();
    return within(patienceMs, () => client.told.includes('logged'));
  },
  elicitation: async (client) => (await contentOf(client.call('elicit'))).includes('\\"name\\":\\"ann\\"'),
  sampling: async (client) => (await contentOf(client.call('sample'))).includes('sampled'),
  'list changed': async (client, _server, patienceMs) => {
    await client.listen();
    await client.call('grow');
    return within(patienceMs, () => client.told.includes('changed'));
  },
  subscriptions: async (client, _server, patienceMs) => {
    await client.subscribe();
    await client.call('touch');
    return within(patienceMs, () => client.told.includes('updated'));
  },
  cancellation: async (client, server, patienceMs) => {
    const abort = new AbortController();
    const { calls, cancelled } = seen[server] ?? { calls: ['slow'], cancelled: [] };
    const before = [calls.length, cancelled.length];
    const calling = client.call('slow', {}, { signal: abort.signal }).catch(() => 'cancelled');
    // Nobody sees into a process; that it answers the next client shows that it is not held up.
    const isSeen = seen[server] !== undefined;
    await within(isSeen ? 10_000 : 300, () => isSeen && calls.length > (before[0] ?? 0));
    abort.abort();
    await calling;
    return !isSeen || within(patienceMs, () => cancelled.length > (before[1] ?? 0));
  },
};

/** What does not work between the two. */
async function missing(client: string, server: string, expected: readonly string[] | 'everything') {
  const connected = await CLIENTS[client]?.(`${gateway.url}/${server}/mcp`).catch(() => undefined);
  if (connected === undefined) return 'everything';
  const absent: string[] = [];
  for (const [feature, holds] of Object.entries(FEATURES)) {
    const patienceMs = expected.includes(feature) ? 1000 : 10_000;
    const isThere = await holds(connected, server, patienceMs).catch(() => false);
    if (isThere === false) absent.push(feature);
  }
  await connected.close();
  return absent;
}

const page = readFileSync(join(import.meta.dirname, '../../../../docs/eras.md'), 'utf8');
const [, table = ''] = /<!-- checked: eras -->\n(.*?)<!-- end/s.exec(page) ?? [];
const [columns = [], , ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.slice(2, -2).split(' | '));

it.for(rows)(
  'works as the table says: %s',
  { timeout: 120_000, concurrent: true },
  async ([row = '', ...cells]) => {
    const server = SERVERS[row] ?? row;
    const found: { [client: string]: unknown } = {};
    const said: { [client: string]: unknown } = {};
    for (const [at, cell] of cells.entries()) {
      const client = columns[at + 1] ?? '';
      said[client] = MISSING[cell];
      found[client] = await missing(client, server, MISSING[cell] ?? []);
    }
    expect(found).toEqual(said);
  },
);

it('has a row for every server and a column for every client', () => {
  expect([rows.map(([row]) => row), columns.slice(1)]).toEqual([
    Object.keys(SERVERS),
    ['v1', 'v1, SSE', 'v2, 2025', 'v2, both', 'v2, 2026'],
  ]);
});

it('joins those that can ask for a client of the 2025 era', async () => {
  const client = await CLIENTS['v1']?.(`${gateway.url}/mcp`);
  for (const server of ['stdio', 'http', 'sse', 'stateless', 'process']) {
    const said = await client?.call(`${server}_elicit`);
    expect([server, JSON.stringify(said?.content)]).toEqual([
      server,
      expect.stringContaining('\\"name\\":\\"ann\\"'),
    ]);
  }
  await client?.close();
});

it.each(['v1', 'v1, SSE'])('carries tasks of 2025-11-25 for %s', async (name) => {
  for (const server of ['stdio', 'http', 'sse']) {
    const client = await CLIENTS[name]?.(`${gateway.url}/${server}/mcp`);
    expect([server, await client?.task?.()]).toMatchObject([
      server,
      { type: 'result', result: { content: [{ text: 'task done' }] } },
    ]);
    await client?.close();
  }
});
