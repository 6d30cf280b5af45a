/** Its end: when its input ends or it is told to stop it answers what it was asked, and leaves no process behind. */
import { spawn } from 'node:child_process';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { faultOf } from '../../gateway/acceptance/support/http.ts';
import {
  BIN,
  calling,
  descendants,
  endAll,
  follow,
  left,
  mayday,
  soon,
  wrapped,
} from './support/plain-command.ts';

const SOON = { timeout: 8000, interval: 50 };
const LATER = [{ wait: 400 }, { answer: { result: { content: [{ type: 'text', text: 'late' }] } } }];
afterAll(endAll);

/** Answers everything, ignores signals and the end of its input, and has a child that does too. */
const STUBBORN = `
const deaf = 'for (const name of ["SIGTERM", "SIGHUP", "SIGINT"]) process.on(name, () => {}); setInterval(() => {}, 1000);';
eval(deaf);
require('node:child_process').spawn(process.execPath, ['-e', deaf], { stdio: 'ignore' });
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`;

describe('its input ends', () => {
  it('before anything was said', async () => {
    const plain = wrapped();
    expect(await plain.end()).toBe(0);
    expect(plain.output()).toBe('');
  });

  it('while calls run: they are answered first', async () => {
    const plain = wrapped();
    await plain.open();
    const all = descendants(plain.pid);
    expect(all.length).toBeGreaterThan(0);
    plain.send(calling(1, LATER), calling(2, LATER));
    expect(await plain.end()).toBe(0);
    expect([1, 2].map((id) => plain.answers(id).map(({ result }) => result.content[0].text))).toEqual([
      ['late'],
      ['late'],
    ]);
    expect(await left(all)).toEqual([]);
  });

  it('in the middle of a line', async () => {
    const plain = wrapped();
    await plain.open();
    plain.write('{"jsonrpc":"2.0","id":1,"method":"too');
    expect(await plain.end()).toBe(0);
    expect(plain.messages().filter(({ error }) => error?.code === -32700).length).toBe(1);
  });

  it('nobody reads its output any more', async () => {
    const plain = wrapped();
    await plain.open();
    const all = descendants(plain.pid);
    const gone = new Promise((resolve) => plain.child.once('exit', resolve));
    plain.child.stdout.destroy();
    plain.send({ id: 1, method: 'ping' }, { id: 2, method: 'ping' });
    await soon(gone, 12_000);
    expect(await left(all)).toEqual([]);
  });

  it('standard error is closed: calls go on', async () => {
    const plain = wrapped();
    await plain.open();
    plain.child.stderr.destroy();
    for (const name of ['no', 'nor', 'none']) {
      expect(faultOf(await plain.ask('tools/call', { name }))).toMatchObject({ kind: 'not_found' });
    }
    expect(await plain.end()).toBe(0);
  });
});

describe('signals', () => {
  it('SIGTERM lets calls finish for 5 s and answers the rest', async () => {
    const plain = wrapped();
    await plain.open();
    const all = descendants(plain.pid);
    plain.send(calling(1, LATER), calling(2, [{ hang: true }]));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const started = Date.now();
    plain.child.kill('SIGTERM');
    expect(await soon(plain.gone, 12_000)).toBe(0);
    expect(Date.now() - started).toBeGreaterThan(4000);
    expect(plain.answers(1)[0]?.['result'].content[0].text).toBe('late');
    expect(faultOf(plain.answers(2)[0] ?? {})).toMatchObject({ kind: 'disconnected', executed: 'maybe' });
    expect(await left(all)).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
    '%s stops a server that will not, and its child',
    async (signal) => {
      const plain = mayday(['wrap', '--', process.execPath, '-e', STUBBORN]);
      await plain.open();
      await vi.waitFor(() => expect(descendants(plain.pid).length).toBeGreaterThan(2), SOON);
      const all = descendants(plain.pid);
      plain.child.kill(signal);
      await soon(plain.gone, 12_000);
      expect(await left(all)).toEqual([]);
    },
  );

  it('the end of the input stops a server that will not, and its child', async () => {
    const plain = mayday(['wrap', '--', process.execPath, '-e', STUBBORN]);
    await plain.open();
    await vi.waitFor(() => expect(descendants(plain.pid).length).toBeGreaterThan(2), SOON);
    const all = descendants(plain.pid);
    expect(await plain.end()).toBe(0);
    expect(await left(all)).toEqual([]);
  });

  it('a client that is killed leaves nothing behind', async () => {
    const start = `
      const args = ${JSON.stringify([BIN, 'wrap', '--', process.execPath, '-e', STUBBORN])};
      const child = require('node:child_process').spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
      process.stdin.pipe(child.stdin);
      child.stdout.pipe(process.stdout);`;
    const client = follow(spawn(process.execPath, ['-e', start], { stdio: 'pipe' }));
    await client.open();
    await vi.waitFor(() => expect(descendants(client.pid).length).toBeGreaterThan(3), SOON);
    const all = descendants(client.pid);
    client.child.kill('SIGKILL');
    expect(await left(all, 8000)).toEqual([]);
  });
});
