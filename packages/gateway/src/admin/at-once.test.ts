/** Several ask for the same at the same time: one of them gets it, and the log tells who. */
import { language } from '@mayday/core';
import { openStore, type Store } from '@mayday/store';
import { expect, it } from 'vitest';
import { createAdmin } from './admin.ts';

interface Desk {
  readonly store: Store;
  ask(path: string, body: object, actor?: string): Promise<number>;
  /** The rows, without what is the same in all of them. */
  rows(): Promise<readonly (readonly unknown[])[]>;
}

async function openDesk(change: (store: Store) => Store = (store) => store): Promise<Desk> {
  const store = await openStore('memory:');
  const house = {
    store: change(store),
    settings: () => undefined,
    language,
    isByKey: true,
  };
  const { find, run } = createAdmin(house);
  return {
    store,
    async ask(path, body, actor = 'ops') {
      const found = find('POST', path);
      if ('fault' in found) return found.status;
      const outcome = await run(found, { path, body, actor });
      return 'status' in outcome ? outcome.status : 0;
    },
    rows: async () =>
      (await store.audit.list()).map(({ seq, actor, action, details }) => {
        const { row } = details as { readonly row?: unknown };
        return row === undefined ? [seq, actor, action] : [seq, actor, action, row];
      }),
  };
}

it('makes one key of a name', async () => {
  const { store, ask } = await openDesk();
  const all = await Promise.all(Array.from({ length: 8 }, () => ask('/keys', { name: 'bob' })));
  expect(all.sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  expect(await store.keys.list()).toHaveLength(1);
});

it('has a row that says so for each decision that came too late', async () => {
  const { store, ask, rows } = await openDesk();
  const asked = { fingerprint: 'f', caller: 'ann', upstream: 'bank', target: 'pay', arguments: {} };
  const waiting = await store.approvals.claim({ ...asked, now: 0, ttlMs: 60_000 });
  const { id } = waiting as unknown as { readonly id: string };
  const statuses = await Promise.all([
    ask(`/approvals/${id}/reject`, {}, 'eve'),
    ask(`/approvals/${id}/approve`, {}, 'ops'),
  ]);
  expect(statuses).toEqual([200, 404]);
  expect(await rows()).toEqual([
    [1, 'eve', 'approvals.reject'],
    [2, 'ops', 'approvals.approve'],
    [3, 'ops', 'approvals.approve.void', 2],
  ]);
});

it('writes down that a key is made before it is', async () => {
  const failing = (store: Store): Store => ({
    ...store,
    keys: { ...store.keys, createOnly: () => Promise.reject(new Error('the connection was cut')) },
  });
  const { ask, rows } = await openDesk(failing);
  await expect(ask('/keys', { name: 'bob' })).rejects.toThrow('cut');
  expect(await rows()).toEqual([[1, 'ops', 'keys.create']]);
});

it('makes no key that cannot be written down, and revokes one all the same', async () => {
  let isDown = false;
  const withoutLog = (store: Store): Store => ({
    ...store,
    audit: {
      ...store.audit,
      append: (deed) => (isDown ? Promise.reject(new Error('the log is full')) : store.audit.append(deed)),
    },
  });
  const { store, ask, rows } = await openDesk(withoutLog);
  expect(await ask('/keys', { name: 'bob' })).toBe(201);
  isDown = true;
  await expect(ask('/keys', { name: 'carl' })).rejects.toThrow('full');
  const [bob, ...others] = await store.keys.list();
  expect(others).toEqual([]);
  expect(await ask(`/keys/${bob?.id}/revoke`, {})).toBe(503);
  expect((await store.keys.list())[0]?.revoked).toBe(true);
  isDown = false;
  expect(await ask(`/keys/${bob?.id}/revoke`, {})).toBe(409);
  expect(await rows()).toEqual([[1, 'ops', 'keys.create']]);
});

it('has the row of a revocation whose answer was lost', async () => {
  const failing = (store: Store): Store => ({
    ...store,
    keys: {
      ...store.keys,
      async revoke(id) {
        await store.keys.revoke(id);
        throw new Error('the connection was cut');
      },
    },
  });
  const { store, ask, rows } = await openDesk(failing);
  const { record } = await store.keys.create({ principal: 'bob' });
  await expect(ask(`/keys/${record.id}/revoke`, {})).rejects.toThrow('cut');
  expect(await rows()).toEqual([[1, 'ops', 'keys.revoke']]);
});
