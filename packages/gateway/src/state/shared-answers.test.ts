import type { KeyClaim } from '@mayday/policy';
import { openStore } from '@mayday/store';
import { afterEach, expect, it, vi } from 'vitest';
import { sharedAnswers } from './shared-answers.ts';

afterEach(() => {
  vi.useRealTimers();
});

const call: KeyClaim = {
  key: 'k',
  fingerprint: 'f',
  owner: 'ada',
  now: 0,
  leaseMs: 60_000,
  ttlMs: 60_000,
  token: 't',
};

it('tells a store that was emptied what runs here, so that nobody else makes it again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let inside = await openStore('memory:');
  const frail = new Proxy(inside, { get: (_, name) => Reflect.get(inside, name) as unknown });
  const well = async (): Promise<boolean> => true;
  const here = await sharedAnswers(frail, well);
  const there = await sharedAnswers(frail, well);
  expect(await here.claim(call)).toEqual({ state: 'claimed' });
  await inside.close();
  inside = await openStore('memory:');
  await vi.advanceTimersByTimeAsync(3000);
  await vi.waitFor(async () => {
    expect(await there.claim({ ...call, token: 'u' })).toEqual({ state: 'running', fingerprint: 'f' });
  });
  await here.finish({ key: 'k', answer: 'paid', now: 0, token: 't' });
  expect(await there.claim({ ...call, token: 'v' })).toEqual({
    state: 'done',
    fingerprint: 'f',
    answer: 'paid',
  });
  await Promise.all([here.close(0), there.close(0)]);
  await inside.close();
});
