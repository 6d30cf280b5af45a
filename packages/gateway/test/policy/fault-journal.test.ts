/** Failures in the store: of all gateways, without secrets, and behind the calls. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '@mayday/store';
import { afterEach, expect, it } from 'vitest';
import { startGateway } from '../../src/index.ts';
import {
  callTool,
  cleanUp,
  faultIn,
  json,
  later,
  open,
  post,
  settingsOf,
  until,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

/** A server whose orders are never there. */
async function shop(): Promise<string> {
  const { url } = await upstream((body, response) => {
    const { id, params } = JSON.parse(body || '{}');
    const order = params?.arguments?.order ?? 0;
    const text = `Order ${order} of token sk-ant-api03-${'a'.repeat(80)}AA was not found`;
    json(response, 200, { jsonrpc: '2.0', id, result: { isError: true, content: [{ type: 'text', text }] } });
  });
  return url;
}

it('keeps the failures of all gateways, grouped, and without secrets', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'mayday-faults-')), 'mayday.db');
  const settings = { store: file, upstreams: { shop: { url: await shop() } } };
  const [a, b] = [await open(settings), await open(settings)];
  const told = faultIn(await post(`${a.url}/shop/mcp`, callTool('find', { order: 1 })));
  await post(`${b.url}/shop/mcp`, callTool('find', { order: 22 }));
  const store = await openStore(file);
  later(() => store.close());
  await until(async () => (await store.faults.list()).length === 2);
  const [group, ...others] = await store.faults.groups();
  expect([group?.count, group?.upstream, group?.kind, others]).toEqual([2, 'shop', told?.['kind'], []]);
  const entries = await store.faults.list();
  expect(JSON.stringify(entries)).not.toContain('sk-ant');
  expect(entries.map(({ details }) => details)).toContainEqual(
    expect.objectContaining({
      method: 'tools/call',
      target: 'find',
      caller: null,
      correlation_id: told?.['correlation_id'],
    }),
  );
});

it('writes what is left when it ends', async () => {
  const store = await openStore('memory:');
  later(() => store.close());
  const settings = settingsOf({ upstreams: { shop: { url: await shop() } } });
  const gateway = await startGateway(settings, { store });
  await post(`${gateway.url}/shop/mcp`, callTool('find', { order: 1 }));
  await gateway.close(0);
  expect(await store.faults.list()).toHaveLength(1);
});

it('ends in time with a store that takes nothing', async () => {
  const store = await openStore('memory:');
  const never = (): Promise<never> => new Promise(() => undefined);
  const logs: string[] = [];
  const settings = settingsOf({ upstreams: { shop: { url: await shop() } } });
  const stuck = {
    ...store,
    faults: { ...store.faults, append: never },
    sessions: { ...store.sessions, end: never },
  };
  const gateway = await startGateway(settings, { store: stuck, onLog: (line) => logs.push(line) });
  await post(`${gateway.url}/shop/mcp`, callTool('find', { order: 1 }));
  const began = performance.now();
  await gateway.close(0);
  expect(performance.now() - began).toBeLessThan(8000);
  expect(logs.join('\n')).toContain('store: 1 faults were not journalled');
  await store.close();
});

it('holds up no call, and writes when the store is back, as of when it happened', async () => {
  const store = await openStore('memory:');
  later(() => store.close());
  let isDown = true;
  const names = new Set<string | undefined>();
  const append: Store['faults']['append'] = async (faults, batch) => {
    names.add(batch);
    if (isDown) throw new Error('down');
    await store.faults.append(faults);
  };
  const settings = settingsOf({ upstreams: { shop: { url: await shop() } } });
  const gateway = await startGateway(settings, { store: { ...store, faults: { ...store.faults, append } } });
  later(() => gateway.close(0));
  for (const order of [1, 2, 3]) await post(`${gateway.url}/shop/mcp`, callTool('find', { order }));
  const failedBy = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(await store.faults.list()).toHaveLength(0);
  isDown = false;
  await until(async () => (await store.faults.list()).length === 3);
  const entries = await store.faults.list();
  for (const { at } of entries) expect(at).toBeLessThan(failedBy + 300); // when it happened, not when it was written
  expect(names).not.toContain(undefined);
  expect(names.size).toBeLessThanOrEqual(2); // the first try stays together, the rest follows
});
