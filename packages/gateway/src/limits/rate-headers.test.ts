import { expect, it } from 'vitest';
import { policyNames, rateHeaders } from './rate-headers.ts';

it('names limits by what they allow, each by another name', () => {
  const limits = [
    [60, 60_000],
    [10, 1000],
    [1000, 3_600_000],
    [5, 86_400_000],
    [7, 30_000],
    [3, 250],
    [3, 1500],
    [60, 60_000],
  ].map(([calls = 0, perMs = 0]) => ({ calls, perMs }));
  expect(policyNames(limits)).toEqual([
    '60-per-minute',
    '10-per-second',
    '1000-per-hour',
    '5-per-day',
    '7-per-30-seconds',
    '3-per-250-ms',
    '3-per-1500-ms',
    '60-per-minute-2',
  ]);
});

it('tells a limit in whole seconds, rounded up', () => {
  const limit = { calls: 60, perMs: 60_000 };
  expect(rateHeaders('60-per-minute', limit)({ remaining: 59, growsMs: 59_001 })).toEqual({
    'ratelimit-policy': '"60-per-minute";q=60;w=60',
    ratelimit: '"60-per-minute";r=59;t=60',
  });
  expect(rateHeaders('3-per-250-ms', { calls: 3, perMs: 250 })({ remaining: 0, growsMs: 120 })).toEqual({
    'ratelimit-policy': '"3-per-250-ms";q=3;w=1',
    ratelimit: '"3-per-250-ms";r=0;t=1',
  });
});
