/** `mayday gateway` on a store, as its operator sees it: killed in the middle, started again, nothing done twice. */

import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { start } from './mayday.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-'));
const file = join(folder, 'mayday.yaml');

const running: ChildProcess[] = [];
const closers: (() => void)[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  for (const close of closers.splice(0)) close();
});

/** A server that pays, and says how often. Who is slow is never answered. */
async function till(): Promise<{ readonly url: string; readonly paid: string[] }> {
  const paid: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    if (id === undefined) return void response.writeHead(202).end();
    const result =
      method === 'tools/call'
        ? { content: [{ type: 'text', text: `paid ${params.arguments.who}` }] }
        : { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] };
    if (method === 'tools/call') paid.push(params.arguments.who);
    if (params.arguments?.who === 'slow') return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.closeAllConnections());
  closers.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, paid };
}

async function gateway(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = start(['gateway', '--port', '0', '--config', file]);
  running.push(child);
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.resume();
  while (!out.includes('/mcp (all')) await sleep(20);
  return { url: /http:\S+\/u\/mcp/.exec(out)?.[0] ?? '', child };
}

async function pay(url: string, who: string): Promise<string> {
  const _meta = { 'dev.mayday/idempotency-key': `key of ${who}` };
  const params = { name: 'pay', arguments: { who }, _meta };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { result } = (await response.json()) as {
    readonly result: {
      readonly content: readonly { readonly text: string }[];
      readonly _meta?: { readonly [key: string]: { readonly kind: string; readonly executed: string } };
    };
  };
  const fault = result._meta?.['dev.mayday/fault'];
  return fault === undefined ? (result.content[0]?.text ?? '') : `${fault.kind} ${fault.executed}`;
}

test('killed in the middle of a call, and nothing is done twice', async () => {
  const { url, paid } = await till();
  writeFileSync(file, `store: file:./${randomUUID()}.db\nupstreams: { u: { url: '${url}' } }\n`);
  const [first, other] = await Promise.all([gateway(), gateway()]);
  expect(await pay(first.url, 'ann')).toBe('paid ann');
  const cut = pay(first.url, 'slow').catch(() => 'cut');
  while (paid.length < 2) await sleep(10);
  first.child.kill('SIGKILL');
  expect(await cut).toBe('cut');
  expect(await pay(other.url, 'ann')).toBe('paid ann');
  const since = performance.now();
  expect(await pay(other.url, 'slow')).toBe('disconnected maybe');
  expect(performance.now() - since).toBeLessThan(15_000);
  const again = await gateway();
  expect(await pay(again.url, 'slow')).toBe('disconnected maybe');
  expect(await pay(again.url, 'ann')).toBe('paid ann');
  expect(paid).toEqual(['ann', 'slow']);
});
