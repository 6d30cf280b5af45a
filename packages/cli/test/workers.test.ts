/** `mayday gateway --workers` before and after its workers. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mayday, start } from './mayday.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-'));
const env = { TMPDIR: folder };
let server: Server;

beforeAll(async () => {
  server = createServer((_, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const port = (): number => (server.address() as AddressInfo).port;
const url = (): string => `http://127.0.0.1:${port()}/mcp`;
const left = (): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith('mayday-workers-'));

async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let tries = 0; tries < 500; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(40);
  }
  throw new Error('it did not come to that');
}

test('a port that is taken is told once, in a line', async () => {
  const args = ['gateway', '--workers', '2', '--port', String(port()), url()];
  expect(await mayday(args, '', { env })).toEqual({
    code: 2,
    out: '',
    err: `mayday: port ${port()} is taken; choose another one with --port\n`,
  });
  expect(left()).toEqual([]);
});

test('workers share no memory', async () => {
  const file = join(folder, 'mayday.yaml');
  writeFileSync(file, `workers: 2\nstore: 'memory:'\nupstreams: { a: { url: '${url()}' } }`);
  expect(await mayday(['gateway', '--config', file], '', { env })).toEqual({
    code: 2,
    out: '',
    err: 'mayday: workers cannot share a store in memory; name a Redis or Valkey, or with Node 24.16 or newer a file (`store: file:./mayday.db`), or start the gateway without workers\n',
  });
});

test('a folder for temporary files whose path is too long for sockets is told', async () => {
  const long = join(folder, 'x'.repeat(80));
  mkdirSync(long, { recursive: true });
  const args = ['gateway', '--workers', '2', '--port', '0', url()];
  const { code, err } = await mayday(args, '', { env: { TMPDIR: long } });
  expect(code).toBe(2);
  expect(err).toBe(
    `mayday: the path of TMPDIR is too long for the sockets of workers (${long.length} characters, at most 68); set a shorter one\n`,
  );
});

interface Living {
  readonly pid: number;
}

test('the port stays when all workers die, and the workers go with whoever holds it', async () => {
  const child = start(['gateway', '--workers', '2', '--port', '0', url()], { env });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.resume();
  const base = await until(() => /http:\S+(?=\/mcp)/.exec(out)?.[0]);
  const living = async (): Promise<readonly Living[] | undefined> => {
    const answer = await fetch(`${base}/-/status`).catch(() => undefined);
    const { workers } = (answer?.ok === true ? await answer.json() : {}) as { workers?: readonly Living[] };
    return workers?.length === 2 ? workers : undefined;
  };
  const first = await until(living);
  expect(out).toContain('Mayday gateway, 2 workers, listening:\n');
  for (const { pid } of first) process.kill(pid, 'SIGKILL');
  const second = await until(async () => {
    const now = await living();
    return now?.some(({ pid }) => first.some((one) => one.pid === pid)) === true ? undefined : now;
  });
  child.kill('SIGKILL');
  const isGone = ({ pid }: Living): boolean => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  };
  await until(() => (second.every(isGone) && left().length === 0 ? true : undefined));
});
