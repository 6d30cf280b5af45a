import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@mayday/store';
import { afterAll, describe } from 'vitest';
import { conformsTo } from '../conformance/conforms-to.ts';
import type { Open } from '../conformance/subject.ts';
import { hasRedis, type RedisServer, startRedis } from './redis-server.ts';

/** A time that passes when it is told to. */
function virtualTime() {
  let now = 1_900_000_000_000;
  const pass = async (ms: number): Promise<void> => {
    now += ms;
  };
  return { clock: { now: () => now }, pass };
}

const inMemory: Open = async ({ realTime: _, ...bounds } = {}) => {
  const { clock, pass } = virtualTime();
  const store = await openStore({ ...bounds, url: 'memory:', clock });
  const another = async () => store;
  return { store, another, pass, slackMs: 0, url: undefined, end: () => store.close() };
};

const inFile: Open = async ({ realTime = false, ...bounds } = {}) => {
  const { clock, pass } = virtualTime();
  const folder = mkdtempSync(join(tmpdir(), 'mayday-store-'));
  const url = `file:${folder}/mayday.db`;
  const another = () => openStore({ ...bounds, url, clock: realTime ? undefined : clock });
  const nodes = [await another()];
  return {
    store: nodes[0] as (typeof nodes)[0],
    another: async () => {
      const node = await another();
      nodes.push(node);
      return node;
    },
    pass,
    slackMs: 0,
    url,
    async end() {
      for (const node of nodes) await node.close();
      rmSync(folder, { recursive: true });
    },
  };
};

conformsTo('memory', inMemory, { isShared: false });
conformsTo('SQLite', inFile, { isShared: true });

/** One server for all tests, each under a prefix of its own. */
let server: Promise<RedisServer> | undefined;
let opened = 0;

const inRedis: Open = async ({ realTime: _, ...bounds } = {}) => {
  server ??= startRedis();
  opened += 1;
  const { url } = await server;
  const prefix = `test-${opened}`;
  const nodes = [await openStore({ placeLeaseMs: 500, ...bounds, url, prefix })];
  return {
    store: nodes[0] as (typeof nodes)[0],
    another: async () => {
      const node = await openStore({ placeLeaseMs: 500, ...bounds, url, prefix });
      nodes.push(node);
      return node;
    },
    pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms + 1)),
    slackMs: 150,
    url: `${url}#${prefix}`,
    async end() {
      for (const node of nodes) await node.close();
    },
  };
};

describe.skipIf(!hasRedis)('with a server', () => {
  afterAll(async () => (await server)?.stop());
  conformsTo('Redis', inRedis, { isShared: true });
});
