/** What works with whom: every official client before every kind of server, as docs/eras.md has it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveSessions } from '../sdk-server.ts';
import { cleanUp, later, open } from '../tools.ts';
import { CLIENTS, type Tried } from './clients.ts';
import { makeV1Server, type Seen, serveSse } from './v1-server.ts';
import { serveV2 } from './v2-server.ts';

let gateway: Awaited<ReturnType<typeof open>>;
const seen: { [server: string]: Seen } = {};

beforeAll(async () => {
  const [sse, both, stateless] = [await serveSse(), await serveV2('stateless'), await serveV2('reject')];
  const sessions: Seen = { calls: [], cancelled: [] };
  const v1 = await serveSessions(() => makeV1Server(sessions));
  for (const { stop } of [sse, both, stateless]) later(stop);
  Object.assign(seen, { http: sessions, sse: sse.seen, both: both.seen, stateless: stateless.seen });
  gateway = await open({
    upstreams: {
      stdio: { command: process.execPath, args: [join(import.meta.dirname, 'v1-server.ts')] },
      http: { url: v1.url },
      sse: { url: sse.url },
      both: { url: both.url },
      stateless: { url: stateless.url },
    },
  });
});
afterAll(cleanUp);

const SERVERS = ['stdio', 'http', 'sse', 'both', 'stateless'];

type Feature = (client: Tried, server: string) => Promise<unknown>;

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
  logging: async (client) => {
    await client.log();
    return within(1000, () => client.told.includes('logged'));
  },
  elicitation: async (client) => (await contentOf(client.call('elicit'))).includes('ann'),
  sampling: async (client) => (await contentOf(client.call('sample'))).includes('sampled'),
  'list changed': async (client) => {
    await client.listen();
    await client.call('grow');
    return within(2000, () => client.told.includes('changed'));
  },
  subscriptions: async (client) => {
    await client.subscribe();
    await client.call('touch');
    return within(2000, () => client.told.includes('updated'));
  },
  cancellation: async (client, server) => {
    const abort = new AbortController();
    const before = seen[server]?.cancelled.length ?? 0;
    const calling = client.call('slow', {}, { signal: abort.signal }).catch(() => 'cancelled');
    await new Promise((resolve) => setTimeout(resolve, 400));
    abort.abort();
    await calling;
    return seen[server] === undefined || within(3000, () => (seen[server]?.cancelled.length ?? 0) > before);
  },
};

async function tried(client: string, server: string): Promise<{ [feature: string]: string }> {
  const row: { [feature: string]: string } = {};
  let connected: Tried;
  try {
    connected = (await CLIENTS[client]?.(`${gateway.url}/${server}/mcp`)) as Tried;
  } catch (error) {
    return { connects: `no: ${String((error as Error).message).slice(0, 160)}` };
  }
  for (const [feature, holds] of Object.entries(FEATURES)) {
    row[feature] = await holds(connected, server).then(
      (value) => (value === false ? 'no' : 'yes'),
      (error: Error) => `no: ${String(error.message).slice(0, 120)}`,
    );
  }
  await connected.close();
  return row;
}

it('prints', { timeout: 500_000, retry: 0 }, async () => {
  for (const client of Object.keys(CLIENTS))
    for (const server of SERVERS) {
      const row = await tried(client, server);
      const failed = Object.entries(row).filter(([, said]) => said !== 'yes');
      process.stdout.write(`${client} × ${server}: ${failed.length === 0 ? 'all' : JSON.stringify(failed)}\n`);
    }
  expect(readFileSync).toBeDefined();
});
