/** Failures over the admin API: listed, in groups, and as they come. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callTool, cleanUp, post, takeEvents, until } from '../tools.ts';
import { ANN, type House, OPS, openHouse } from './house.ts';

let house: House;
let calls = 0;
beforeEach(async () => {
  house = await openHouse();
  calls = 0;
});
afterEach(async () => {
  await house.close();
  await cleanUp();
});

/** A failure that is in the journal. */
async function fail(tool = 'see'): Promise<void> {
  const before = (await house.store.faults.list({ limit: 10_000 })).length;
  calls += 1;
  await post(`${house.gateway.url}/bank/mcp`, callTool(tool, { of: calls }), {
    authorization: `Bearer ${ANN}`,
  });
  await until(async () => (await house.store.faults.list({ limit: 10_000 })).length > before);
}

const stream = (query = '', headers: { readonly [name: string]: string } = {}): Promise<Response> =>
  fetch(`${house.root}/faults/stream${query}`, { headers: { authorization: `Bearer ${OPS}`, ...headers } });

const dataOf = (event: string): { readonly [name: string]: unknown } =>
  JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '{}');

it('follows a journal in which nothing is yet', async () => {
  const first = await stream();
  await fail();
  const [event = ''] = await takeEvents(first, 1);
  expect(dataOf(event)['message']).toBe('No account 1');
});

it('lists them, the newest first, and those after one', async () => {
  await fail();
  await fail();
  const { body } = await house.ask('GET', '/faults');
  expect(body.faults.map((one: { message: string }) => one.message)).toEqual([
    'No account 2',
    'No account 1',
  ]);
  expect(body.faults[0]).toMatchObject({ upstream: 'bank', details: { target: 'see', caller: 'ann' } });
  const later = await house.ask('GET', `/faults?after=${body.faults[1].id}`);
  expect(later.body.faults).toEqual([body.faults[0]]);
  expect((await house.ask('GET', '/faults?limit=1')).body.faults).toEqual([body.faults[0]]);
});

it('lists long journals in pages, and those before one', async () => {
  const long = await openHouse();
  const fault = { fingerprint: 'f', kind: 'internal', origin: 'server', details: {} };
  await long.store.faults.append(Array.from({ length: 700 }, (_, i) => ({ ...fault, message: `${i + 1}` })));
  const said = async (query: string): Promise<readonly string[]> =>
    (await long.ask('GET', `/faults?${query}`)).body.faults.map((one: { message: string }) => one.message);
  const all = await said('limit=10000');
  expect([all.length, all[0], all[250], all[699]]).toEqual([700, '700', '450', '1']);
  const some = await said('limit=600');
  expect([some.length, some.at(-1)]).toEqual([600, '101']);
  const [, second] = (await long.ask('GET', '/faults?limit=2')).body.faults;
  expect(await said(`before=${second.id}&limit=2`)).toEqual(['698', '697']);
  const after = await said(`after=${second.id}&limit=10000`);
  expect(after).toEqual(['700']);
  await long.close();
});

it('tells those that say the same together, and one group with its counts', async () => {
  await fail();
  await fail();
  const { body } = await house.ask('GET', '/faults/groups');
  expect(body.groups).toMatchObject([{ upstream: 'bank', count: 2, message: 'No account 2' }]);
  const [{ fingerprint }] = body.groups;
  const group = await house.ask('GET', `/faults/groups/${encodeURIComponent(fingerprint)}`);
  expect(group.body).toMatchObject({
    ...body.groups[0],
    faults: [{ message: 'No account 2' }, { message: 'No account 1' }],
  });
  expect(group.body.counts.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(2);
  const future = await house.ask('GET', `/faults/groups/${fingerprint}?since=2199-01-01T00:00:00Z`);
  expect(future.body.counts).toEqual([]);
  const none = await house.ask('GET', '/faults/groups/1.0000000000000000');
  expect([none.status, none.body.kind, none.body.subject.type]).toEqual([404, 'not_found', 'fault_group']);
  const only = await house.ask('GET', `/faults?group=${fingerprint}`);
  expect([only.body.faults.length, (await house.ask('GET', '/faults?group=x')).body.faults]).toEqual([2, []]);
});

it('follows them, and goes on where a stream has ended', async () => {
  const first = await stream();
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  await fail();
  const [event = ''] = await takeEvents(first, 1);
  expect([/^event: (.*)$/m.exec(event)?.[1], dataOf(event)['message']]).toEqual(['message', 'No account 1']);
  const id = /^id: (.*)$/m.exec(event)?.[1] ?? '';
  expect(dataOf(event)['id']).toBe(id);
  await fail();
  const events = await takeEvents(await stream('', { 'last-event-id': id }), 1);
  expect(dataOf(events[0] ?? '')['message']).toBe('No account 2');
  const all = await takeEvents(await stream('?after=0'), 2);
  expect(all.map((one) => dataOf(one)['message'])).toEqual(['No account 1', 'No account 2']);
});

it('a stream ends when its key is revoked', async () => {
  const { body } = await house.ask('POST', '/keys', {
    body: { name: 'olga', role: 'operator', upstreams: ['bank'] },
  });
  const watching = await stream('', { authorization: `Bearer ${body.key}` });
  expect(watching.status).toBe(200);
  await house.ask('POST', `/keys/${body.id}/revoke`);
  await expect(watching.text()).rejects.toThrow();
});
