/** Calls with a key, in every way that leads to a server: what happens to one who asks is nobody else's business. */
import { afterEach, expect, it } from 'vitest';
import { begun, each, everyName, everyRepeat, everyWay, keyedHouse, WAYS } from '../keyed-house.ts';
import { cleanUp, faultIn, type Posted, until } from '../tools.ts';

afterEach(cleanUp);

/** What came back, in a word. */
function said(posted: Posted): string {
  const fault = faultIn(posted);
  if (fault !== undefined) return `${fault['kind']} ${fault['executed']}`;
  return posted.text === '' ? 'nothing' : (/paid/.exec(posted.text)?.[0] ?? posted.text);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What a repeat is told in the end: the call goes on for a while after its work is done. */
async function untilSettled(repeat: () => Promise<Posted>): Promise<string> {
  let answer = said(await repeat());
  while (answer.startsWith('timeout')) answer = said(await repeat());
  return answer;
}

it('a cancelled request alone goes without an answer', async () => {
  const house = await keyedHouse({ timeout_ms: 10_000 });
  const others: Promise<[string, string]>[] = [];
  const cancelled = await everyWay(house, async (client, [path, tool]) => {
    const first = client.pay({ id: 77 });
    await begun(house, client);
    const other = await house.client([path, tool, false]);
    others.push(other.pay({ who: client.who, id: 5 }).then((posted) => [client.who, said(posted)]));
    await pause(50);
    await client.tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 77 } });
    return client.who.endsWith('in a session') ? said(await first) : 'cannot cancel';
  });
  await pause(50);
  house.work.finish('paid');
  expect(Object.fromEntries(await Promise.all(others))).toEqual(each('paid'));
  expect(await everyRepeat(house, async (repeat) => said(await repeat()))).toEqual(each('paid'));
  expect(cancelled).toEqual(
    await everyName(async ([, , inSession]) => (inSession ? 'nothing' : 'cannot cancel')),
  );
  expect(house.work.begun).toHaveLength(WAYS.length);
});

const SLOW = { timeout_ms: 2000, breaker: false } as const;

it.each<[string, Parameters<Awaited<ReturnType<typeof keyedHouse>>['reload']>[0]]>([
  [
    'other settings',
    (all) =>
      Object.fromEntries(
        Object.entries(all).map(([name, one]) => [name, { ...one, retry: { attempts: 2 } } as never]),
      ),
  ],
  [
    'other headers and environments',
    ({ u, s, o }) => ({
      u: { ...u, headers: { 'x-a': 'b' } } as never,
      s: { ...s, cwd: '/' } as never,
      o: { ...o, headers: { 'x-a': 'b' } } as never,
    }),
  ],
  ['without them', () => ({ other: { url: 'http://127.0.0.1:9/mcp' } })],
])('goes on after its time limit whatever a reload says: %s', async (_name, change) => {
  const house = await keyedHouse(SLOW);
  const first = await everyWay(house, async (client) => said(await client.pay()));
  expect(first).toEqual(each('timeout maybe'));
  house.reload(change);
  await pause(1300); // what is idle is closed by now
  house.reload();
  expect(await everyRepeat(house, async (repeat) => said(await repeat()))).toEqual(each('timeout maybe'));
  house.work.finish('paid');
  expect(await everyRepeat(house, untilSettled)).toEqual(each('paid'));
  expect(house.work.begun).toHaveLength(WAYS.length);
});

it('a reload does not cut a call that is waited for', async () => {
  const house = await keyedHouse({ timeout_ms: 10_000 });
  const paying = everyWay(house, async (client) => said(await client.pay()));
  await until(() => house.work.begun.length === WAYS.length);
  house.reload(() => ({ other: { url: 'http://127.0.0.1:9/mcp' } }));
  await pause(1300);
  house.work.finish('paid');
  expect(await paying).toEqual(each('paid'));
});

it('what is over for its caller settles its key all the same', async () => {
  const house = await keyedHouse(SLOW);
  const first = await everyWay(house, async (client) => {
    const asked = client.pay({ id: 77 });
    const answer = said(await asked);
    await client.tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 77 } });
    return answer;
  });
  expect(first).toEqual(each('timeout maybe'));
  house.work.finish('paid');
  expect(await everyRepeat(house, untilSettled)).toEqual(each('paid'));
  expect(house.work.begun).toHaveLength(WAYS.length);
});

it('a process that dies settles its keys', async () => {
  const house = await keyedHouse(SLOW);
  const ways = WAYS.filter(([path, tool]) => path === '/s/mcp' || tool === 's_pay');
  const clients = await Promise.all(ways.map((way) => house.client(way)));
  await Promise.all(clients.map((client) => client.pay()));
  house.work.finish('die');
  for (const client of clients) {
    await until(async () => said(await client.pay()) !== 'timeout maybe');
    expect(said(await client.pay())).toBe('disconnected maybe');
  }
  expect(house.work.begun).toHaveLength(4);
});

it('what one caller leaves behind does not end what another does', async () => {
  const keys = [
    { name: 'alice', key: 'alice-has-a-key' },
    { name: 'bob', key: 'bob-has-a-key' },
  ];
  const house = await keyedHouse(SLOW, { keys });
  const ways = WAYS.filter(([path, , inSession]) => !inSession && (path === '/u/mcp' || path === '/s/mcp'));
  for (const way of ways) {
    const alice = await house.client(way, { authorization: 'Bearer alice-has-a-key' });
    const bob = await house.client(way, { authorization: 'Bearer bob-has-a-key' });
    expect(said(await alice.pay())).toBe('timeout maybe');
    const mine = Array.from({ length: 101 }, (_, i) => `${way} ${i}`);
    await Promise.all(mine.map((key) => bob.pay({ key })));
    expect(said(await alice.pay())).toBe('timeout maybe');
    house.work.finish('paid');
    await until(async () => said(await alice.pay()) === 'paid');
    const ends = new Map<string, string>();
    await until(async () => {
      await Promise.all(mine.map(async (key) => ends.set(key, said(await bob.pay({ key })))));
      return [...ends.values()].filter((end) => end === 'paid').length >= 100;
    });
    expect([...ends.values()].filter((end) => end !== 'paid')).toEqual(['timeout maybe']);
  }
});
