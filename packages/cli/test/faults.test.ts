/** `mayday faults`, over a store that gateways have written to. */
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '@mayday/store';
import { expect, test } from 'vitest';
import { hasRedis, startRedis } from '../../store/test/redis-server.ts';
import { mayday, start } from './mayday.ts';

const entry = (message: string, fingerprint: string) => ({
  fingerprint,
  kind: 'not_found',
  origin: 'server',
  upstream: 'shop',
  message,
  details: { target: 'find', caller: 'ann' },
});

test('lists, groups and follows', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'mayday-')), 'faults.db');
  const store = await openStore(path);
  await store.faults.append([
    entry('Order 1 is gone', '1.a'),
    entry('Order 2 is gone', '1.a'),
    {
      ...entry('a\u001b[2Jb', '1.b'),
      details: { target: 'find', caller: 'ann', fields: ['user.name', 'b'] },
    },
  ]);
  const listed = await mayday(['faults', '--store', path]);
  const lines = listed.out.split('\n').map((line) => line.replace(/^\S+Z {2}/, ''));
  expect([listed.code, listed.err, lines]).toEqual([
    0,
    '',
    [
      'shop  find  ann  not_found  1.a  Order 1 is gone',
      'shop  find  ann  not_found  1.a  Order 2 is gone',
      'shop  find  ann  not_found  1.b  a\\u{1b}[2Jb (user.name, b)',
      '',
    ],
  ]);
  const grouped = await mayday(['faults', '--group', '--json', '--store', path]);
  const groups = grouped.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(groups.map(({ count, fingerprint, message }) => [count, fingerprint, message])).toEqual([
    [1, '1.b', 'a\u001b[2Jb'],
    [2, '1.a', 'Order 2 is gone'],
  ]);
  const following = start(['faults', '--follow', '--limit', '1', '--store', path]);
  let out = '';
  following.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  while (!out.includes('1.b')) await sleep(20);
  await store.faults.append([entry('Order 3 is gone', '1.a')]);
  while (!out.includes('Order 3 is gone')) await sleep(20);
  following.kill('SIGTERM');
  expect(await once(following, 'exit')).toEqual([0, null]);
  await store.close();
});

test.skipIf(!hasRedis)('follows a store that goes away for a while', async () => {
  const redis = await startRedis();
  const following = start(['faults', '--follow', '--store', redis.url]);
  let [out, err] = ['', ''];
  following.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  following.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const before = await openStore(redis.url);
  await before.faults.append([entry('Order 1 is gone', '1.a')]);
  await before.close();
  while (!out.includes('Order 1')) await sleep(20);
  redis.signal('SIGKILL');
  while (!err.includes('it is asked again')) await sleep(20);
  await redis.restart();
  const store = await openStore(redis.url);
  await store.faults.append([entry('Order 2 is gone', '1.a')]);
  while (!out.includes('Order 2')) await sleep(20);
  following.kill('SIGTERM');
  expect(await once(following, 'exit')).toEqual([0, null]);
  await store.close();
  await redis.stop();
});

test.each([
  [['--group', '--follow'], '--group and --follow exclude each other; keep one of them'],
  [['--limit', '0'], '--limit needs a number from 1 to 10000, not "0"'],
  [['x'], '`mayday faults` takes no argument "x"; leave it out'],
])('%j is wrong usage', async (args, sentence) => {
  expect(await mayday(['faults', ...args])).toEqual({ code: 2, out: '', err: `mayday: ${sentence}\n` });
});
