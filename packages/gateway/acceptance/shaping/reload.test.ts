/** Reloading, from docs/shaping.md: what callers see follows the file, and clients with a session are told. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { type Message, post, send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call, initialize, tell } from '../support/messages.ts';
import '../support/policy.ts';
import { names, PATIENT, told, tool } from '../support/shaping.ts';
import { stdio } from '../support/world.ts';

const TOOLS = ['echo', 'pay', 'lookup'].map((name) => tool(name));
const TOLD = 'notifications/tools/list_changed';

let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet({ tools: TOOLS });
});
afterAll(() => http.close());
function settings(tools: object | undefined, virtual: object = { desk: { tools: ['*/echo'] } }): object {
  return {
    joined: PATIENT,
    upstreams: {
      u: { url: http.url, ...(tools === undefined ? {} : { tools }) },
      s: stdio({ tools: TOOLS }, tools === undefined ? {} : { tools }),
    },
    virtual,
  };
}
const gateway = keepGateway(() => startGateway(settings(undefined)));

/** A session, and what it is told on its stream. */
async function session(endpoint: string): Promise<{ session: string; heard: string[]; over: () => void }> {
  const url = at(gateway(), endpoint);
  const { headers } = await post(url, initialize());
  const id = String(headers['mcp-session-id']);
  await post(url, tell('notifications/initialized'), { session: id });
  const heard: string[] = [];
  const end = new AbortController();
  const stream = send(url, undefined, {
    session: id,
    headers: { accept: 'text/event-stream' },
    within: 50_000,
    signal: end.signal,
    onText: (text) => void heard.push(text),
  });
  stream.catch(() => undefined);
  return { session: id, heard, over: () => end.abort() };
}

it('tools, names and virtual servers change, in open sessions too, which are told', async () => {
  const open = await Promise.all(['s', '', 'desk'].map(session));
  const [own, joined, desk] = open;
  const lists = (): Promise<string[][]> =>
    Promise.all([
      names(gateway(), 's', { session: own?.session }),
      names(gateway(), '', { session: joined?.session }),
      names(gateway(), 'desk', { session: desk?.session }),
      names(gateway(), 'u'),
    ]);
  expect(await lists()).toEqual([
    ['echo', 'pay', 'lookup'],
    ['u_echo', 'u_pay', 'u_lookup', 's_echo', 's_pay', 's_lookup'],
    ['u_echo', 's_echo'],
    ['echo', 'pay', 'lookup'],
  ]);

  gateway().rewrite(
    settings(
      { deny: ['lookup'], rename: { echo: 'say' } },
      { desk: { tools: ['s/*'], rename: { 's/pay': 'give' } } },
    ),
  );
  await expect.poll(lists, { timeout: 15_000 }).toEqual([
    ['say', 'pay'],
    ['u_say', 'u_pay', 's_say', 's_pay'],
    ['s_say', 'give'],
    ['say', 'pay'],
  ]);
  await expect
    .poll(() => open.map(({ heard }) => heard.join('').includes(TOLD)), { timeout: 15_000 })
    .toEqual([true, true, true]);
  const fates = await Promise.all([
    told(gateway(), 's', 'say', {}, { session: own?.session }),
    told(gateway(), 's', 'echo', {}, { session: own?.session }),
    told(gateway(), '', 's_lookup', {}, { session: joined?.session }),
    told(gateway(), 'desk', 'give', {}, { session: desk?.session }),
    told(gateway(), 'desk', 'u_echo', {}, { session: desk?.session }),
  ]);
  expect(fates).toEqual(['echo: fine', 'not_found/no', 'not_found/no', 'pay: fine', 'not_found/no']);
  for (const { over } of open) over();
});

it('a virtual server comes, and its sessions end when it goes', async () => {
  gateway().rewrite(settings(undefined, { late: { tools: ['s/echo'] } }));
  const status = async (): Promise<number> => (await post(at(gateway(), 'late'), ask('tools/list'))).status;
  await expect.poll(status, { timeout: 15_000 }).toBe(200);
  expect(await names(gateway(), 'late')).toEqual(['s_echo']);
  const { session: id } = await session('late');
  const slow = post(
    at(gateway(), 'late'),
    call('s_echo', {
      script: [{ wait: 1500 }, { answer: { result: { content: [{ type: 'text', text: 'done' }] } } }],
    }),
    { session: id, within: 15_000 },
  );
  await expect.poll(() => sessions('late')).toBe(1);
  gateway().rewrite(settings(undefined));
  await expect.poll(status, { timeout: 15_000 }).toBe(404);
  expect((await slow).message['result']?.content[0].text).toBe('done');
});
async function sessions(name: string): Promise<number> {
  const { messages } = await send(`${gateway().url}/-/status`, undefined);
  const rows: Message[] = messages[0]?.['virtual'] ?? [];
  return rows.find((row) => row['name'] === name)?.['sessions'] ?? -1;
}

it('a mistake changes nothing', async () => {
  gateway().rewrite(settings({ deny: ['pay'] }));
  await expect.poll(() => names(gateway(), 's'), { timeout: 15_000 }).toEqual(['echo', 'lookup']);
  const before = gateway().log().length;
  gateway().rewrite(settings({ allow: [] }));
  await expect.poll(() => gateway().log().slice(before), { timeout: 15_000 }).toMatch(/tools\.allow/);
  expect(await names(gateway(), 's')).toEqual(['echo', 'lookup']);
  expect(await told(gateway(), 's', 'pay')).toBe('not_found/no');
});
