/** `mayday keys` and `mayday audit`, as an operator uses them beside a running gateway. */

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { mayday, PROGRAM, start } from './mayday.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-keys-'));
let files = 0;
const newFile = (): string => join(folder, `${++files}.db`);

const running: ReturnType<typeof start>[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

const KEY = /^mdy_([0-9a-f]{12})_[\w-]{43}\n$/;

async function made(...words: string[]): Promise<{ readonly key: string; readonly id: string }> {
  const { code, out, err } = await mayday(['keys', 'create', ...words]);
  expect([code, out]).toEqual([0, expect.stringMatching(KEY)]);
  const id = KEY.exec(out)?.[1] ?? '';
  expect(err).toBe(
    `Key ${id} of ${words[0]} is shown once; its caller sends it as Authorization: Bearer <key>.\n`,
  );
  return { key: out.trim(), id };
}

test('a running gateway takes a new key at once, both secrets of an exchanged one, and no revoked one', async () => {
  const [config, db] = [join(folder, 'mayday.yaml'), `${randomUUID()}.db`];
  writeFileSync(
    config,
    `store: file:./${db}\nupstreams: { a: { url: "http://127.0.0.1:9/mcp", retry: { attempts: 1 } } }\n`,
  );
  const { key, id } = await made('ann', '--config', config, '--role', 'operator');
  const child = start(['gateway', '--port', '0', '--config', config]);
  running.push(child);
  let [out, log] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  while (!out.includes('/mcp')) await sleep(20);
  const url = /http:\/\/[\d.:]+/.exec(out)?.[0] ?? '';
  const status = async (secret: string): Promise<number> =>
    (await fetch(`${url}/-/status`, { headers: { authorization: `Bearer ${secret}` } })).status;
  expect([await status(key), await status('nobodys-key'), (await fetch(`${url}/-/status`)).status]).toEqual([
    200, 401, 401,
  ]);
  const bob = await made('bob', '--config', config);
  expect(await status(bob.key)).toBe(403);
  const rotated = await mayday(['keys', 'rotate', id, '--config', config]);
  expect([rotated.code, rotated.out]).toEqual([0, expect.stringMatching(KEY)]);
  expect([await status(key), await status(rotated.out.trim())]).toEqual([200, 200]);
  expect((await mayday(['keys', 'revoke', id, '--config', config])).code).toBe(0);
  const since = performance.now();
  while ((await status(key)) !== 401 || (await status(rotated.out.trim())) !== 401) await sleep(50);
  expect(performance.now() - since).toBeLessThan(2500);
  for (const secret of [key, bob.key, rotated.out.trim()]) {
    expect(log).not.toContain(secret);
    expect(readFileSync(join(folder, db), 'latin1')).not.toContain(secret);
  }
});

test('keys are listed without their secrets', async () => {
  const store = newFile();
  const { id } = await made(
    'ann',
    '--store',
    store,
    '--upstreams',
    'a,b',
    '--tenant',
    'Acme Ltd',
    '--scopes',
    'bank:pay,role:operator',
    '--dialect',
    'onx',
    '--expires',
    '30d',
  );
  const { key: secret, id: second } = await made('bob', '--store', store, '--role', 'operator');
  await mayday(['keys', 'revoke', second, '--store', store]);
  const { code, out, err } = await mayday(['keys', 'list', '--json', '--store', `file:${store}`]);
  expect([code, err]).toEqual([0, '']);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const common = { created_at: time, last_used_at: null };
  expect(JSON.parse(out)).toEqual({
    keys: [
      {
        ...common,
        id,
        name: 'ann',
        role: 'caller',
        upstreams: ['a', 'b'],
        tenant: 'Acme Ltd',
        scopes: ['bank:pay', 'role:operator'],
        dialect: 'onx',
        expires_at: time,
        state: 'good',
      },
      {
        ...common,
        id: second,
        name: 'bob',
        role: 'operator',
        upstreams: null,
        tenant: null,
        scopes: [],
        dialect: null,
        expires_at: null,
        state: 'revoked',
      },
    ],
  });
  const table = await mayday(['keys', 'list', '--store', store]);
  expect(table.out.split('\n').map((line) => line.slice(0, 28).trimEnd())).toEqual([
    'ID            NAME  STATE',
    `${id}  ann   good`,
    `${second}  bob   revoked`,
    '',
  ]);
  expect(out + table.out).not.toContain(secret.slice(17));
});

test('every change is a row of the audit log, which tells when it was tampered with', async () => {
  const store = newFile();
  const { id } = await made('ann', '--store', store);
  await mayday(['keys', 'rotate', id, '--overlap', '0', '--store', store]);
  await mayday(['keys', 'revoke', id, '--store', store]);
  const { out } = await mayday(['audit', '--json', '--store', store]);
  const rows = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows.map(({ seq, action, target }) => [seq, action, target])).toEqual([
    [1, 'keys.create', id],
    [2, 'keys.rotate', id],
    [3, 'keys.revoke', id],
  ]);
  expect(rows[0].details).toEqual({ name: 'ann', scopes: [], expires_in_ms: null });
  const head = `3:${rows[2].hash}`;
  const whole = { code: 0, out: `3 rows, none changed or missing; the last is ${head}\n`, err: '' };
  expect(await mayday(['audit', 'verify', '--store', store])).toEqual(whole);
  expect(await mayday(['audit', 'verify', '--known', head, '--store', store])).toEqual(whole);
  const file = new DatabaseSync(store);
  for (const { name } of file.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all())
    file.exec(`DROP TRIGGER "${name}"`);
  file.exec('DELETE FROM audit WHERE seq = 3');
  file.close();
  const cut = { code: 1, out: 'Row 3 was changed, or is missing.\n', err: '' };
  expect(await mayday(['audit', 'verify', '--known', head, '--store', store])).toEqual(cut);
  expect(await mayday(['audit', 'verify', '--store', store])).toEqual(cut);
  const changed = new DatabaseSync(store);
  changed.exec('DELETE FROM audit WHERE seq = 1');
  changed.close();
  const broken = { code: 1, out: 'Row 1 was changed, or is missing.\n', err: '' };
  expect(await mayday(['audit', 'verify', '--store', store])).toEqual(broken);
});

test('a key is revoked whatever its time says, and is named where its secret cannot be written', async () => {
  const store = newFile();
  const { id } = await made('ann', '--store', store, '--expires', '1s');
  await sleep(1100);
  const listed = await mayday(['keys', 'list', '--json', '--store', store]);
  expect(JSON.parse(listed.out).keys).toMatchObject([{ id, state: 'expired' }]);
  expect(await mayday(['keys', 'rotate', id, '--store', store])).toMatchObject({ code: 1 });
  expect(await mayday(['keys', 'revoke', id, '--store', store])).toMatchObject({ code: 0 });
  expect(await mayday(['keys', 'revoke', id, '--store', store])).toMatchObject({ code: 1 });
  const child = spawnSync(
    'sh',
    ['-c', `"$0" "$@" > /dev/full`, process.execPath, ...PROGRAM, 'keys', 'create', 'bob', '--store', store],
    { encoding: 'utf8' },
  );
  const keys = JSON.parse((await mayday(['keys', 'list', '--json', '--store', store])).out).keys;
  expect([child.status, child.stderr]).toEqual([2, expect.stringContaining(`Key ${keys[1].id} of bob`)]);
});

test('a key with an end is renewed with its new secret, and told until when both are good', {
  timeout: 60_000,
}, async () => {
  const store = newFile();
  const { id } = await made('ann', '--store', store, '--expires', '30d');
  const told = async (...words: string[]): Promise<string> => {
    const { code, err } = await mayday(['keys', 'rotate', id, '--store', store, ...words]);
    expect(code).toBe(0);
    return err.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME');
  };
  const start = `This is the new secret of key ${id} of ann, shown once, good until TIME; the old one`;
  expect(await told()).toBe(`${start} is good for 1h more.\n`);
  expect(await told('--overlap', '31d', '--expires', '90d')).toBe(`${start} is good until TIME.\n`);
  expect(await told('--overlap', '0')).toBe(`${start} is over: gateways refuse it within two seconds.\n`);
  const { keys } = JSON.parse((await mayday(['keys', 'list', '--json', '--store', store])).out);
  const days = (Date.parse(keys[0].expires_at) - Date.parse(keys[0].created_at)) / 86_400_000;
  expect(Math.round(days)).toBe(90);
});

test('what is not there is not there', async () => {
  const store = newFile();
  expect(await mayday(['keys', 'list', '--store', store])).toEqual({
    code: 2,
    out: '',
    err: `mayday: there is no store at ${store}; check the path\n`,
  });
  expect(existsSync(store)).toBe(false);
  await made('ann', '--store', store);
  const unknown = await mayday(['keys', 'revoke', 'nope', '--store', store]);
  expect(unknown).toEqual({
    code: 1,
    out: '',
    err: 'mayday: no good key has the id "nope"; `mayday keys list` lists them\n',
  });
});

test('a name is for one caller', async () => {
  const store = newFile();
  const { id } = await made('ann', '--store', store);
  expect(await mayday(['keys', 'create', 'ann', '--store', store])).toEqual({
    code: 2,
    out: '',
    err: `mayday: "ann" has a key (${id}); exchange it with \`mayday keys rotate ${id}\`, or choose another name\n`,
  });
  await mayday(['keys', 'revoke', id, '--store', store]);
  await made('ann', '--store', store);
});

test.each([
  [['keys'], '`mayday keys` needs to know what to do; '],
  [['keys', 'creat', 'x'], '`mayday keys` cannot "creat"; did you mean create?'],
  [['keys', 'create'], 'write `mayday keys create NAME`'],
  [['keys', 'create', 'x', '--scopes', 'a,,b'], '--scopes needs words with commas between them, not ""'],
  [['keys', 'create', 'x', '--tenant', ' a'], 'a tenant has 1 to 100 characters'],
  [['keys', 'list', 'x'], 'write `mayday keys list`'],
  [['keys', 'list', '--expires', '1d'], '--expires means nothing to `mayday keys list`; leave it out'],
  [['keys', 'create', 'x'], 'which store? Give --store URL, or --config FILE'],
  [
    ['keys', 'create', 'x', '--store', 'memory:'],
    'a store in memory is known to one process alone; name a file or a server',
  ],
  [
    ['keys', 'create', 'ann\u{e0041}', '--store', '/x'],
    'a name has 1 to 100 characters that can be seen, no line breaks, and no blanks around it',
  ],
  [
    ['keys', 'create', 'a\nb', '--store', '/x'],
    'a name has 1 to 100 characters that can be seen, no line breaks, and no blanks around it',
  ],
  [
    ['keys', 'create', 'x', '--role', 'opertor', '--store', '/x'],
    '--role knows no "opertor"; did you mean operator?',
  ],
  [
    ['keys', 'create', 'x', '--expires', '1y', '--store', '/x'],
    '--expires needs a time like 90s, 15m, 12h or 30d, at most 10000d, not "1y"',
  ],
  [
    ['keys', 'create', 'x', '--upstreams', 'a,,b', '--store', '/x'],
    '--upstreams needs names of servers with commas between them, not ""',
  ],
  [
    ['keys', 'create', 'x', '--store', 'postgres://me:secret@x'],
    'the store cannot be used: No store is known for this URL',
  ],
  [
    ['keys', 'create', 'x', '--store', '/no/such/folder/x.db'],
    'the store cannot be used: The folder /no/such/folder does not exist',
  ],
  [['audit', 'verfy'], '`mayday audit` cannot "verfy"; did you mean verify?'],
  [
    ['audit', 'verify', '--known', '3', '--store', folder],
    '--known needs the number and the hash of a row, as N:HASH',
  ],
])('%j is wrong usage, told in a line and without secrets', async (args, sentence) => {
  const { code, out, err } = await mayday(args);
  expect([code, out]).toEqual([2, '']);
  expect(err.startsWith(`mayday: ${sentence}`), err).toBe(true);
  expect(err.split('\n')).toHaveLength(2);
  expect(err).not.toContain('secret');
});
