/** The admin API on a port of its own, turned off, without keys, without a store, and while the store fails. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, later, post } from '../tools.ts';
import { type House, OPS, openHouse } from './house.ts';

afterEach(cleanUp);

async function house(...args: Parameters<typeof openHouse>): Promise<House> {
  const opened = await openHouse(...args);
  later(() => opened.close());
  return opened;
}

const statusAt = async (url: string, key = OPS): Promise<number> =>
  (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status;

it('has a port of its own, where nobody calls tools', async () => {
  const { gateway, ask } = await house({ admin: { listen: { port: 0 } } });
  expect(gateway.adminUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(gateway.adminUrl).not.toBe(gateway.url);
  expect((await ask('GET', '/keys')).status).toBe(200);
  expect(await statusAt(`${gateway.url}/-/admin/v1/keys`)).toBe(404);
  const rest = ['/-/health', '/-/status', '/mcp', '/bank/mcp'].map((path) =>
    statusAt(`${gateway.adminUrl}${path}`),
  );
  expect(await Promise.all(rest)).toEqual([200, 200, 404, 404]);
  expect(
    (await post(`${gateway.url}/bank/mcp`, callTool('see'), { authorization: `Bearer ${OPS}` })).status,
  ).toBe(200);
  await gateway.close(0);
  await expect(fetch(`${gateway.adminUrl}/-/health`)).rejects.toThrow();
});

it('is not there when it is turned off', async () => {
  const { gateway } = await house({ admin: false });
  expect([
    await statusAt(`${gateway.url}/-/admin/v1/keys`),
    await statusAt(`${gateway.url}/-/status`),
  ]).toEqual([404, 200]);
});

it('without keys everybody may look, and nobody may change anything', async () => {
  const { ask } = await house({ keys: [] });
  expect((await ask('GET', '/status', { key: '' })).status).toBe(200);
  const { status, body } = await ask('POST', '/keys', { key: '', body: { name: 'eve' } });
  expect([status, body.kind, body.advice]).toEqual([
    403,
    'forbidden',
    'Make a key with `mayday keys create NAME --role operator`, or give one in the file the role operator.',
  ]);
  expect((await ask('GET', '/audit', { key: '' })).body.rows).toEqual([]);
});

it('without a store there are no keys to list, and it says so', async () => {
  const { ask } = await house({ store: null });
  expect((await ask('GET', '/status')).status).toBe(200);
  for (const path of ['/keys', '/approvals', '/faults', '/faults/stream', '/audit']) {
    const { status, body } = await ask('GET', path);
    expect([status, body.kind, body.advice]).toEqual([
      501,
      'unsupported',
      'Add `store: file:./mayday.db` to its file, and start it again.',
    ]);
  }
});

it('while the store fails it says so, and what is not known of a change', async () => {
  const { ask, store, logs } = await house();
  await store.close();
  const [read, change] = [await ask('GET', '/keys'), await ask('POST', '/keys', { body: { name: 'bob' } })];
  expect([read.status, read.body.kind, read.body.executed]).toEqual([503, 'unavailable', 'no']);
  expect([change.status, change.body.kind, change.body.executed]).toEqual([503, 'unavailable', 'maybe']);
  expect((await ask('GET', '/faults/stream')).status).toBe(503);
  expect(logs.join('\n')).not.toContain('bug:');
});
