/** Limits that a call takes together: all of them or none. */
import type { RateWish } from '@mayday/policy';
import type { Store } from '@mayday/store';
import { expect, it } from 'vitest';
import type { Open } from './subject.ts';

const wish = (key: string, more: Partial<RateWish> = {}): RateWish => ({
  key,
  limit: 3,
  windowMs: 60_000,
  now: 0,
  ...more,
});

export function togetherTests(open: Open): void {
  it('counts a call by all limits or by none', async () => {
    const { store, end } = await open();
    const wide = wish('wide', { limit: 10 });
    const drops = wish('drops', { limit: 5, algorithm: 'bucket' });
    const both = async () =>
      (await store.rates.takeAll([wide, wish('narrow'), drops])).map((one) => one.remaining);
    expect(await both()).toEqual([9, 2, 4]);
    expect([await both(), await both()]).toEqual([
      [8, 1, 3],
      [7, 0, 2],
    ]);
    for (let i = 0; i < 5; i += 1) expect(await both()).toEqual([7, 0, 2]);
    const [first, second, third] = await store.rates.takeAll([wide, wish('narrow'), drops]);
    expect([first?.waitMs, third?.waitMs]).toEqual([0, 0]);
    expect(second?.waitMs).toBeGreaterThan(0);
    for (let left = 6; left >= 0; left -= 1)
      expect((await store.rates.takeAll([wide]))[0]).toMatchObject({ waitMs: 0, remaining: left });
    expect((await store.rates.takeAll([wide]))[0]?.waitMs).toBeGreaterThan(0);
    await end();
  });

  it('says how much is left of a window, when more of it comes back, and how long a call waits', async () => {
    const { store, pass, slackMs, end } = await open();
    const take = async (cost: number) =>
      (await store.rates.takeAll([wish('a', { limit: 5, windowMs: 2000, cost })]))[0];
    const near = (told: number | undefined, ms: number) => {
      expect(told).toBeLessThanOrEqual(ms);
      expect(told).toBeGreaterThanOrEqual(ms - slackMs);
    };
    const first = await take(2);
    expect(first).toMatchObject({ waitMs: 0, remaining: 3 });
    near(first?.growsMs, 2000);
    await pass(800);
    const second = await take(1);
    expect(second).toMatchObject({ waitMs: 0, remaining: 2 });
    near(second?.growsMs, 1200);
    const refused = await take(4);
    expect(refused?.remaining).toBe(2);
    near(refused?.growsMs, 1200);
    near(refused?.waitMs, 1200);
    near((await take(5))?.waitMs, 2000);
    await pass(refused?.waitMs ?? 0);
    expect(await take(4)).toMatchObject({ waitMs: 0, remaining: 0 });
    await end();
  });

  it('says how much is left in a bucket, and when the next whole one is in it', async () => {
    const { store, pass, slackMs, end } = await open();
    const take = async (cost = 1) =>
      (await store.rates.takeAll([wish('a', { limit: 4, windowMs: 4000, algorithm: 'bucket', cost })]))[0];
    const first = await take();
    expect(first).toMatchObject({ waitMs: 0, remaining: 3 });
    expect(first?.growsMs).toBe(1000);
    await pass(500);
    const second = await take(2);
    expect(second).toMatchObject({ waitMs: 0, remaining: 1 });
    expect(second?.growsMs).toBeLessThanOrEqual(500);
    expect(second?.growsMs).toBeGreaterThanOrEqual(500 - slackMs);
    const refused = await take(4);
    expect(refused).toMatchObject({ remaining: 1 });
    expect(refused?.waitMs).toBeLessThanOrEqual(2500);
    expect(refused?.waitMs).toBeGreaterThanOrEqual(2500 - slackMs);
    await end();
  });

  it('heeds a limit that was changed, with what was counted before', async () => {
    const { store, end } = await open();
    const take = async (limit: number) => (await store.rates.takeAll([wish('a', { limit })]))[0];
    for (const remaining of [3, 2, 1]) expect(await take(4)).toMatchObject({ waitMs: 0, remaining });
    expect(await take(2)).toMatchObject({ remaining: 0 });
    expect((await take(2))?.waitMs).toBeGreaterThan(0);
    expect(await take(4)).toMatchObject({ waitMs: 0, remaining: 0 });
    await end();
  });

  it('lets exactly as many through as fit all limits, on however many nodes', async () => {
    const { store, another, end } = await open();
    const nodes = [store, await another(), await another()];
    const standings = await Promise.all(
      Array.from({ length: 120 }, async (_, i) =>
        (nodes[i % 3] as Store).rates.takeAll([
          wish('all', { limit: 40 }),
          wish(`caller ${i % 4}`, { limit: 8 }),
          wish('bucket', { limit: 50, windowMs: 1e9, algorithm: 'bucket' }),
        ]),
      ),
    );
    const passed = standings.filter((told) => told.every(({ waitMs }) => waitMs === 0));
    expect(passed).toHaveLength(32);
    const [all, bucket] = await store.rates.takeAll([
      wish('all', { limit: 40 }),
      wish('bucket', { limit: 50, windowMs: 1e9, algorithm: 'bucket' }),
    ]);
    expect([all?.remaining, bucket?.remaining]).toEqual([7, 17]);
    await end();
  });

  it('gives places under all keys or under none', async () => {
    const { store, another, end } = await open();
    const other = await another();
    const narrow = { key: 'narrow', limit: 1 };
    const wide = { key: 'wide', limit: 2 };
    const first = await store.places.acquireAll([narrow, wide]);
    expect(first).toBeDefined();
    for (let i = 0; i < 4; i += 1) expect(await other.places.acquireAll([wide, narrow])).toBeUndefined();
    const second = await other.places.acquireAll([wide]);
    expect(second).toBeDefined();
    expect(await store.places.acquireAll([wide])).toBeUndefined();
    expect(await store.places.acquire({ ...wide, queue: 0 })).toBeUndefined();
    await first?.release();
    await first?.release();
    expect(await other.places.acquireAll([narrow, wide])).toBeDefined();
    expect(await store.places.acquireAll([wide])).toBeUndefined();
    await second?.release();
    expect(await store.places.acquireAll([wide])).toBeDefined();
    await end();
  });

  it('never gives more places than there are, however many ask at once', async () => {
    const { store, another, end } = await open();
    const nodes = [store, await another(), await another()];
    const given = await Promise.all(
      Array.from({ length: 60 }, async (_, i) =>
        (nodes[i % 3] as Store).places.acquireAll([
          { key: 'all', limit: 9 },
          { key: `caller ${i % 2}`, limit: 5 },
        ]),
      ),
    );
    const held = given.filter((place) => place !== undefined);
    expect(held).toHaveLength(9);
    for (const place of held) await place.release();
    expect(await store.places.acquireAll([{ key: 'all', limit: 1 }])).toBeDefined();
    await end();
  });
}
