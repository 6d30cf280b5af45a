/** A consent whose call was not made is given back, also where the connection breaks at that moment. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { limitsOf } from '../settings.ts';
import { StoreError } from '../store-error.ts';
import { redisApprovals } from './approvals.ts';
import type { Access } from './redis.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const REQUEST = {
  fingerprint: 'f',
  caller: 'ann',
  upstream: 'bank',
  target: 'pay',
  arguments: {},
  now: 0,
  ttlMs: 60_000,
};

/** A server that claims whatever is asked for, and cannot be reached to settle anything until a test says so. */
function opened() {
  const asked: (readonly unknown[])[] = [];
  const server = { problem: 'down' as StoreError['problem'] | undefined };
  const ask = async ({ values }: { readonly values: readonly unknown[] }): Promise<unknown> => {
    asked.push(values);
    if (values[0] !== 'id-1') return ['claimed', 'id-1'];
    if (server.problem !== undefined) throw new StoreError(server.problem, 'Redis cannot be reached');
    return 1;
  };
  const access = { link: { ask }, keyOf: (name: string) => name } as unknown as Access;
  const approvals = redisApprovals(access, limitsOf({}));
  const settled = () => asked.filter(([id]) => id === 'id-1');
  return { approvals, server, settled, owner: () => asked[0]?.[6] };
}

it('is tried again until it is done, and takes nobody else’s claim away', async () => {
  const { approvals, server, settled, owner } = opened();
  await approvals.claim(REQUEST);
  await expect(approvals.release('id-1')).rejects.toThrow('cannot be reached');
  await vi.advanceTimersByTimeAsync(3000);
  const tries = settled().length;
  expect(tries).toBeGreaterThan(2);
  server.problem = undefined;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(settled()).toHaveLength(tries + 1);
  const again = settled().slice(1);
  expect(new Set(again.map(([, ...rest]) => rest.join(' ')))).toEqual(new Set([`release ${owner()}`]));
});

it('is not tried for ever, and not at all where the store was closed', async () => {
  const { approvals, server, settled } = opened();
  await approvals.claim(REQUEST);
  await expect(approvals.release('id-1')).rejects.toThrow('cannot be reached');
  await vi.advanceTimersByTimeAsync(40_000);
  const tries = settled().length;
  await vi.advanceTimersByTimeAsync(100_000);
  expect(settled()).toHaveLength(tries);
  server.problem = 'closed';
  await approvals.claim(REQUEST);
  await expect(approvals.release('id-1')).rejects.toThrow('cannot be reached');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(settled()).toHaveLength(tries + 1);
});

it('is not tried again where the call was made: that is for the lease to end', async () => {
  const { approvals, settled } = opened();
  await approvals.claim(REQUEST);
  await expect(approvals.confirm('id-1')).rejects.toThrow('cannot be reached');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(settled()).toHaveLength(1);
});
