/** `mayday wrap` whose parent is gone without a word, while a call is under way. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { PROGRAM } from './mayday.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-'));

const OPENED = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's' } };

/** Starts a command, opens a conversation, calls a tool that does not answer, and tells the ids of both. */
const PARENT = `
const child = require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: ['pipe', 'pipe', require('node:fs').openSync(process.env.ERRORS, 'a')] });
const say = (message) => child.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const clientInfo = { name: 't', version: '1' };
say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
child.stdout.once('data', () => {
  say({ method: 'notifications/initialized' });
  say({ id: 2, method: 'tools/call', params: { name: 'wait', arguments: {} } });
  console.log(child.pid);
});`;

const SERVER = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const result = method === 'initialize' ? ${JSON.stringify(OPENED)} : { tools: [] };
  if (method === 'tools/call') require('node:fs').writeFileSync(process.argv[2], String(process.pid));
  else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`;

/** What it writes to its standard error. */
const ERRORS = join(folder, 'errors');

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** Starts the parent of `mayday wrap …`: itself, and the id of the wrap. */
async function wrapped(...args: readonly string[]) {
  const command = [process.execPath, ...PROGRAM, 'wrap', ...args];
  const parent = spawn(process.execPath, ['-e', PARENT, ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ERRORS },
  });
  running.push(parent);
  const lines = createInterface({ input: parent.stdout });
  for await (const line of lines) return { parent, pid: Number(line) };
  throw new Error('Expected the id of the process');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** How long a process lives on; less than the 5 s that calls under way have when somebody stops it. */
async function livesOnMs(pid: number): Promise<number> {
  const from = performance.now();
  await expect.poll(() => isAlive(pid), { timeout: 20_000, interval: 20 }).toBe(false);
  return performance.now() - from;
}

test('before a server over HTTP it ends at once, and tells the server', async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const { id, method } = JSON.parse(body === '' ? '{}' : body) as { id?: number; method?: string };
      seen.push(method ?? request.method ?? '');
      if (method === 'tools/call') return void response.on('close', () => seen.push('closed'));
      if (request.method !== 'POST')
        return void response.writeHead(request.method === 'GET' ? 405 : 200).end();
      if (id === undefined) return void response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's1' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: OPENED }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { parent, pid } = await wrapped(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  await expect.poll(() => seen, { timeout: 10_000 }).toContain('tools/call');
  parent.kill('SIGKILL');
  expect(await livesOnMs(pid)).toBeLessThan(4500);
  expect(seen).toEqual(expect.arrayContaining(['closed', 'DELETE']));
  server.closeAllConnections();
  server.close();
});

test('before a process it ends at once, with the process', async () => {
  const server = join(folder, 'server.cjs');
  const told = join(folder, `pid-${performance.now()}`);
  writeFileSync(server, SERVER);
  const { parent, pid } = await wrapped('--', process.execPath, server, told);
  const child = (): number => Number(readFileSync(told, 'utf8'));
  await expect.poll(() => isAlive(child()), { timeout: 10_000 }).toBe(true);
  parent.kill('SIGKILL');
  expect(await livesOnMs(pid)).toBeLessThan(4500);
  expect(isAlive(child())).toBe(false);
  expect(readFileSync(ERRORS, 'utf8')).toContain('whoever has started it is gone: it ends');
});
