/** `mayday store`, as an operator uses it beside a running gateway; and what commands on a store say of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { mayday, start } from './mayday.ts';

const running: ReturnType<typeof start>[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

const SETTINGS =
  'listen: { port: 0 }\nstore: file:./mayday.db\nupstreams: { a: { url: "http://127.0.0.1:9/mcp" } }\n';

function newFolder(settings = SETTINGS): string {
  const cwd = mkdtempSync(join(tmpdir(), 'mayday-copies-'));
  writeFileSync(join(cwd, 'mayday.yaml'), settings);
  return cwd;
}

async function gateway(cwd: string) {
  const child = start(['gateway'], { cwd });
  running.push(child);
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  while (!out.includes('/mcp')) await sleep(20);
  const url = /http:\/\/[\d.:]+/.exec(out)?.[0] ?? '';
  const status = async (key?: string): Promise<number> =>
    (await fetch(`${url}/-/status`, { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } }))
      .status;
  return { child, status };
}

test('a copy that was made beside a running gateway brings its keys back', { timeout: 90_000 }, async () => {
  const cwd = newFolder();
  const { child } = await gateway(cwd);
  const made = await mayday(['keys', 'create', 'ops', '--role', 'operator'], '', { cwd });
  const key = made.out.trim();
  expect(await mayday(['store', 'backup', 'copy.db'], '', { cwd })).toEqual({
    code: 0,
    out: '',
    err: 'The store is copied to copy.db; `mayday store restore copy.db` brings it back.\n',
  });
  const early = await mayday(['store', 'restore', 'copy.db'], '', { cwd });
  expect([early.code, early.err]).toEqual([
    2,
    expect.stringMatching(/^mayday: the store cannot be used: .*mayday\.db is in use; stop every gateway/),
  ]);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  for (const end of ['', '-wal', '-shm']) rmSync(join(cwd, `mayday.db${end}`), { force: true });
  expect(await mayday(['store', 'restore', 'copy.db'], '', { cwd })).toEqual({
    code: 0,
    out: '',
    err: 'The store is as it was when copy.db was made.\n',
  });
  const { status } = await gateway(cwd);
  expect([await status(), await status(key)]).toEqual([401, 200]);
});

test.each([
  [['store'], '`mayday store` needs to know what to do; '],
  [['store', 'bakcup', 'x'], '`mayday store` cannot "bakcup"; did you mean backup?'],
  [['store', 'backup'], 'write `mayday store backup FILE`'],
  [['store', 'restore', 'a', 'b'], 'write `mayday store restore FILE`'],
  [['store', 'backup', 'x', '--store', 'memory:'], 'a store in memory is known to one process alone'],
  [
    ['store', 'backup', 'x', '--store', '/no/such/mayday.db'],
    'the store cannot be used: There is no store at',
  ],
])('%j is wrong usage', async (args, sentence) => {
  const { code, out, err } = await mayday(args, '', { cwd: newFolder() });
  expect([code, out]).toEqual([2, '']);
  expect(err.startsWith(`mayday: ${sentence}`), err).toBe(true);
});

test('a file that needs what this shell has not says how the store is used without it', async () => {
  const cwd = newFolder(`${SETTINGS}keys: [{ name: ops, key: "\${OPS_KEY_THAT_IS_NOT_SET}" }]\n`);
  const { code, err } = await mayday(['keys', 'list'], '', { cwd });
  expect([code, err.split('\n').at(-2)]).toEqual([
    2,
    'to use the store without this file, name it with --store URL',
  ]);
});

test('who does not answer is no wrong usage', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const nobody = await mayday(['status', '--url', `http://127.0.0.1:${port}`]);
  expect([nobody.code, nobody.err]).toEqual([1, expect.stringContaining('no gateway answers at')]);
  const down = await mayday(['keys', 'list', '--store', 'redis://:secret@127.0.0.1:1']);
  expect([down.code, down.err]).toEqual([
    1,
    expect.stringContaining('Redis cannot be reached (ECONNREFUSED)'),
  ]);
});

test('an empty journal and an empty log say so', async () => {
  const cwd = newFolder();
  await mayday(['keys', 'create', 'ann', '--store', './mayday.db'], '', { cwd });
  const nothing = { code: 0, out: '', err: 'The journal of failures is empty.\n' };
  expect(await mayday(['faults'], '', { cwd })).toEqual(nothing);
  expect(await mayday(['faults', '--group'], '', { cwd })).toEqual(nothing);
  expect(await mayday(['audit', '--after', '1'], '', { cwd })).toEqual({
    ...nothing,
    err: 'The audit log has no row after 1.\n',
  });
  expect(await mayday(['faults', '--json'], '', { cwd })).toEqual({ ...nothing, err: '' });
});
