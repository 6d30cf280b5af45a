/** Who asks for a task of another worker does so in a session, as anywhere else. */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Gateway, scratch, startGateway } from '../../acceptance/support/gateway.ts';
import { ASKING, as, both, Client, type Headers, keyOf } from './two-workers.ts';

const IDLE_MS = 2000;
const folder = scratch();
let gateway: Gateway;

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
beforeAll(async () => {
  const keys = ['ann', 'bob', 'cid', 'dan', 'eve', 'fay', 'gus'].map((name) => ({ name, key: keyOf(name) }));
  const sessions = { idle_ms: IDLE_MS, max: 40, per_caller: 3 };
  gateway = await startGateway({ workers: 2, keys, sessions, upstreams: { p: ASKING } }, { folder });
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ['/p/mcp', as('ann')],
  ['/mcp', as('bob')],
])('which is used by that at %s', async (path, own) => {
  const [first, second] = await both(gateway.url + path, own);
  const task = await second.begin({ ask: 'elicitation/create' });
  const [idle, waits] = await both(gateway.url + path, own);
  const waiting = waits.wait(await first.begin({ ask: 'elicitation/create' }));
  const question = await waiting.next('elicitation/create');
  const until = Date.now() + 3 * IDLE_MS;
  while (Date.now() < until) {
    expect((await first.ask('tasks/get', { taskId: task })).status).toBe(200);
    await sleep(300);
  }
  expect((await first.ask('tools/list')).status).toBe(200);
  await waits.answer(question, { action: 'accept' });
  expect((await waiting.next()).result.content).toEqual([{ type: 'text', text: '{"action":"accept"}' }]);
  expect((await waits.ask('tools/list')).status).toBe(200);
  expect((await idle.ask('tools/list')).status).toBe(404);
});

it('which is not ended to make room while it waits', async () => {
  const url = `${gateway.url}/p/mcp`;
  const [first, second] = await both(url, as('cid'));
  const waiting = second.wait(await first.begin({ ask: 'elicitation/create' }));
  const question = await waiting.next('elicitation/create');
  const others = [];
  for (let i = 0; i < 16; i++) others.push(await Client.open(url, as('cid')));
  const left = await Promise.all(others.map(async (each) => (await each.ask('tools/list')).status));
  expect(left.filter((status) => status === 404).length).toBeGreaterThan(0);
  await second.answer(question, { action: 'accept' });
  expect((await waiting.next()).result.content).toEqual([{ type: 'text', text: '{"action":"accept"}' }]);
  expect((await second.ask('tools/list')).status).toBe(200);
});

it.each(['/p/mcp', '/mcp'])('at %s: its failure is told as in the session that began it', async (path) => {
  const [first, second] = await both(gateway.url + path, as('gus'));
  const task = await first.begin({ fails: true });
  const told = await Promise.all(
    [first, second].map(async (client) => {
      const { result } = await client.ask('tasks/result', { taskId: task });
      const fault = result?._meta?.['dev.mayday/fault'];
      expect(fault).toMatchObject({ message: 'Disk full on volume 7' });
      return JSON.stringify(result).replaceAll(fault.correlation_id, '');
    }),
  );
  expect(told[1]).toBe(told[0]);
});

it.each([
  ['/p/mcp', as('dan')],
  ['/mcp', as('eve')],
])('at %s: unknown, ended or of another, it is not there', async (path, own) => {
  const url = gateway.url + path;
  const [first, second] = await both(url, own);
  const [fays, faysToo] = await both(url, as('fay'));
  const task = await second.begin({});
  const ended = first.headers;
  await first.end();
  const [another] = await both(url, own);
  const named = (id: string | undefined): Headers => ({ ...own, 'mcp-session-id': id ?? '' });
  const sessions = [
    ended,
    named('6f9619ff-8b86-4d01-b42d-00cf4fc964ff.w1'),
    named('6f9619ff-8b86-4d01-b42d-00cf4fc964ff.w2'),
    named('6f9619ff-8b86-4d01-b42d-00cf4fc964ff.w9'),
    named('6f9619ff-8b86-4d01-b42d-00cf4fc964ff'),
    named(fays.headers['mcp-session-id']),
    named(faysToo.headers['mcp-session-id']),
  ];
  for (const headers of sessions)
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/list']) {
      const said = await new Client(url, headers).ask(method, { taskId: task });
      expect([said.status, said.error?.data.kind]).toEqual([404, 'expired']);
    }
  expect((await another.ask('tasks/get', { taskId: task })).result).toMatchObject({ status: 'working' });
  expect((await fays.ask('tasks/get', { taskId: task })).error.data).toMatchObject({ kind: 'not_found' });
});
