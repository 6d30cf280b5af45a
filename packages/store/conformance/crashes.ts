/** Holders that die, and stores that are closed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { StoreError } from '@mayday/store';
import { expect, it } from 'vitest';
import type { Open } from './subject.ts';

const HOLDER = fileURLToPath(new URL('../test/holder.ts', import.meta.url));

/** A process that holds one of everything. */
async function holder(url: string): Promise<ChildProcess> {
  const options = ['--conditions=@mayday/source', HOLDER, url];
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

export function crashTests(open: Open, isShared: boolean): void {
  it.skipIf(!isShared)('frees the place of a holder that died, and keeps the rest taken', async () => {
    const subject = await open({ realTime: true });
    const { store, end } = subject;
    const request = { fingerprint: 'held', caller: 'ada', upstream: 'bank', target: 'pay', arguments: {} };
    const first = await store.approvals.claim({ ...request, now: 0, ttlMs: 60_000 });
    await store.approvals.approve((first as { id: string }).id);
    const child = await holder(subject.url as string);
    const wish = { key: 'held', limit: 1, queue: 0 };
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await store.places.acquire(wish)).toBeUndefined();
    for (const key of ['one', 'two'])
      expect(
        await store.places.acquireAll([
          { key, limit: 1 },
          { key: 'free', limit: 1 },
        ]),
      ).toBeUndefined();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const waiting = store.places.acquire({ ...wish, queue: 1 });
    expect(await waiting).toBeDefined();
    const both = ['one', 'two', 'free'].map((key) => ({ key, limit: 1 }));
    while ((await store.places.acquireAll(both)) === undefined)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const call = { key: 'held', fingerprint: 'f', owner: 'ada', now: 0, leaseMs: 1, ttlMs: 60_000 };
    expect(await store.idempotency.claim(call)).toMatchObject({ state: 'running' });
    expect(await store.approvals.claim({ ...request, now: 0, ttlMs: 60_000 })).toMatchObject({
      state: 'taken',
    });
    await end();
  });

  it('refuses everything once it is closed, and says so', async () => {
    const { store, end } = await open();
    await store.close();
    const asked = [
      async () => store.rates.take({ key: 'a', limit: 1, windowMs: 1, now: 0 }),
      async () => store.rates.takeAll([{ key: 'a', limit: 1, windowMs: 1, now: 0 }]),
      async () => store.places.acquire({ key: 'a', limit: 1, queue: 0 }),
      async () => store.places.acquireAll([{ key: 'a', limit: 1 }]),
      async () => store.keys.create({ principal: 'ada' }),
      async () => store.faults.groups(),
      async () => store.sessions.find('a'),
      async () => store.audit.append({ actor: 'ada', action: 'x' }),
      async () => store.approvals.waiting(),
    ];
    for (const ask of asked) {
      const thrown = await ask().catch((cause: unknown) => cause);
      expect(thrown).toBeInstanceOf(StoreError);
      expect(thrown).toMatchObject({ problem: 'closed' });
    }
    expect((await store.health()).ok).toBe(false);
    await store.close();
    await end();
  });

  it('is well', async () => {
    const { store, end } = await open();
    const { ok, problem } = await store.health();
    expect([ok, problem]).toEqual([true, undefined]);
    await end();
  });
}
