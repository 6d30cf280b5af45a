/** In the server's place: what the client meant for the server reaches it, and nothing outlives the client. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import {
  calling,
  descendants,
  endAll,
  follow,
  left,
  mayday,
  soon,
  wrapped,
} from './support/plain-command.ts';

afterAll(endAll);

const TELLS_TOKEN = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  const serverInfo = { name: String(process.env.MY_TOKEN), version: '1' };
  const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`;

it('the server sees the environment that the client has set', async () => {
  const plain = mayday(['wrap', '--', process.execPath, '-e', TELLS_TOKEN], {
    env: { MY_TOKEN: 'for-it-$HOME' },
  });
  const { result } = await plain.open();
  expect(result.serverInfo.name).toBe('for-it-$HOME');
  expect(await plain.end()).toBe(0);
});

it('a cancelled call of a session is not answered', async () => {
  const plain = wrapped();
  await plain.open();
  plain.send(calling(5, [{ hang: true }]));
  await sleep(300);
  plain.send({ method: 'notifications/cancelled', params: { requestId: 5 } });
  await plain.ask('ping');
  await sleep(300);
  expect(plain.answers(5)).toEqual([]);
  expect(await plain.end()).toBe(0);
});

it.each([
  ['a method that is none', Buffer.from('{"jsonrpc":"2.0","id":10,"method":5}\n'), 10],
  [
    'bytes that are no UTF-8',
    Buffer.from('{"jsonrpc":"2.0","id":"u","method":"ping","params":{"a":"\xff"}}\n', 'latin1'),
    'u',
  ],
])('%s: the request is answered under its id', async (_name, line, id) => {
  const plain = wrapped();
  await plain.open();
  plain.write(line);
  const { error } = await plain.answer(id);
  expect(error.code).toBeLessThan(0);
  expect(await plain.end()).toBe(0);
});

it('blanks are no message', async () => {
  const plain = wrapped();
  await plain.open();
  plain.write('  \n\t\r\n \n');
  await plain.ask('ping');
  expect(plain.messages().filter(({ error }) => error !== undefined)).toEqual([]);
  expect(await plain.end()).toBe(0);
});

it('3,000 calls at once all succeed', async () => {
  const plain = wrapped();
  await plain.open();
  const answer = [{ answer: { result: { content: [{ type: 'text', text: 'ok' }] } } }];
  for (let id = 0; id < 3000; id += 1) plain.send(calling(id, answer));
  expect(await plain.end(60_000)).toBe(0);
  const texts = plain.messages().map(({ result }) => result?.content?.[0]?.text);
  expect(texts.filter((text) => text === 'ok').length).toBe(3000);
}, 70_000);

it('SIGTERM ends it, though nobody reads its output', async () => {
  const plain = wrapped();
  await plain.open();
  const all = [plain.pid, ...descendants(plain.pid)];
  plain.child.stdout.pause();
  const large = [{ answer: { result: { content: [{ type: 'text', text: 'x'.repeat(65_536) }] } } }];
  for (let id = 0; id < 60; id += 1) plain.send(calling(id, large));
  await sleep(1500);
  plain.child.kill('SIGTERM');
  expect(await left(all, 10_000)).toEqual([]);
});

it('it ends, though nobody reads its log', async () => {
  const plain = wrapped();
  await plain.open();
  const all = [plain.pid, ...descendants(plain.pid)];
  plain.child.stderr.pause();
  const fails = [{ answer: { error: { code: -32603, message: `no ${'y'.repeat(400)}` } } }];
  for (let id = 0; id < 1500; id += 1) plain.send(calling(id, fails));
  await plain.answer(1499, 30_000);
  plain.child.stdin.end();
  expect(await left(all, 10_000)).toEqual([]);
});

it('SIGHUP ends it where there is no file to read again', async () => {
  const plain = wrapped();
  await plain.open();
  const all = descendants(plain.pid);
  plain.child.kill('SIGHUP');
  expect(await soon(plain.gone, 8000)).toBe(0);
  expect(await left(all)).toEqual([]);
});

it('it ends when its client is killed, though a call hangs', async () => {
  const client = `
    const child = require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
    process.stdin.pipe(child.stdin); child.stdout.pipe(process.stdout);`;
  const puppet = wrapped().child.spawnargs.slice(1);
  const plain = follow(spawn(process.execPath, ['-e', client, ...puppet], { stdio: 'pipe' }));
  await plain.open();
  plain.send(calling(1, [{ hang: true }]));
  await sleep(300);
  const all = descendants(plain.pid);
  expect(all.length).toBeGreaterThan(1);
  plain.child.kill('SIGKILL');
  expect(await left(all, 12_000)).toEqual([]);
});

it('an unknown flag is told with those of wrap', async () => {
  const plain = mayday(['wrap', '--bogus', '--', 'node']);
  expect(await plain.gone).toBe(2);
  expect(plain.log()).toContain('`mayday wrap` has no flag --bogus');
  expect(plain.log()).not.toContain('--port');
});
