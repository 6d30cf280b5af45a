/** A repeat of which nobody here knows the first call stays one, however often it comes: a refusal is no knowledge of the call. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, faultIn, json, open, post, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

const KEY = 'dev.mayday/idempotency-key';
const EXECUTED = 'dev.mayday/executed';

/** A server that honours keys itself: whoever comes with another one is another to it. */
async function bank() {
  const made = new Map<string, string>();
  const { url } = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body);
    const answer = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result });
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'initialize') {
      const serverInfo = { name: 's', version: '1' };
      return answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
    }
    if (method === 'tools/list')
      return answer({ tools: [{ name: 'pay', inputSchema: { type: 'object' }, _meta: { [KEY]: true } }] });
    const key = params._meta[KEY];
    made.set(key, made.get(key) ?? `receipt ${made.size + 1}`);
    answer({ content: [{ type: 'text', text: made.get(key) }] });
  });
  return { url, made };
}

const WAYS = [
  ['a proxy in front', '/a/mcp', 'pay', (who: string) => ({ 'x-forwarded-access-token': who })],
  ['several servers behind', '/mcp', 'a_pay', (who: string) => ({ authorization: `Bearer ${who}` })],
] as const;

const CASES = WAYS.flatMap(([way, path, name, as]) =>
  ['started again', 'with another token', 'started again, with another token'].flatMap((since) =>
    [true, false].flatMap((isCounted) =>
      [true, false].map((isListed) => ({ way, path, name, as, since, isCounted, isListed })),
    ),
  ),
);

it.each(CASES)(
  '$way, $since (counted: $isCounted, listed: $isListed)',
  async ({ path, name, as, since, isCounted, isListed }) => {
    const { url, made } = await bank();
    const file = { upstreams: { a: { url }, b: { url } } };
    let gateway = await open(file);
    const pay = (who: string, attempt: number, said: object) => {
      const counted = isCounted ? { 'dev.mayday/attempt': attempt, 'dev.mayday/call': 'c-1' } : {};
      const _meta = { [KEY]: 'k', ...counted, ...said };
      return post(gateway.url + path, call('tools/call', { name, arguments: {}, _meta }), as(who));
    };
    expect((await pay('t1', 1, {})).text).toContain('receipt 1');
    if (since.startsWith('started again')) {
      await gateway.close(0);
      gateway = await open(file);
    }
    const who = since.endsWith('another token') ? 't2' : 't1';
    if (isListed) await post(gateway.url + path, call('tools/list'), as(who));
    for (let attempt = 2; attempt <= 5; attempt++)
      expect(faultIn(await pay(who, attempt, { [EXECUTED]: 'maybe' }))).toMatchObject({
        kind: 'disconnected',
        executed: 'maybe',
        message: expect.stringContaining('Nothing is known here of the first call'),
      });
    expect([...made.values()]).toEqual(['receipt 1']);
  },
);
