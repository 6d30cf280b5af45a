import { read } from '@mayday/core';
import { callWithRetry } from '@mayday/core/dialects/qaqnuz';
import { CLIENTS, command, connect, tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { startPlatform } from '../test/platform.ts';
import { openStore } from './store/index.ts';

describe.each(CLIENTS)('the official client %s', (name) => {
  it('lists, calls and reads refusals over HTTP', async () => {
    const { url, key } = await startPlatform();
    const client = await connect(name, { url, headers: { authorization: `Bearer ${key()}` } });
    expect((await client.listTools()).tools).toHaveLength(5);
    expect(await client.callTool({ name: 'add_contact', arguments: { name: 'Ada' } })).toMatchObject({
      isError: false,
    });
    const refused = await client.callTool({ name: 'no_such_tool', arguments: {} });
    expect(read(refused, { from: 'qaqnuz' })).toMatchObject({ failure: true, placement: 'tool' });
    const asked = await client.callTool({ name: 'issue_refund', arguments: { order: 'o', amount_cents: 1 } });
    expect(read(asked, { from: 'qaqnuz' })).toMatchObject({ fault: { kind: 'approval_required' } });
    const stranger = await connect(name, { url, headers: { authorization: 'Bearer qx_live_nobody' } });
    expect((await stranger.listTools()).tools).toEqual([]);
    expect(read(await stranger.callTool({ name: 'find_contacts' }), { from: 'qaqnuz' })).toMatchObject({
      fault: { kind: 'unauthenticated', reaction: 'permission' },
    });
  });

  it('QA-26 waits out a rate limit over HTTP', async () => {
    const { url, key, advance } = await startPlatform({ perKey: 1 });
    const client = await connect(name, { url, headers: { authorization: `Bearer ${key()}` } });
    const waits: number[] = [];
    const sleep = async (ms: number): Promise<void> => {
      waits.push(ms);
      advance(30_000);
    };
    const find = () => callWithRetry(client, 'find_contacts', { name: 'a' }, { sleep });
    expect(await find()).toMatchObject({ isError: false });
    expect(await find()).toMatchObject({ isError: false });
    expect(waits).toEqual([1000, 2000]);
  });
});

describe.each(['v1', 'v2'] as const)('the official client %s on stdio', (name) => {
  it('has its key in the environment', async () => {
    const folder = tempFolder();
    const store = openStore(folder);
    store.keys.addBrand('acme');
    const { key } = store.keys.issue('acme', ['contacts.read']);
    store.close();
    const client = await connect(name, {
      ...command('qaqnuz', ['--data', folder]),
      env: { QAQNUZ_KEY: key },
    });
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual([
      'find_contacts',
      'get_contact',
    ]);
    expect(await client.callTool({ name: 'get_contact', arguments: { id: 'x' } })).toMatchObject({
      isError: true,
      content: [{ text: 'There is no such contact' }],
    });
  });
});
