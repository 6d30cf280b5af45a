/** Repeats under a key that are not let in: nobody has looked at their key, and nobody denies what became of the first. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@mayday/store';
import { afterEach, expect, it } from 'vitest';
import { hasRedis, startRedis } from '../../../store/test/redis-server.ts';
import { call, cleanUp, later, open, type Posted, post, STDIO_SERVER, until } from '../tools.ts';

afterEach(cleanUp);

const KEY = 'dev.mayday/idempotency-key';
const MAYBE = { 'dev.mayday/executed': 'maybe' };
const COUNTED = { 'dev.mayday/attempt': 1, 'dev.mayday/call': 'c' };

const echo = (meta?: object, say = 'x'): object =>
  call('tools/call', { name: 'echo', arguments: { say }, ...(meta && { _meta: meta }) });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const told = ({ status, message }: Posted) => {
  const { kind, executed } = (message.error?.data ?? {}) as { kind: string; executed: string };
  return [status, kind, executed];
};

it('who is not known, or not any more', async () => {
  const url = join(mkdtempSync(join(tmpdir(), 'mayday-refused-')), 'a.db');
  const store = await openStore(url);
  later(() => store.close());
  const { key, record } = await store.keys.create({ principal: 'ann' });
  const gateway = await open({ store: url, upstreams: { a: STDIO_SERVER } });
  const say = (meta?: object, as = key, words?: string): Promise<Posted> =>
    post(`${gateway.url}/a/mcp`, echo(meta, words), bearer(as));
  expect((await say({ [KEY]: 'k' })).status).toBe(200);
  await store.keys.revoke(record.id);
  await until(async () => (await say()).status === 401);
  expect(told(await say({ [KEY]: 'k' }))).toEqual([401, 'unauthenticated', 'maybe']);
  expect(told(await say({ [KEY]: 'k', ...MAYBE }))).toEqual([401, 'unauthenticated', 'maybe']);
  expect(told(await say({ [KEY]: 'k', ...COUNTED, ...MAYBE }))).toEqual([401, 'unauthenticated', 'maybe']);
  expect(told(await say({ [KEY]: 'k', ...COUNTED }))).toEqual([401, 'unauthenticated', 'no']);
  expect(told(await say())).toEqual([401, 'unauthenticated', 'no']);
  // A key that was never used is told of alike, and more than is read of a stranger may hold one.
  const [mine, others] = [await say({ [KEY]: 'k' }), await say({ [KEY]: 'unheard of' }, 'made-up')];
  expect(others.message).toEqual(mine.message);
  expect(told(await say(undefined, key, 'x'.repeat(70_000)))).toEqual([401, 'unauthenticated', 'maybe']);
  expect(JSON.stringify(mine.message)).toContain('It may have happened');
});

it.skipIf(!hasRedis)(
  'who cannot be looked up',
  async () => {
    const redis = await startRedis();
    let stopping: Promise<unknown> | undefined;
    const stop = (): Promise<unknown> => {
      stopping ??= redis.stop();
      return stopping;
    };
    later(stop);
    const store = await openStore(redis.url);
    const { key } = await store.keys.create({ principal: 'ann' });
    await store.close();
    const gateway = await open({ store: redis.url, upstreams: { a: STDIO_SERVER } });
    const say = (meta?: object): Promise<Posted> => post(`${gateway.url}/a/mcp`, echo(meta), bearer(key));
    expect((await say({ [KEY]: 'k' })).status).toBe(200);
    await stop();
    await until(async () => (await say()).status === 503);
    expect(told(await say({ [KEY]: 'k' }))).toEqual([503, 'unavailable', 'maybe']);
    expect(told(await say({ [KEY]: 'k', ...MAYBE }))).toEqual([503, 'unavailable', 'maybe']);
    expect(told(await say({ [KEY]: 'l', ...COUNTED }))).toEqual([503, 'unavailable', 'no']);
    expect(told(await say())).toEqual([503, 'unavailable', 'no']);
  },
  30_000,
);
