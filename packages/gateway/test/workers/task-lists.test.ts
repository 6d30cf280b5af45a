/** A caller lists its tasks of all workers, whichever its session is with. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Gateway, scratch, startGateway } from '../../acceptance/support/gateway.ts';
import { until } from '../tools.ts';
import { ASKING, as, both, Client, type Headers, keyOf } from './two-workers.ts';

const folder = scratch();
let gateway: Gateway;

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
beforeAll(async () => {
  const keys = ['ann', 'bob', 'cid', 'dan', 'eve'].map((name) => ({ name, key: keyOf(name) }));
  gateway = await startGateway({ workers: 2, keys, upstreams: { p: ASKING } }, { folder });
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Listed {
  readonly tasks: readonly { readonly taskId: string; readonly statusMessage: string }[];
  readonly nextCursor?: string;
  readonly _meta?: unknown;
}

const idsOf = ({ tasks }: Listed): string[] => tasks.map(({ taskId }) => taskId).sort();

/** All pages, as one. */
async function list(client: Client): Promise<Listed> {
  const tasks: Listed['tasks'][number][] = [];
  let cursor: string | undefined;
  for (;;) {
    const { result } = await client.ask('tasks/list', cursor === undefined ? {} : { cursor });
    const page = result as Listed;
    tasks.push(...page.tasks);
    if (page.nextCursor === undefined) return { ...page, tasks };
    cursor = page.nextCursor;
  }
}

it.each([
  ['/p/mcp', 'ann'],
  ['/mcp', 'bob'],
])('at %s, page by page, and those of nobody else', async (path, who) => {
  const url = gateway.url + path;
  const [first, second] = await both(url, as(who));
  const own: string[] = [];
  for (const client of [first, second, first, second, first]) own.push(await client.begin({ who }));
  const [other] = await both(url, as('cid'));
  await other.begin({ who: 'cid' });
  own.push(await new Client(url, as(who)).begin({ who }));
  const expected = [...own].sort();
  for (const client of [first, second, new Client(url, as(who))]) {
    await expect.poll(async () => idsOf(await list(client))).toEqual(expected);
    expect((await list(client)).tasks.every(({ statusMessage }) => statusMessage === who)).toBe(true);
    expect((await list(client))._meta).toBeUndefined();
  }
  expect(new Set((await list(other)).tasks.map(({ statusMessage }) => statusMessage))).toEqual(
    new Set(['cid']),
  );
});

it('keeps a cursor for the session that it was given in', async () => {
  const [first, second] = await both(`${gateway.url}/p/mcp`, as('eve'));
  const own: string[] = [];
  for (let i = 0; i < 3; i++) own.push(await first.begin({ who: 'eve' }));
  own.push(await second.begin({ who: 'eve' }));
  const page = (await first.ask('tasks/list')).result as Listed;
  expect(idsOf(page)).toEqual(own.slice(0, 2).sort());
  own.push(await second.begin({ who: 'eve' }));
  const rest = (await first.ask('tasks/list', { cursor: page.nextCursor })).result as Listed;
  expect([...idsOf(page), ...idsOf(rest)].sort()).toEqual([...own].sort());
});

it.each(['/p/mcp', '/mcp'])('at %s without the part of a worker that hangs, which is named', async (path) => {
  const dan = as('dan');
  const [first, second] = await both(gateway.url + path, dan);
  const own = [await first.begin({ who: 'dan' }), await second.begin({ who: 'dan' })];
  const all = await list(first);
  expect(idsOf(all)).toEqual(expect.arrayContaining(own));
  const pid = await second.pid();
  process.kill(pid, 'SIGSTOP');
  try {
    const listed = await list(first);
    expect(idsOf(listed)).toEqual(idsOf(all).filter((id) => id.includes('.w1.')));
    expect(listed._meta).toEqual({ 'dev.mayday/unavailable': ['worker 2'] });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  expect(idsOf(await list(first))).toEqual(idsOf(all));
});

it('without the part of a worker that has died, which is named until its place is taken', async () => {
  const dan: Headers = as('dan');
  const [first, second] = await both(`${gateway.url}/p/mcp`, dan);
  const own = [await first.begin({ who: 'dan' }), await second.begin({ who: 'dan' })];
  process.kill(await second.pid(), 'SIGKILL');
  await until(async () => !idsOf(await list(first)).includes(own[1] ?? ''));
  const listed = await list(first);
  expect(listed._meta).toEqual({ 'dev.mayday/unavailable': ['worker 2'] });
  expect(idsOf(listed)).toContain(own[0]);
  await until(async () => (await list(first))._meta === undefined);
  expect(idsOf(await list(first)).every((id) => id.includes('.w1.'))).toBe(true);
});
