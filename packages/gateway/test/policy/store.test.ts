/** The gateway on a store: opened at the start, told about, ended at the end. */
import { existsSync, mkdtempSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@mayday/store';
import { afterEach, expect, it } from 'vitest';
import { hasRedis, startRedis } from '../../../store/test/redis-server.ts';
import { startGateway } from '../../src/index.ts';
import { cleanUp, later, open, STDIO_SERVER, settingsOf, until } from '../tools.ts';

afterEach(cleanUp);

const UPSTREAMS = { a: STDIO_SERVER } as const;
const folder = mkdtempSync(join(tmpdir(), 'mayday-store-'));
let files = 0;
const newFile = (): string => join(folder, `${++files}.db`);

async function get(
  url: string,
): Promise<{ readonly status: number; readonly body: { [name: string]: unknown } }> {
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as { [name: string]: unknown } };
}

it('says how its store is', async () => {
  const gateway = await open({ store: newFile(), upstreams: UPSTREAMS });
  const { body } = await get(`${gateway.url}/-/status`);
  expect(body['store']).toEqual({ engine: 'sqlite', ok: true, warnings: [] });
  expect(await get(`${gateway.url}/-/ready`)).toEqual({ status: 200, body: { ok: true } });
});

it('has none unless it is told to', async () => {
  const gateway = await open({ upstreams: UPSTREAMS });
  expect((await get(`${gateway.url}/-/status`)).body).not.toHaveProperty('store');
  expect(await get(`${gateway.url}/-/ready`)).toEqual({ status: 200, body: { ok: true } });
});

it('does not start on what is no store, and says why', async () => {
  const file = newFile();
  writeFileSync(file, 'something else entirely, and longer than a header of SQLite would be: '.repeat(20));
  await expect(startGateway(settingsOf({ store: file, upstreams: UPSTREAMS }))).rejects.toMatchObject({
    name: 'StoreError',
    problem: 'unusable',
  });
});

it.runIf(process.platform === 'linux')('ends its store, also where it could not start', async () => {
  const file = newFile();
  const openFiles = (): string[] =>
    readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        const path = readlinkSync(`/proc/self/fd/${fd}`);
        return path.startsWith(folder) ? [path] : [];
      } catch {
        return []; // the one that lists them
      }
    });
  const gateway = await startGateway(settingsOf({ store: file, upstreams: UPSTREAMS }));
  expect(openFiles()).toContain(file);
  const port = Number(new URL(gateway.url).port);
  const second = newFile();
  const settings = settingsOf({ store: second, listen: { port }, upstreams: UPSTREAMS });
  await expect(startGateway(settings)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await gateway.close(0);
  expect([existsSync(second), openFiles()]).toEqual([true, []]);
});

it('leaves a store that it was given to whoever gave it', async () => {
  const store = await openStore('memory:');
  later(() => store.close());
  const gateway = await startGateway(settingsOf({ upstreams: UPSTREAMS }), { store });
  expect((await get(`${gateway.url}/-/status`)).body['store']).toMatchObject({ engine: 'memory', ok: true });
  await gateway.close(0);
  expect(await store.health()).toEqual({ ok: true, warnings: [] });
});

it.skipIf(!hasRedis).each([
  ['closed', 503, false],
  ['open', 200, true],
] as const)('a store that is down, %s', async (on_down, status, ok) => {
  const redis = await startRedis('--requirepass', 'hunter2hunter2');
  later(() => redis.stop());
  const url = redis.url.replace('redis://', 'redis://:hunter2hunter2@');
  const gateway = await open({ store: { url, on_down }, upstreams: UPSTREAMS });
  expect((await get(`${gateway.url}/-/ready`)).status).toBe(200);
  redis.signal('SIGKILL');
  const store = async (): Promise<{ [name: string]: unknown }> =>
    (await get(`${gateway.url}/-/status`)).body['store'] as { [name: string]: unknown };
  await until(async () => (await store())['ok'] === false);
  expect(await get(`${gateway.url}/-/ready`)).toEqual({ status, body: { ok } });
  expect(JSON.stringify([await store(), gateway.logs])).not.toContain('hunter2');
  await redis.restart();
  await until(async () => (await store())['ok'] === true);
  expect((await get(`${gateway.url}/-/ready`)).status).toBe(200);
});
