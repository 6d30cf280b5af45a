/** Repeats under a key that are not let in: nobody has looked at their key, and nobody denies what became of the first. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@mayday/store';
import { afterEach, expect, it } from 'vitest';
import { hasRedis, startRedis } from '../../../store/test/redis-server.ts';
import {
  call,
  cleanUp,
  json,
  later,
  open,
  type Posted,
  post,
  STDIO_SERVER,
  until,
  upstream,
} from '../tools.ts';

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

const MANY = 'x'.repeat(3000);

it('whose call is larger than may be', async () => {
  const gateway = await open({ limits: { body_bytes: 1024 }, upstreams: { a: STDIO_SERVER } });
  const say = (meta?: object, words = MANY): Promise<Posted> =>
    post(`${gateway.url}/a/mcp`, echo(meta, words));
  expect(told(await say({ [KEY]: 'k' }))).toEqual([413, 'too_large', 'maybe']);
  expect(told(await say({ [KEY]: 'k', ...COUNTED, ...MAYBE }))).toEqual([413, 'too_large', 'maybe']);
  expect(told(await say({ [KEY]: 'k', ...COUNTED }))).toEqual([413, 'too_large', 'no']);
  expect(told(await say())).toEqual([413, 'too_large', 'no']);
  // Nobody reads all of it.
  expect(told(await say(undefined, 'x'.repeat(300_000)))).toEqual([413, 'too_large', 'maybe']);
});

it('who asks where nothing is, or in a dialect that nobody knows', async () => {
  const gateway = await open({ upstreams: { a: STDIO_SERVER } });
  const elsewhere = (meta?: object): Promise<Posted> => post(`${gateway.url}/b/mcp`, echo(meta));
  expect(told(await elsewhere({ [KEY]: 'k' }))).toEqual([404, 'not_found', 'maybe']);
  expect(told(await elsewhere())).toEqual([404, 'not_found', 'no']);
  const speaking = (meta?: object): Promise<Posted> =>
    post(`${gateway.url}/a/mcp`, echo(meta), { 'mayday-dialect': 'latin' });
  expect(told(await speaking({ [KEY]: 'k' }))).toEqual([400, 'invalid_request', 'maybe']);
  expect(told(await speaking())).toEqual([400, 'invalid_request', 'no']);
});

it('who holds too much', async () => {
  const waiting: (() => void)[] = [];
  const { url } = await upstream((body, response) => {
    const { id } = JSON.parse(body) as { id: number };
    waiting.push(() => json(response, 200, { jsonrpc: '2.0', id, result: { content: [] } }));
  });
  const gateway = await open({ limits: { caller_bytes: 20_000 }, upstreams: { a: { url } } });
  const say = (meta?: object): Promise<Posted> => post(`${gateway.url}/a/mcp`, echo(meta));
  const first = say();
  await until(() => waiting.length === 1);
  expect(told(await say({ [KEY]: 'k' }))).toEqual([429, 'overloaded', 'maybe']);
  expect(told(await say({ [KEY]: 'k', ...COUNTED }))).toEqual([429, 'overloaded', 'no']);
  expect(told(await say())).toEqual([429, 'overloaded', 'no']);
  waiting[0]?.();
  expect((await first).status).toBe(200);
});
