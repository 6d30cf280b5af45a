/** A server that lists in more pages than anybody waits for. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, INITIALIZE, json, open, post, until, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

const tool = (name: string): object => ({ name, inputSchema: { type: 'object' } });

/** Lists one tool a page, each after a while. */
async function paged(pages: () => number, pageMs: number) {
  return upstream((body, response) => {
    const { id, method, params } = JSON.parse(body || '{}');
    const answer = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result });
    const page = Number(params?.cursor ?? 0);
    if (method !== 'tools/list')
      answer({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      });
    else {
      const more = page + 1 < pages() ? { nextCursor: String(page + 1) } : {};
      setTimeout(() => answer({ tools: [tool(`t${page}`)], ...more }), pageMs);
    }
  });
}

it('is listed whole once it has come, and is waited for once', async () => {
  let pages = 10;
  const { url: slow } = await paged(() => pages, 150);
  const { url: good } = await paged(() => 1, 0);
  const gateway = await open({
    joined: { part_timeout_ms: 600 },
    upstreams: { good: { url: good }, slow: { url: slow } },
  });
  const url = `${gateway.url}/mcp`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const list = async () => {
    const since = performance.now();
    const { result } = (await post(url, call('tools/list'), session)).message;
    const tools = (result?.['tools'] ?? []) as readonly { readonly name: string }[];
    const names = tools.map(({ name }) => name);
    return { names, missing: result?._meta?.['dev.mayday/unavailable'], ms: performance.now() - since };
  };
  const first = await list();
  expect(first.missing).toEqual(['slow']);
  expect(first.names.length).toBeLessThan(11);
  const second = await list();
  expect(second.ms).toBeLessThan(450);
  await until(async () => (await list()).names.length === 11);
  const whole = await list();
  expect([whole.missing, whole.names.length]).toEqual([undefined, 11]);
  expect(whole.ms).toBeLessThan(450);

  pages = 12;
  await until(async () => (await list()).names.length === 13);
  pages = 1;
  await until(async () => (await list()).names.length === 2);
});
