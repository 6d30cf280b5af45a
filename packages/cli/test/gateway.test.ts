/** `mayday gateway` before and around the gateway itself. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { mayday, start } from './mayday.ts';
import { plainServer } from './plain-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-'));
const file = join(folder, 'mayday.yaml');

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

test.each([
  [['--prot', '1'], '`mayday gateway` has no flag --prot; did you mean --port?'],
  [['--port', '70000'], '--port needs a number from 0 to 65535, not "70000"'],
  [['--port', '1e3'], '--port needs a number from 0 to 65535, not "1e3"'],
  [['--workers', '0'], '--workers needs a number from 1 to 64, not "0"'],
  [
    ['--stdio', '--workers', '2', '--', 'x'],
    '--workers and --stdio exclude each other: with --stdio there is one caller',
  ],
  [['--dialect', 'onxx'], '--dialect knows no dialect "onxx"; did you mean onx?'],
  [['ftp://x'], '"ftp://x" is no http URL; write a command after --'],
  [
    ['http://u:hunter2x9Q@127.0.0.1:x/mcp?token=hunter3y8W'],
    '"http://[credentials:1]@127.0.0.1:x/mcp?token=[token:1]" is no http URL; write a command after --',
  ],
  [['node', 'x.js'], '"node" is no http URL; write a command after --'],
  [['npx', '-y', 'x'], '"npx" is no http URL; write a command after --'],
  [['--dialect', 'onx', 'npx', '--yes', 'x'], '"npx" is no http URL; write a command after --'],
  [['--prot', 'x', '-q'], '`mayday gateway` has no flag --prot; did you mean --port?'],
  [
    ['http://127.0.0.1:1/mcp', '-y'],
    '`mayday gateway` has no flag -y; use one of --config, --port, --stdio, --workers, --serve, --dialect, --with, --quiet, --help',
  ],
  [['http://a', 'http://b'], 'one URL is enough; put several servers in a file and name it with --config'],
  [
    ['http://a', '--', 'x'],
    'a URL, --config and a command exclude each other; put several servers in a file',
  ],
  [['--serve', 'a', 'http://a'], '--serve chooses from a file; leave it out with a URL or a command'],
  [['--config', '/no/such/file'], '/no/such/file cannot be read (ENOENT); check the path'],
  [['--config', folder], `${folder} cannot be read (EISDIR); check the path`],
])('%j is wrong usage, told in a line', async (args, sentence) => {
  expect(await mayday(['gateway', ...args])).toEqual({ code: 2, out: '', err: `mayday: ${sentence}\n` });
});

test('one virtual server of a file is a plain command', async () => {
  const server = plainServer(folder, ['a', 'b']);
  const upstream = `{ command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(server)}] }`;
  writeFileSync(
    file,
    `upstreams: { x: ${upstream} }\nvirtual: { desk: { tools: [x/b], rename: { x/b: go } } }`,
  );
  const message = (id: number, method: string, params: object): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const clientInfo = { name: 't', version: '1' };
  const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const input = [
    message(1, 'initialize', opening),
    message(2, 'tools/list', {}),
    message(3, 'tools/call', { name: 'go', arguments: {} }),
  ].join('');
  const args = ['gateway', '--stdio', '--config', file, '--serve'];
  const { code, out } = await mayday([...args, 'desk'], input);
  const answers = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result: object });
  expect(code).toBe(0);
  expect(answers.find(({ id }) => id === 2)?.result).toMatchObject({ tools: [{ name: 'go' }] });
  expect(answers.find(({ id }) => id === 3)?.result).toEqual({ content: [{ type: 'text', text: 'b' }] });
  expect(await mayday([...args, 'dask'])).toEqual({
    code: 2,
    out: '',
    err: 'mayday: --serve "dask": the file has no such upstream or virtual server; did you mean desk?\n',
  });
});

test('an address that is not of this machine is no bug', async () => {
  writeFileSync(
    file,
    'listen: { host: 192.0.2.1 }\nkeys: [{ name: a, key: a-long-key }]\nupstreams: { a: { command: sh } }',
  );
  expect(await mayday(['gateway', '--config', file, '--port', '0'])).toEqual({
    code: 2,
    out: '',
    err: 'mayday: "192.0.2.1" is no address of this machine (EADDRNOTAVAIL); change listen.host\n',
  });
});

test('a store that cannot be used is no bug either, and its password stays here', async () => {
  const config = (store: string) => writeFileSync(file, `store: ${store}\nupstreams: { a: { command: sh } }`);
  config('./nowhere/mayday.db');
  const { code, out, err } = await mayday(['gateway', '--config', file, '--port', '0']);
  const told = `mayday: the store cannot be used: The folder ${join(folder, 'nowhere')} does not exist; make it, or choose another\n`;
  expect([code, out, err]).toEqual([2, '', told]);
  config('redis://me:hunter2hunter2@127.0.0.1:1');
  const down = await mayday(['gateway', '--config', file, '--stdio']);
  expect([down.code, down.out]).toEqual([2, '']);
  const words = 'Redis cannot be reached (ECONNREFUSED); check that it runs, and its URL';
  expect(down.err).toBe(`mayday: the store cannot be used: ${words}\n`);
});

test('mistakes in the file are told with their lines, and without secrets', async () => {
  writeFileSync(file, 'keys:\n  - { name: a, key: hunter2 }\nupstreams:\n  a: { comand: sh }\n');
  const { code, err } = await mayday(['gateway', '--config', file]);
  expect([code, err.split('\n')]).toEqual([
    2,
    [
      'mayday: the configuration cannot be used',
      `${file}:2: keys.0.key: Expected 8 or more visible characters of ASCII, in quotes and without spaces`,
      `${file}:4: upstreams.a: An upstream has one of command, url and openapi; here is comand; did you mean command?`,
      '',
    ],
  ]);
});

/** A gateway that runs, and what it has written. */
async function run(
  ...args: string[]
): Promise<{ out: () => string; err: () => string; child: ReturnType<typeof start> }> {
  const child = start(['gateway', '--port', '0', ...args]);
  running.push(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  while (!out.includes('/mcp')) await sleep(20);
  return { out: () => out, err: () => err, child };
}

/** Lines without the time that each begins with. */
function linesOf(log: string): readonly string[] {
  return log.split('\n').map((line) => line.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (?=.)/, ''));
}

test('every line of the log begins with the time', async () => {
  writeFileSync(file, 'upstreams:\n  a: { command: npxx }\n');
  const { err } = await run('--config', file);
  while (!err().includes('npxx')) await sleep(20);
  expect(err()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z warning: /);
});

test('SIGHUP reads the file again, and ends nothing', async () => {
  writeFileSync(file, 'upstreams:\n  a: { command: npxx }\n');
  const { err, child } = await run('--config', file);
  writeFileSync(file, 'upstreams:\n  a: { comand: sh }\n');
  while (!err().includes('not reloaded')) await sleep(20);
  writeFileSync(file, 'upstreams:\n  a: { command: npxy }\n');
  child.kill('SIGHUP');
  while (!err().includes('reloaded: a')) await sleep(20);
  expect(child.exitCode).toBeNull();
});

test('SIGHUP ends nothing where there is no file', async () => {
  const { err, child } = await run('--', 'sh');
  child.kill('SIGHUP');
  while (!err().includes('SIGHUP')) await sleep(20);
  expect(err()).toContain('SIGHUP: there is no file to read again');
  expect(child.exitCode).toBeNull();
});

test('warnings are told at the start and after a reload, and a reload names what needs a restart', async () => {
  const yaml = (command: string, host: string, keep: number): string =>
    `listen: { host: ${host} }\nfaults: { keep: ${keep} }\nupstreams:\n  a: { command: ${command} }\n`;
  writeFileSync(file, yaml('npxx', '127.0.0.1', 1));
  const { out, err } = await run('--config', file);
  expect(out()).toMatch(/^Mayday gateway, listening:\n {2}http:\S+\/a\/mcp\n {2}http:\S+\/mcp \(all of them/);
  while (!err().includes('npxx')) await sleep(20);
  expect(linesOf(err())).toEqual([`warning: ${file}:4: upstreams.a.command: command not found: npxx`, '']);
  writeFileSync(file, yaml('npxy', '127.0.0.2', 2));
  while (!err().includes('reloaded')) await sleep(20);
  expect(linesOf(err()).slice(1)).toEqual([
    `warning: ${file}:4: upstreams.a.command: command not found: npxy`,
    'a restart is needed for listen.host',
    'reloaded: a; changed: faults.keep, upstreams.a.command',
    '',
  ]);
});

test('a server alone is at /mcp', async () => {
  const { out } = await run('--quiet', '--', 'sh');
  expect(out()).toMatch(
    /^Mayday gateway, listening:\n {2}(http:\/\/127\.0\.0\.1:\d+)\/mcp\n {2}\1\/-\/console\/ \(the console, for operators\)\n$/,
  );
});
