/** Clients that come and go without a word: nobody locks itself or others out. */
import { afterEach, expect, it } from 'vitest';
import { cleanUp, faultIn, INITIALIZE, open, post, STDIO_SERVER, until } from '../tools.ts';

afterEach(cleanUp);

const ANN = { authorization: 'Bearer key-of-ann' };
const BOB = { authorization: 'Bearer key-of-bob' };
const EVE = { authorization: 'Bearer key-of-eve' };
const KEYS = [
  { name: 'ann', key: 'key-of-ann', role: 'operator' },
  { name: 'bob', key: 'key-of-bob' },
  { name: 'eve', key: 'key-of-eve' },
] as const;

/** What the operator sees of sessions and processes. */
async function counts(url: string): Promise<unknown> {
  const { upstreams, joined } = (await (await fetch(`${url}/-/status`, { headers: ANN })).json()) as {
    upstreams: { name: string; sessions?: number; processes?: number }[];
    joined?: object;
  };
  const own = upstreams.map(({ name, sessions, processes }) => ({ name, sessions, processes }));
  return { upstreams: own, joined };
}

it.each([
  ['with a key', { keys: KEYS, sessions: { per_caller: 3 } }, '/a/mcp'],
  ['without keys', { sessions: { max: 3 } }, '/a/mcp'],
  ['at the joined endpoint', { sessions: { max: 3 } }, '/mcp'],
])('a client can connect as often as it likes, %s', async (_how, settings, path) => {
  const gateway = await open({
    ...settings,
    upstreams: { a: STDIO_SERVER, u: { url: 'http://127.0.0.1:9/mcp' } },
  });
  for (let i = 0; i < 7; i++) expect((await post(gateway.url + path, INITIALIZE, ANN)).status).toBe(200);
  const isJoined = path === '/mcp';
  const seen = {
    upstreams: [
      { name: 'a', sessions: isJoined ? 0 : 3, processes: 3 },
      { name: 'u', sessions: undefined, processes: undefined },
    ],
    joined: { endpoint: '/mcp', sessions: isJoined ? 3 : 0 },
  };
  await until(async () => JSON.stringify(await counts(gateway.url)) === JSON.stringify(seen));
  expect(await counts(gateway.url)).toEqual(seen);
});

it.each(['/a/mcp', '/mcp'])('what others have left behind keeps nobody out (%s)', async (path) => {
  const gateway = await open({
    keys: KEYS,
    sessions: { max: 4, per_caller: 2 },
    upstreams: { a: STDIO_SERVER },
  });
  for (const caller of [ANN, ANN, BOB, BOB]) await post(gateway.url + path, INITIALIZE, caller);
  const statuses: number[] = [];
  for (const caller of [EVE, EVE, ANN]) {
    statuses.push((await post(gateway.url + path, INITIALIZE, caller)).status);
  }
  expect(statuses).toEqual([200, 200, 200]);
});

it('one that is refused is told when there may be room, where that is known', async () => {
  const gateway = await open({
    keys: KEYS,
    sessions: { max: 3, idle_ms: 60_000 },
    upstreams: { a: STDIO_SERVER },
  });
  const url = `${gateway.url}/a/mcp`;
  const streams: Response[] = []; // one that nobody holds would be closed when memory is collected
  const listen = async (caller: typeof ANN): Promise<void> => {
    const id = (await post(url, INITIALIZE, caller)).headers.get('mcp-session-id') ?? '';
    streams.push(
      await fetch(url, { headers: { ...caller, 'mcp-session-id': id, accept: 'text/event-stream' } }),
    );
  };
  await post(url, INITIALIZE, ANN);
  for (const caller of [BOB, EVE]) await listen(caller);
  const refused = await post(url, INITIALIZE, BOB);
  const { retry, ...full } = faultIn(refused) as { retry: { after_ms: number } };
  expect([refused.status, full, Math.ceil(retry.after_ms / 20_000)]).toMatchObject([
    503,
    {
      kind: 'overloaded',
      message:
        'Too many sessions are open, and those that could make room are in use; end one, or try again later',
    },
    3,
  ]);
  await listen(ANN); // in the place of her first one
  expect(faultIn(await post(url, INITIALIZE, BOB))).toMatchObject({ retry: { when: 'backoff' } });
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
});
