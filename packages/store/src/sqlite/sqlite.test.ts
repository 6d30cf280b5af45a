import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { openStore } from '../open.ts';
import { expectSafe, remoteName } from './platform.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayday-sqlite-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

const fresh = (name: string): string => join(folder, name);

async function refusal(url: string): Promise<{ readonly problem: unknown; readonly message: string }> {
  const thrown = await openStore(url).catch((cause: unknown) => cause);
  const { problem, message } = thrown as { problem: unknown; message: string };
  return { problem, message };
}

it.each([
  ['22.20.0', '3.50.4', 'Node 24.16 or newer, this is 22.20.0'],
  [
    '22.20.0',
    '3.50.4',
    'Update Node, or give a Redis or Valkey by its URL, or `memory:` to a gateway without workers',
  ],
  ['24.15.9', '3.53.4', 'Node 24.16 or newer, this is 24.15.9'],
  ['20.20.2', undefined, 'Node 24.16 or newer, this is 20.20.2'],
  ['26.0.0', '3.51.2', 'SQLite 3.51.3 or newer, this is 3.51.2'],
])('refuses Node %s with SQLite %s, and says why', (node, sqlite, message) => {
  expect(() => expectSafe({ node, sqlite })).toThrow(message);
});

it.each([
  ['24.16.0', '3.51.3'],
  ['25.0.0', '3.52.0'],
  ['26.1.0', '4.0.0'],
])('takes Node %s with SQLite %s', (node, sqlite) => {
  expect(() => expectSafe({ node, sqlite })).not.toThrow();
});

it('knows network file systems by their numbers', () => {
  expect([0x6969, 0xff534d42 | 0, 0x01021997, 0xef53].map(remoteName)).toEqual([
    'NFS',
    'CIFS',
    '9p',
    undefined,
  ]);
});

it('makes a file that nobody else reads, with a write-ahead log', async () => {
  const path = fresh('new.db');
  const store = await openStore(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const db = new DatabaseSync(path);
  expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  expect(db.prepare('SELECT version FROM mayday_schema').all()).toEqual([
    { version: 1 },
    { version: 2 },
    { version: 3 },
    { version: 4 },
    { version: 5 },
    { version: 6 },
  ]);
  db.close();
  await store.close();
});

it('leaves files alone that are no store, newer, or broken, and says so', async () => {
  writeFileSync(fresh('text.db'), 'no database at all, but long enough to look at');
  expect(await refusal(fresh('text.db'))).toMatchObject({ problem: 'unusable' });
  expect(readFileSync(fresh('text.db'), 'utf8')).toContain('no database at all');
  const foreign = new DatabaseSync(fresh('foreign.db'));
  foreign.exec('CREATE TABLE customers (name TEXT)');
  foreign.close();
  expect((await refusal(fresh('foreign.db'))).message).toContain('is a database of something else');
  await (await openStore(fresh('newer.db'))).close();
  const newer = new DatabaseSync(fresh('newer.db'));
  newer.exec("INSERT INTO mayday_schema VALUES (99, '')");
  newer.close();
  expect((await refusal(fresh('newer.db'))).message).toContain('was written by a newer version (99');
  mkdirSync(fresh('folder'));
  expect(await refusal(fresh('folder'))).toMatchObject({ problem: 'unusable' });
  expect((await refusal(fresh('missing/a.db'))).message).toContain('does not exist; make it');
});

it.skipIf(process.getuid?.() === 0)('refuses a file that cannot be written', async () => {
  await (await openStore(fresh('fixed.db'))).close();
  chmodSync(fresh('fixed.db'), 0o400);
  expect(await refusal(fresh('fixed.db'))).toMatchObject({ problem: 'read_only' });
});

it('refuses a file where nothing can be written, whoever asks', async () => {
  expect((await refusal('/proc/mayday.db')).message).toBe(
    '/proc/mayday.db cannot be made there; choose another folder',
  );
});

it('lets nobody change or remove a row of the audit log, and finds one that was', async () => {
  const path = fresh('audit.db');
  const store = await openStore(path);
  for (const target of ['1', '2', '3']) await store.audit.append({ actor: 'ada', action: 'pay', target });
  const db = new DatabaseSync(path);
  expect(() => db.exec("UPDATE audit SET deed = '{}' WHERE seq = 2")).toThrow('never changed');
  expect(() => db.exec('DELETE FROM audit WHERE seq = 3')).toThrow('never removed');
  expect(() => db.exec("INSERT OR REPLACE INTO audit VALUES (2, 0, '{}', '')")).toThrow(
    'only added at the end',
  );
  expect(await store.audit.verify()).toMatchObject({ ok: true, rows: 3 });
  db.exec('DROP TRIGGER audit_holds; DELETE FROM audit WHERE seq = 3');
  expect(await store.audit.verify()).toEqual({ ok: false, brokenAt: 3 });
  await store.audit.append({ actor: 'ada', action: 'pay', target: '3' });
  expect(await store.audit.verify()).toEqual({ ok: false, brokenAt: 4 });
  db.exec(
    "DROP TRIGGER audit_keeps; UPDATE audit SET deed = json_set(deed, '$.approved_by', 'eve') WHERE seq = 1",
  );
  expect(await store.audit.verify()).toEqual({ ok: false, brokenAt: 1 });
  db.exec("UPDATE audit SET deed = json_remove(deed, '$.approved_by') WHERE seq = 1");
  expect(await store.audit.verify()).toEqual({ ok: false, brokenAt: 4 });
  db.exec("UPDATE audit SET deed = replace(deed, 'ada', 'eve') WHERE seq = 2");
  expect(await store.audit.verify()).toEqual({ ok: false, brokenAt: 2 });
  db.exec("UPDATE audit SET deed = 'no json' WHERE seq = 1");
  expect(await store.audit.verify()).toEqual({ ok: false, brokenAt: 1 });
  db.close();
  await store.close();
});

it.each([
  ['removed', (path: string) => rmSync(path)],
  [
    'replaced',
    (path: string) => {
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
  ],
  ['robbed of its log', (path: string) => rmSync(`${path}-wal`)],
  ['robbed of what is shared', (path: string) => rmSync(`${path}-shm`)],
])('goes on with no file that was %s under it, and says so', async (what, change) => {
  const path = fresh(`${what}.db`);
  const store = await openStore(path);
  await store.audit.append({ actor: 'ada', action: 'x' });
  change(path);
  const gone = { name: 'StoreError', problem: 'unusable' };
  const call = { key: 'a', fingerprint: 'f', owner: 'ada', now: 0, leaseMs: 60_000, ttlMs: 60_000 };
  await expect(store.audit.append({ actor: 'ada', action: 'x' })).rejects.toMatchObject(gone);
  await expect(store.keys.list()).rejects.toMatchObject(gone);
  await expect((async () => store.idempotency.claim(call))()).rejects.toMatchObject(gone);
  const { ok, problem } = await store.health();
  expect([ok, problem]).toEqual([
    false,
    expect.stringContaining('was removed or replaced while it was open'),
  ]);
  await store.close();
});

it('forgets nothing when the clock is set, whoever opens it when', async () => {
  const path = fresh('clock.db');
  const DAY_MS = 86_400_000;
  const claim = { key: 'a', fingerprint: 'f', owner: 'ada', now: 0, leaseMs: 60_000, ttlMs: DAY_MS };
  const store = await openStore(path);
  await store.idempotency.claim(claim);
  await store.sessions.open({ id: 'gateway', owner: 'ada', node: 'n', ttlMs: 60_000 });
  const really = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: really + 2 * DAY_MS });
  const other = await openStore(path);
  for (const one of [store, other]) {
    expect(await one.idempotency.claim(claim)).toEqual({ state: 'running', fingerprint: 'f' });
    expect(await one.sessions.find('gateway')).toMatchObject({ node: 'n' });
  }
  await store.idempotency.finish({ key: 'a', answer: 'paid', now: 0 });
  for (const days of [4, -400]) {
    vi.setSystemTime(really + days * DAY_MS);
    const later = await openStore(path);
    for (const one of [store, other, later])
      expect(await one.idempotency.claim(claim)).toEqual({ state: 'done', fingerprint: 'f', answer: 'paid' });
    await later.close();
  }
  await store.close();
  await other.close();
});

it('is not well when its file is damaged', async () => {
  const path = fresh('damaged.db');
  const before = await openStore(path);
  for (let i = 0; i < 400; i += 1) await before.audit.append({ actor: 'ada', action: 'x'.repeat(200) });
  expect(await before.health()).toEqual({ ok: true, warnings: [] });
  await before.close();
  const bytes = readFileSync(path);
  const pages = Array.from({ length: bytes.length / 4096 }, (_, i) => i);
  const row = pages.find(
    (page) => page > 0 && bytes.subarray(page * 4096, page * 4096 + 4096).includes('xxxxxxxx'),
  );
  bytes.fill(0xff, (row ?? 0) * 4096, (row ?? 0) * 4096 + 4096);
  writeFileSync(path, bytes);
  const store = await openStore(path);
  expect((await store.health()).problem).toContain('is damaged');
  await store.close();
});

it('says that its tables are not as they were made', async () => {
  const path = fresh('dropped.db');
  const store = await openStore(path);
  const db = new DatabaseSync(path);
  db.exec('DROP TABLE audit');
  await expect(store.audit.list()).rejects.toMatchObject({ name: 'StoreError', problem: 'unusable' });
  await store.close();
  db.exec('DELETE FROM mayday_schema');
  db.close();
  expect((await refusal(path)).message).toContain('is not as a store made it');
});

it('waits for another process that writes, and goes on', async () => {
  const path = fresh('busy.db');
  const store = await openStore(path);
  const script = `const db = new (require('node:sqlite').DatabaseSync)(process.argv[1]);
    db.exec('BEGIN IMMEDIATE'); console.log('locked'); process.stdin.once('data', () => { db.exec('COMMIT'); process.exit(); });`;
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  await once(child.stdout, 'data');
  const taken = store.rates.take({ key: 'a', limit: 1, windowMs: 60_000, now: 0 });
  // Meanwhile this process has other things to do: one of them is what ends the other's writing.
  for (let turn = 0; turn < 3; turn += 1) await delay(50);
  child.stdin.end('commit');
  expect(await taken).toBe(0);
  await gone;
  await store.close();
});

it('keeps no caller waiting for what is only noted, while another process writes', async () => {
  const path = fresh('noted.db');
  const store = await openStore(path);
  const { key } = await store.keys.create({ principal: 'ada' });
  const digest = createHash('sha256').update(key).digest('hex');
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const began = performance.now();
  for (let i = 0; i < 3; i += 1) expect(await store.keys.lookup(digest)).toMatchObject({ principal: 'ada' });
  expect(performance.now() - began).toBeLessThan(1000);
  expect(await store.health()).toMatchObject({ ok: false });
  expect(performance.now() - began).toBeLessThan(3500);
  other.exec('COMMIT');
  other.close();
  await store.close();
});

it('is opened while another process writes nearly all the time', async () => {
  const path = fresh('pulses.db');
  await (await openStore(path)).close();
  const script = `const { DatabaseSync } = require('node:sqlite');
    const db = new DatabaseSync(process.argv[1], { timeout: 5000 });
    const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    console.log('begins');
    for (;;) { db.exec('BEGIN IMMEDIATE'); wait(40); db.exec('COMMIT'); wait(8); }`;
  const other = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void other.kill('SIGKILL'));
  await once(other.stdout, 'data');
  for (let i = 0; i < 10; i += 1) await (await openStore(path)).close();
});

it('is opened by many processes at once, the first time too', async () => {
  const path = fresh('together.db');
  const script = `import('@mayday/store').then(async ({ openStore }) => {
    const store = await openStore(process.argv[1]);
    for (let i = 0; i < 5; i += 1) await store.audit.append({ actor: 'ada', action: 'x' });
    await store.close(); });`;
  const run = async (): Promise<unknown> => {
    const args = ['--conditions=@mayday/source', '-e', script, path];
    const child = spawn(process.execPath, args, { stdio: 'inherit', cwd: import.meta.dirname });
    return (await once(child, 'exit'))[0];
  };
  expect(await Promise.all([run(), run(), run(), run()])).toEqual([0, 0, 0, 0]);
  const store = await openStore(path);
  expect(await store.audit.verify()).toMatchObject({ ok: true, rows: 20 });
  await store.close();
});

it('seals credentials for their caller and server, with a secret of its own', async () => {
  const path = fresh('sealed.db');
  const [ann, bob] = [
    { caller: 'ann', upstream: 'search' },
    { caller: 'bob', upstream: 'search' },
  ];
  const store = await openStore({ url: path, secret: 'one secret of the store' });
  await store.credentials.set(ann, 'token-of-ann');
  await store.credentials.set(bob, 'token-of-bob');
  const other = await openStore({ url: path, secret: 'another secret altogether' });
  for (const ask of [
    () => other.credentials.find(ann),
    () => other.credentials.check(),
    () => other.credentials.set(ann, 'token-of-eve'),
  ])
    await expect(ask()).rejects.toThrow('was sealed with another secret, or was changed since');
  await other.close();
  const db = new DatabaseSync(path);
  const kept = db.prepare('SELECT sealed FROM credentials ORDER BY caller').all();
  db.prepare('UPDATE credentials SET sealed = ? WHERE caller = ?').run(String(kept[1]?.['sealed']), '"ann"');
  db.close();
  await expect(store.credentials.find(ann)).rejects.toMatchObject({ problem: 'unusable' });
  expect(await store.credentials.find(bob)).toBe('token-of-bob');
  await store.close();
  expect(readFileSync(path).includes('token-of')).toBe(false);
  await expect(openStore({ url: path, secret: 'short' })).rejects.toThrow('16 or more characters');
});

it('keeps nothing of a call that is over once somebody has looked', async () => {
  const path = fresh('over.db');
  let now = 1_000_000;
  const store = await openStore({ url: path, clock: { now: () => now } });
  const asked = { fingerprint: 'f', caller: 'ann', upstream: 'bank', target: 'pay', now: 0, ttlMs: 1000 };
  await store.approvals.claim({ ...asked, arguments: { to: 'bob' } });
  now += 2000;
  expect(await store.approvals.waiting()).toEqual([]);
  const db = new DatabaseSync(path);
  expect(db.prepare('SELECT * FROM approvals').all()).toEqual([]);
  db.close();
  await store.close();
});

it('keeps the newest answers of an owner, and never more than it may', async () => {
  const { idempotency, close } = await openStore({ url: fresh('answers.db'), maxAnswersPerOwner: 100 });
  const claim = (i: number) =>
    idempotency.claim({
      ...{ key: `k${i}`, token: `t${i}`, owner: 'ann', fingerprint: 'f' },
      ...{ leaseMs: 1000, ttlMs: 60_000, now: 0 },
    });
  for (let i = 0; i < 150; i++) {
    await claim(i);
    await idempotency.finish({ key: `k${i}`, token: `t${i}`, answer: `a${i}`, now: 0 });
  }
  const kept: number[] = [];
  for (let i = 0; i < 150; i++) {
    const found = await claim(i);
    expect(found.state).toBe('done');
    kept.push(...('answer' in found && found.answer === `a${i}` ? [i] : []));
  }
  expect(kept.length).toBeGreaterThanOrEqual(98);
  expect(kept.length).toBeLessThanOrEqual(100);
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, at) => 150 - kept.length + at));
  await close();
});
