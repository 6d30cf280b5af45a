import { afterEach, expect, it, vi } from 'vitest';
import type { Link } from '../links/link.ts';
import { keepingBusy } from './busy.ts';
import { answered, type WireCall } from './call.ts';
import { SharedLinks } from './shared-links.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('is busy with a task until its server would have forgotten it', async () => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
  const shared = new SharedLinks<Link>(() => ({}) as Link, undefined);
  const begun = { jsonrpc: '2.0', id: 1, result: { task: { taskId: 't', status: 'working', ttl: 60_000 } } };
  const body = Buffer.from(JSON.stringify(begun));
  const begin = keepingBusy(shared.of('2025-11-25'), async () =>
    answered({ body, status: 200, headers: {}, isStream: false }),
  );
  expect(shared.isBusy).toBe(false);
  await begin({ method: 'tools/call', params: () => ({}) } as unknown as WireCall);
  expect(shared.isBusy).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(shared.isBusy).toBe(false);
});
