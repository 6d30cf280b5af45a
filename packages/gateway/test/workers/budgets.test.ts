/** The error budget of a tool is that of all workers together. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Gateway, scratch, startGateway } from '../../acceptance/support/gateway.ts';
import { as, both, keyOf } from './two-workers.ts';

const SERVER = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...message }));
  if (method === 'initialize') return say({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } });
  if (method === 'tools/list') return say({ result: { tools: [{ name: 'fail', inputSchema: { type: 'object' } }] } });
  say({ error: { code: -32603, message: 'Internal error' } });
});`;

const folder = scratch();
let gateway: Gateway;

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
beforeAll(async () => {
  const keys = [
    { name: 'ann', key: keyOf('ann') },
    { name: 'ops', key: keyOf('ops'), role: 'operator' },
  ];
  const retry = { attempts: 1 };
  const upstreams = { p: { command: process.execPath, args: ['-e', SERVER], retry, breaker: false } };
  const telemetry = { error_budgets: [{ objective: 0.9, min_calls: 5 }] };
  gateway = await startGateway({ workers: 2, keys, upstreams, telemetry }, { folder });
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

it('is used up by what all of them have counted, and the log says so once', async () => {
  const clients = await both(`${gateway.url}/p/mcp`, as('ann'));
  for (const client of clients) {
    await client.ask('tools/list');
    for (let i = 0; i < 4; i++) await client.ask('tools/call', { name: 'fail', arguments: {} });
  }
  const answer = await fetch(`${gateway.url}/-/status`, { headers: as('ops') });
  const { error_budgets: told } = (await answer.json()) as { error_budgets: object[] };
  expect(told).toMatchObject([{ tool: 'fail', min_calls: 5, remaining: -9, used_up: true }]);
  const lines = (): string[] => gateway.log().match(/error budget used up: .*/g) ?? [];
  await expect.poll(lines, { timeout: 10_000 }).toHaveLength(1);
  expect(lines()[0]).toMatch(/upstream=p tool=fail \d+ of \d+ calls failed/);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(lines()).toHaveLength(1);
});
