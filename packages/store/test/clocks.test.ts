/** Clocks that are set, and processes that die: what was counted still counts, and what is over is over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-clocks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

let files = 0;
const newFile = (): string => `file:${join(folder, `${++files}.db`)}`;
const HOUR = 3_600_000;

function setClock(byMs: number): void {
  vi.restoreAllMocks();
  const real = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => real() + byMs);
}

const asked = (fingerprint: string, ttlMs: number) => ({
  fingerprint,
  caller: 'ann',
  upstream: 'bank',
  target: 'pay',
  arguments: {},
  now: 0,
  ttlMs,
});

describe.each([
  ['in memory', () => 'memory:'],
  ['in a file', newFile],
])('%s', (_, url) => {
  it.each(['window', 'bucket'] as const)(
    'a clock that is set makes no limit forget: %s',
    async (algorithm) => {
      const store = await openStore(url());
      const take = () =>
        store.rates.take({ key: 'k', limit: 1, windowMs: 60_000, algorithm, now: Date.now() });
      expect(await take()).toBe(0);
      for (const byMs of [HOUR, -HOUR, 0]) {
        setClock(byMs);
        const waitMs = await take();
        expect([waitMs > 30_000, waitMs <= 60_000]).toEqual([true, true]);
      }
      await store.close();
    },
  );

  it('a clock that is set back makes no consent last, and one that is set forward ends it', async () => {
    const store = await openStore(url());
    for (const [byMs, ttlMs] of [
      [-HOUR, 200],
      [HOUR, 60_000],
    ] as const) {
      setClock(0);
      const request = asked(`p${byMs}`, ttlMs);
      const found = await store.approvals.claim(request);
      const id = 'id' in found ? found.id : '';
      expect(await store.approvals.approve(id)).toBe(true);
      setClock(byMs);
      await pause(300);
      const next = await store.approvals.claim(request);
      expect([next.state, 'id' in next && next.id === id]).toEqual(['waiting', false]);
    }
    await store.close();
  });
});

it('a consent is held while its process lives, and used up half a minute after that has died', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let now = 1_800_000_000_000;
  const clock = { now: () => now };
  const url = newFile();
  const [dies, other] = [await openStore({ url, clock }), await openStore({ url, clock })];
  const request = asked('p', HOUR);
  const first = await dies.approvals.claim(request);
  const id = 'id' in first ? first.id : '';
  await dies.approvals.approve(id);
  expect(await dies.approvals.claim(request)).toEqual({ state: 'claimed', id });
  for (let i = 0; i < 20; i += 1) {
    now += 7500;
    await vi.advanceTimersByTimeAsync(7500);
  }
  expect(await other.approvals.claim(request)).toEqual({ state: 'taken', id });
  await dies.close(); // and reports nothing
  now += 31_000;
  const next = await other.approvals.claim(request);
  expect([next.state, 'id' in next && next.id === id]).toEqual(['waiting', false]);
  await other.close();
});
