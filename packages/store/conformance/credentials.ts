/** Credentials of callers toward servers. */
import { expect, it } from 'vitest';
import { HARD_NAMES, type Open } from './subject.ts';

const SECRET = 'sixteen characters, and then some';
const ANN = { caller: 'ann', upstream: 'search' };

export function credentialTests(open: Open): void {
  it('keeps one for each caller and server, for all nodes, and lists none of them', async () => {
    const { store, another, pass, end } = await open({ secret: SECRET });
    const other = await another();
    const made = await store.credentials.set(ANN, 'token-of-ann');
    await store.credentials.set({ ...ANN, caller: 'login:bob' }, 'token-of-bob \ud800');
    await store.credentials.set({ ...ANN, upstream: 'files' }, 'other-of-ann');
    expect(await other.credentials.find(ANN)).toBe('token-of-ann');
    expect(await other.credentials.find({ ...ANN, caller: 'login:bob' })).toBe('token-of-bob \ud800');
    expect(await other.credentials.find({ caller: 'login:bob', upstream: 'files' })).toBeUndefined();
    await pass(50);
    const changed = await other.credentials.set(ANN, 'new-of-ann');
    expect(changed.createdAt).toBe(made.createdAt);
    expect(changed.changedAt).toBeGreaterThan(made.changedAt);
    expect(await store.credentials.find(ANN)).toBe('new-of-ann');
    const listed = await store.credentials.list();
    expect(listed.map(({ caller, upstream }) => `${caller} ${upstream}`)).toEqual([
      'ann files',
      'ann search',
      'login:bob search',
    ]);
    expect(listed[1]).toEqual(changed);
    await store.credentials.check();
    const removed = await Promise.all([store, other].map(({ credentials }) => credentials.remove(ANN)));
    expect([...removed].sort()).toEqual([false, true]);
    expect(await other.credentials.find(ANN)).toBeUndefined();
    await end();
  });

  it('keeps all names apart', async () => {
    const { store, end } = await open({ secret: SECRET });
    for (const name of HARD_NAMES) await store.credentials.set({ caller: name, upstream: 'x' }, `of ${name}`);
    for (const name of HARD_NAMES)
      expect(await store.credentials.find({ caller: name, upstream: 'x' })).toBe(`of ${name}`);
    expect(await store.credentials.list()).toHaveLength(HARD_NAMES.length);
    await end();
  });

  it('neither takes nor gives one without a secret to seal with', async () => {
    const { store, end } = await open();
    for (const ask of [
      () => store.credentials.set(ANN, 'token-of-ann'),
      () => store.credentials.find(ANN),
      () => store.credentials.check(),
    ])
      await expect(ask()).rejects.toMatchObject({
        problem: 'unsupported',
        message: expect.stringContaining('was opened without a secret; give it one'),
      });
    expect([await store.credentials.list(), await store.credentials.remove(ANN)]).toEqual([[], false]);
    await end();
  });
}
