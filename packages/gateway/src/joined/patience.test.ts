/** How long a list of all upstreams waits for those that are late. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, INITIALIZE, json, open, post, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

const WAIT_MS = 800;

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
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  const list = async () => {
    const since = performance.now();
    const { message } = await post(url, call('tools/list'), session);
    const names = ((message.result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
    return {
      names,
      missing: message.result?._meta?.['dev.mayday/unavailable'],
      ms: performance.now() - since,
    };
  };
  const said = (): string[] => gateway.faults.list().map(({ fault }) => String(fault['message']));
  return { list, said, gateway };
}

const WELL = ['well_one', 'well_two'];
const ALL = [...WELL, 'late_one', 'late_two'];

it('waits for one that is still starting, and holds nothing against it', async () => {
  const { list, said, gateway } = await joined({ initialize: WAIT_MS + 300 });
  expect(await list()).toMatchObject({ names: ALL, missing: undefined });
  expect([said(), gateway.logs]).toEqual([[], []]);
});

it('waits once for one that hangs; from then on it costs the others nothing', async () => {
  const { list, said } = await joined({ initialize: Number.POSITIVE_INFINITY });
  const first = await list();
  expect(first).toMatchObject({ names: WELL, missing: ['late'] });
  expect(first.ms).toBeGreaterThan(WAIT_MS - 50);
  for (let i = 0; i < 2; i++) {
    const again = await list();
    expect(again).toMatchObject({ names: WELL, missing: ['late'] });
    expect(again.ms).toBeLessThan(WAIT_MS - 50);
  }
  expect(said()).toEqual(['late did not answer within 800 ms']);
});

it('gives one that has come at last its whole time again', async () => {
  const { list } = await joined({ initialize: 2 * WAIT_MS + 400, 'tools/list': 200 });
  expect((await list()).missing).toEqual(['late']);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(await list()).toMatchObject({ names: ALL, missing: undefined });
});

it('tells the whole time that it waited, also where a later page was missing', async () => {
  const { list, said } = await joined({
    'tools/list': WAIT_MS - 300,
    'second page': Number.POSITIVE_INFINITY,
  });
  expect((await list()).missing).toEqual(['late']);
  expect(said()).toEqual(['late did not answer within 800 ms']);
});
