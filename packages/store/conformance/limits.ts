/** Rates and places. */
import type { Place, RateWish } from '@mayday/policy';
import type { Store } from '@mayday/store';
import { expect, it } from 'vitest';
import { HARD_NAMES, type Open } from './subject.ts';

const wish = (key: string, more: Partial<RateWish> = {}): RateWish => ({
  key,
  limit: 3,
  windowMs: 600,
  now: 0,
  ...more,
});

export function limitTests(open: Open): void {
  it('counts a sliding window exactly, and says the exact wait', async () => {
    const { store, pass, slackMs, end } = await open();
    const take = async () => store.rates.take(wish('a'));
    expect(await take()).toBe(0);
    await pass(200);
    expect([await take(), await take()]).toEqual([0, 0]);
    const waitMs = await take();
    expect(waitMs).toBeLessThanOrEqual(400);
    expect(waitMs).toBeGreaterThanOrEqual(400 - slackMs);
    await pass(waitMs);
    expect(await take()).toBe(0);
    expect(await take()).toBeGreaterThan(0);
    await end();
  });

  it('tells those who ask at once as it tells those who ask one after the other', async () => {
    const { store, pass, slackMs, end } = await open();
    expect(await store.rates.take(wish('a'))).toBe(0);
    await pass(200);
    // The fourth waits for the first of all, the fifth for one of those that were counted beside it.
    const asked = [1, 1, 1, 2].map((cost) => store.rates.takeAll([wish('a', { cost })]));
    const told = (await Promise.all(asked)).map(([standing]) => standing);
    expect(told.map((standing) => standing?.remaining)).toEqual([1, 0, 0, 0]);
    const [, , fourth = 0, fifth = 0] = told.map((standing) => standing?.waitMs);
    expect(told.slice(0, 2).map((standing) => standing?.waitMs)).toEqual([0, 0]);
    expect(fourth).toBeGreaterThanOrEqual(400 - slackMs);
    expect(fourth).toBeLessThanOrEqual(400);
    expect(fifth).toBeGreaterThanOrEqual(600 - slackMs);
    expect(fifth).toBeLessThanOrEqual(600);
    await pass(fourth);
    expect(await store.rates.take(wish('a'))).toBe(0);
    await end();
  });

  it('fills a bucket evenly, and says the exact wait', async () => {
    const { store, pass, slackMs, end } = await open();
    const take = async (cost = 1) => store.rates.take(wish('a', { algorithm: 'bucket', cost }));
    expect([await take(), await take(), await take()]).toEqual([0, 0, 0]);
    const waitMs = await take();
    expect(waitMs).toBeLessThanOrEqual(200);
    expect(waitMs).toBeGreaterThanOrEqual(200 - slackMs);
    await pass(waitMs);
    expect(await take()).toBe(0);
    const longer = await take(3);
    expect(longer).toBeGreaterThanOrEqual(600 - slackMs);
    expect(longer).toBeLessThanOrEqual(600);
    await end();
  });

  it('counts a call for what it costs, and refuses what never fits', async () => {
    const { store, end } = await open();
    const take = async (cost: number) => store.rates.take(wish('a', { cost }));
    expect([await take(1), await take(2)]).toEqual([0, 0]);
    expect(await take(1)).toBeGreaterThan(0);
    await expect(take(4)).rejects.toThrow('it would never fit');
    await expect(take(0.5)).rejects.toThrow('positive integer');
    await end();
  });

  it('lets exactly the limit through, however many ask at once, on however many nodes', async () => {
    const { store, another, end } = await open();
    const nodes = [store, await another(), await another()];
    const waits = await Promise.all(
      Array.from({ length: 150 }, async (_, i) =>
        (nodes[i % 3] as Store).rates.take(wish('a', { limit: 40, windowMs: 60_000 })),
      ),
    );
    expect(waits.filter((ms) => ms === 0)).toHaveLength(40);
    expect(Math.max(...waits)).toBeLessThanOrEqual(60_000);
    await end();
  });

  it('goes by its own time, whatever the caller’s clock says', async () => {
    const { store, end } = await open();
    const hour = 3_600_000;
    for (const now of [0, Date.now() + hour, -hour])
      expect(await store.rates.take(wish('a', { now, windowMs: 60_000 }))).toBe(0);
    for (const now of [0, 9e15, Number.NaN])
      expect(await store.rates.take(wish('a', { now, windowMs: 60_000 }))).toBeGreaterThan(50_000);
    await end();
  });

  it('makes nobody wait longer than a window when its clock is set back', async () => {
    const { store, pass, slackMs, end } = await open();
    const take = async (algorithm: 'window' | 'bucket') => store.rates.take(wish(algorithm, { algorithm }));
    for (let i = 0; i < 3; i += 1) expect([await take('window'), await take('bucket')]).toEqual([0, 0]);
    // Only a time that is given can be set; the others stay where they are.
    await pass(slackMs === 0 ? -3_600_000 : 0);
    const waits = [await take('window'), await take('bucket')];
    expect(Math.max(...waits)).toBeLessThanOrEqual(600);
    expect(Math.min(...waits)).toBeGreaterThan(0);
    await end();
  });

  it('lets a bucket fill again after its clock was set back', async () => {
    const { store, pass, slackMs, end } = await open();
    const take = async () => store.rates.take(wish('a', { algorithm: 'bucket' }));
    expect(await take()).toBe(0);
    await pass(slackMs === 0 ? -3_600_000 : 0);
    await take();
    await pass(601);
    expect([await take(), await take(), await take()]).toEqual([0, 0, 0]);
    await end();
  });

  it('keeps all names apart', async () => {
    const { store, end } = await open();
    const once = async (key: string) => store.rates.take(wish(key, { limit: 1, windowMs: 60_000 }));
    for (const name of HARD_NAMES) expect([name, await once(name)]).toEqual([name, 0]);
    for (const name of HARD_NAMES) expect(await once(name)).toBeGreaterThan(0);
    await end();
  });

  it('gives places to so many, lets so many wait, and refuses the rest', async () => {
    const { store, another, end } = await open();
    const other = await another();
    const acquire = async (node: Store, signal?: AbortSignal): Promise<Place | undefined> =>
      node.places.acquire({ key: 'a', limit: 2, queue: 1, signal });
    const [first, second] = [await acquire(store), await acquire(other)];
    const waiting = acquire(other);
    await until(async () => (await acquire(store, AbortSignal.timeout(5))) === undefined);
    expect(await acquire(store)).toBeUndefined();
    await first?.release();
    const third = await waiting;
    expect(third).toBeDefined();
    await first?.release();
    expect(await acquire(store, AbortSignal.timeout(20))).toBeUndefined();
    await second?.release();
    await third?.release();
    expect(await acquire(store)).toBeDefined();
    await end();
  });

  it('lets those who wait in one by one, and never too many', async () => {
    const { store, another, end } = await open();
    const nodes = [store, await another()];
    let [inside, most] = [0, 0];
    const work = async (i: number): Promise<void> => {
      const place = await (nodes[i % 2] as Store).places.acquire({ key: 'a', limit: 3, queue: 100 });
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 2));
      inside -= 1;
      await place?.release();
    };
    await Promise.all(Array.from({ length: 20 }, (_, i) => work(i)));
    expect(most).toBe(3);
    await end();
  });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 1));
}
