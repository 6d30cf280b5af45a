import { openCounts } from '@mayday/reference-shared';
import { memoryLogger, tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { createPlatica } from '../service.ts';
import { createApi } from './api.ts';
import { disableKey, listKeys, mintKey, requireKey } from './keys.ts';
import { find, hasWorkspace, list, newId, openStore, remove, save } from './store.ts';

describe('an empty store', () => {
  it('starts with two workspaces and two agents, one of them without a workspace, once', () => {
    const folder = tempFolder();
    for (const store of [openStore(folder), openStore(folder)]) {
      expect(store.prepare('SELECT id FROM workspaces').all().map(Object.values)).toEqual([
        ['ws_norte'],
        ['ws_sur'],
      ]);
      expect(store.prepare('SELECT * FROM things').all().map(Object.values)).toEqual([
        ['agt_ventas', 'agent', 'ws_norte', '{"name":"Ventas","subagents":[]}'],
        ['agt_suelto', 'agent', null, '{"name":"Suelto","subagents":[]}'],
      ]);
      expect(['ws_norte', 'ws_sur', 'ws_este'].map((id) => hasWorkspace(store, id))).toEqual([
        true,
        true,
        false,
      ]);
    }
  });
});

describe('a thing', () => {
  it('has an id of its kind, is kept, changed, listed in its workspace and forgotten', () => {
    const store = openStore(tempFolder());
    expect((['client', 'agent', 'campaign', 'webhook'] as const).map((kind) => newId(kind).length)).toEqual([
      17, 17, 17, 17,
    ]);
    const id = newId('client');
    expect(id).toMatch(/^cli_[0-9a-f]{8}-[0-9a-f]{4}$/);
    const ana = { id, workspace: 'ws_sur', name: 'Ana' };
    expect(save(store, 'client', { ...ana, name: 'An' })).toEqual({ ...ana, name: 'An' });
    save(store, 'client', ana);
    expect([find(store, 'client', id), find(store, 'agent', id)]).toEqual([ana, undefined]);
    expect([list(store, 'client', 'ws_sur'), list(store, 'client', 'ws_norte')]).toEqual([[ana], []]);
    remove(store, id);
    expect(find(store, 'client', id)).toBeUndefined();
  });
});

describe('a key', () => {
  it('is for workspaces that exist, is listed without its secret, and switched off by itself or its id', () => {
    const store = openStore(tempFolder());
    expect(() => mintKey(store, ['ws_norte', 'ws_este'])).toThrow(TypeError);
    const [first, second] = [mintKey(store, ['ws_norte']), mintKey(store, ['ws_norte', 'ws_sur'])];
    const id = (key: string) => /^pl_key_([0-9a-f]{12})_[0-9a-f]{32}$/.exec(key)?.[1] as string;
    expect(requireKey(store, `Bearer ${second}`)).toEqual({
      id: id(second),
      workspaces: ['ws_norte', 'ws_sur'],
    });
    expect([disableKey(store, first), disableKey(store, id(second))]).toEqual([true, true]);
    expect(listKeys(store)).toEqual([
      { id: id(first), workspaces: ['ws_norte'], disabled: true },
      { id: id(second), workspaces: ['ws_norte', 'ws_sur'], disabled: true },
    ]);
  });
});

it('a key for one workspace that is named twice is for one', () => {
  const store = openStore(tempFolder());
  const key = mintKey(store, ['ws_sur', 'ws_sur']);
  expect(requireKey(store, `Bearer ${key}`).workspaces).toEqual(['ws_sur']);
});

describe('the interface', () => {
  const large = (size: number) => `{"name":"${'x'.repeat(size - 11)}"}`;

  it('refuses a body of more than a megabyte, and reads one of as much', async () => {
    const store = openStore(tempFolder());
    const authorization = `Bearer ${mintKey(store, ['ws_norte'])}`;
    const counts = openCounts(tempFolder(), 1000);
    const api = createApi({ store, counts, logger: memoryLogger(), perSecond: 9 });
    const send = async (body: string) => {
      const request = new Request('http://x/api/v1/agents', {
        method: 'POST',
        body,
        headers: { authorization },
      });
      return (await api(request)).json();
    };
    expect(await send(large(1_048_577))).toEqual({
      code: 413,
      error: 'Payload too large',
      details: 'At most 1048576 bytes.',
    });
    expect(await send(large(1_048_576))).toMatchObject({ code: 400, errors: [{ message: 'is too long' }] });
  });

  it('answers thirty requests a second, on a port that the log names', async () => {
    const data = tempFolder();
    const store = openStore(data);
    const key = mintKey(store, ['ws_norte']);
    const logger = memoryLogger();
    const service = await createPlatica({ data, logger });
    expect(logger.lines).toEqual([]);
    service.started?.();
    const at = /^The REST interface is at (http:\/\/127\.0\.0\.1:\d+\/api\/v1)$/.exec(
      logger.lines[0]?.message ?? '',
    )?.[1];
    // A second that does not end while the test runs, with 29 requests in it.
    const { id } = requireKey(store, `Bearer ${key}`);
    const counts = openCounts(data, 1000);
    const take = () => counts.takeAll(id, [{ limit: 29, windowMs: 1000 }], Date.now() + 60_000);
    expect(Array.from({ length: 29 }, take)).toEqual(Array(29).fill(0));
    const ask = () => fetch(`${at}/clients`, { headers: { authorization: `Bearer ${key}` } });
    expect(await (await ask()).json()).toEqual({ data: [] });
    expect(await (await ask()).json()).toEqual({
      code: 429,
      error: 'Too many requests',
      details: 'At most 30 requests a second.',
    });
    await service.close();
  });
});
