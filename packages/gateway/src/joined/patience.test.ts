/** How long a list of all upstreams waits for those that are late. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, INITIALIZE, json, open, post, takeEvents, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

const WAIT_MS = 2000;

interface Lateness {
  /** How long each method takes; for ever, if it is `Infinity`. */
  readonly [method: string]: number;
}

/** A server with one tool on each of two pages, that takes its time. */
async function late(lateness: Lateness): Promise<{ url: string }> {
  return await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body || '{}') as {
      id?: number;
      method?: string;
      params?: { cursor?: string };
    };
    const tool = (name: string): object => ({ name, inputSchema: { type: 'object' } });
    const pages =
      params?.cursor === undefined ? { tools: [tool('one')], nextCursor: 'next' } : { tools: [tool('two')] };
    const opened = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: 's', version: '1' },
    };
    const result = method === 'initialize' ? opened : pages;
    const step = params?.cursor === undefined ? method : 'second page';
    const answer = (): void => json(response, 200, { jsonrpc: '2.0', id, result });
    if (id === undefined) response.writeHead(body === '' ? 405 : 202).end();
    else if (lateness[step ?? ''] !== Number.POSITIVE_INFINITY) setTimeout(answer, lateness[step ?? ''] ?? 0);
  });
}

async function joined(lateness: Lateness) {
  const upstreams = { well: { url: (await late({})).url }, late: { url: (await late(lateness)).url } };
  const gateway = await open({ joined: { part_timeout_ms: WAIT_MS }, upstreams });
  const url = `${gateway.url}/mcp`;
  const openOne = async () => {
    const began = performance.now();
    const { headers } = await post(url, INITIALIZE);
    const ms = performance.now() - began;
    const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    const ask = (method: string, params = {}) => post(url, call(method, params), session);
    const list = async () => {
      const since = performance.now();
      const { message } = await ask('tools/list');
      const names = ((message.result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
      return {
        names,
        missing: message.result?._meta?.['dev.mayday/unavailable'],
        ms: performance.now() - since,
      };
    };
    const standing = () => fetch(url, { headers: { ...session, accept: 'text/event-stream' } });
    return { ms, list, ask, standing };
  };
  const said = (): string[] => gateway.faults.list().map(({ fault }) => String(fault['message']));
  return { ...(await openOne()), said, gateway, open: openOne };
}

const WELL = ['well_one', 'well_two'];
const ALL = [...WELL, 'late_one', 'late_two'];

it('waits for one that is still starting, and holds nothing against it', async () => {
  const { list, said, gateway } = await joined({ initialize: WAIT_MS + 300 });
  expect(await list()).toMatchObject({ names: ALL, missing: undefined });
  expect([said(), gateway.logs]).toEqual([[], []]);
});

it('waits for one that hangs when it is found out; from then on it costs nobody anything', async () => {
  const { list, said, open: openAgain } = await joined({ initialize: Number.POSITIVE_INFINITY });
  expect(await list()).toMatchObject({ names: WELL, missing: ['late'] });
  const again = await list();
  expect(again).toMatchObject({ names: WELL, missing: ['late'] });
  const other = await openAgain();
  const listed = await other.list();
  expect(listed).toMatchObject({ names: WELL, missing: ['late'] });
  for (const { ms } of [again, other, listed]) expect(ms).toBeLessThan(WAIT_MS - 50);
  expect(said()).toEqual(['late did not answer within 2 s (`joined.part_timeout_ms`)']);
});

it('gives one that has come at last its whole time again', async () => {
  const { list } = await joined({ initialize: 2 * WAIT_MS + 400, 'tools/list': 200 });
  expect((await list()).missing).toEqual(['late']);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await list()).toMatchObject({ names: ALL, missing: undefined });
});

it('costs a change of the log level nothing either', async () => {
  const { ask, list } = await joined({ initialize: Number.POSITIVE_INFINITY });
  await list();
  const since = performance.now();
  expect((await ask('logging/setLevel', { level: 'info' })).message.result).toEqual({});
  expect(performance.now() - since).toBeLessThan(WAIT_MS - 50);
});

it('tells the whole time that it waited, also where a later page was missing', async () => {
  const { list, said } = await joined({
    'tools/list': WAIT_MS - 800,
    'second page': Number.POSITIVE_INFINITY,
  });
  expect((await list()).missing).toEqual(['late']);
  expect(said()).toEqual(['late did not answer within 2 s (`joined.part_timeout_ms`)']);
});

it('tells when one that is open has listed at last what nobody waited for', async () => {
  const { list, standing } = await joined({ 'tools/list': WAIT_MS + 1500 });
  expect((await list()).missing).toEqual(['late']);
  const [told] = await takeEvents(await standing(), 1);
  expect(told).toContain('notifications/tools/list_changed');
});
