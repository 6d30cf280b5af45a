/** Records of calls with a key that somebody has written over: that a call was made stays known. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { KeyClaim } from '@mayday/policy';
import { expect, it, onTestFinished } from 'vitest';
import { hasRedis, startRedis } from '../test/redis-server.ts';
import { openStore } from './open.ts';
import type { Store } from './ports.ts';

const call = (key: string): KeyClaim => ({
  key,
  fingerprint: 'f',
  owner: 'ada',
  now: 0,
  leaseMs: 60_000,
  ttlMs: 60_000,
});

/** One call is done, and one runs. */
async function opened(url: string): Promise<Store> {
  const store = await openStore(url);
  onTestFinished(() => store.close());
  for (const key of ['done', 'running']) await store.idempotency.claim(call(key));
  await store.idempotency.finish({ key: 'done', answer: 'paid', now: 0 });
  return store;
}

async function redis() {
  const server = await startRedis();
  onTestFinished(() => server.stop());
  const store = await opened(server.url);
  const found = await server.tell('EVAL', "return table.concat(redis.call('KEYS', '*:k:*'), ' ')", '0');
  return { store, tell: server.tell, rows: found.split(/\s+/).filter((word) => word.includes(':k:')) };
}

const UNREADABLE = { state: 'unreadable' };

it.skipIf(!hasRedis).each([
  ['every field', ['HSET', 'ROW', 'f', '{', 'o', '{', 'l', '{', 'e', '{', 'a', '{']],
  ['what was asked', ['HSET', 'ROW', 'f', '7']],
  ['what was asked, which is gone', ['HDEL', 'ROW', 'f']],
  ['all of it', ['SET', 'ROW', 'nonsense']],
])('in Redis, %s', async (_, command) => {
  const { store, tell, rows } = await redis();
  expect(rows).toHaveLength(2);
  for (const row of rows) await tell(...command.map((part) => (part === 'ROW' ? row : part)));
  expect(await store.idempotency.claim(call('done'))).toEqual(UNREADABLE);
  expect(await store.idempotency.claim(call('running'))).toEqual(UNREADABLE);
  expect(await store.idempotency.claim(call('new'))).toEqual({ state: 'claimed' });
});

it.skipIf(!hasRedis)('in Redis, the answer, and until when it runs', async () => {
  const { store, tell, rows } = await redis();
  for (const row of rows) await tell('HSET', row, 'a', '{', 'l', '{');
  expect(await store.idempotency.claim(call('done'))).toEqual({
    state: 'done',
    fingerprint: 'f',
    answer: '',
  });
  expect(await store.idempotency.claim(call('running'))).toEqual({ state: 'lost', fingerprint: 'f' });
});

it.each([
  ['what was asked', 'fingerprint', UNREADABLE, UNREADABLE],
  [
    'the answer',
    'answer',
    { state: 'done', fingerprint: 'f', answer: '' },
    { state: 'running', fingerprint: 'f' },
  ],
])('in a file, %s', async (_, column, done, running) => {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-overwritten-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'a.db');
  const store = await opened(path);
  const db = new DatabaseSync(path);
  db.exec(`UPDATE idempotency SET ${column} = '{' WHERE ${column} IS NOT NULL`);
  db.close();
  expect(await store.idempotency.claim(call('done'))).toEqual(done);
  expect(await store.idempotency.claim(call('running'))).toEqual(running);
  expect(await store.idempotency.claim(call('new'))).toEqual({ state: 'claimed' });
});
