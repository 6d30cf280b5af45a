import { describe, expect, it } from 'vitest';
import { waitIn, waitOf } from './waits.ts';

describe('waitIn', () => {
  it.each([
    ['Rate limit exceeded, retry in 7 seconds', 7000],
    ['Please try again in 1m30s.', 90_000],
    ['Please try again in 1.5s', 1500],
    ['Retry-After: 30', 30_000],
    ['retry after 35', 35_000],
    ['Circuit breaker is open (cooldown 29992 ms)', 29_992],
    ['wait 2 minutes', 120_000],
    ['resets in 1 hour', 3_600_000],
    ['Monthly limit reached, try again in 30 days', 2_592_000_000],
    ['Not connected: reconnecting in 3 s', 3000],
    ['Connection lost. Retrying in 250ms', 250],
    ['retry in 900 days', 31_622_400_000],
    ['retry in 1000000000 seconds', 31_622_400_000],
    ['Retry-After: 2592000', 2_592_000_000],
  ])('%s', (text, wait) => {
    expect(waitIn(text)).toBe(wait);
  });

  it.each([
    'try again later',
    'Gave up retrying after 3 minutes',
    'Maximum 5 calls per 20 seconds',
    '',
    'retry in 0 seconds',
  ])('finds no wait in "%s"', (text) => {
    expect(waitIn(text)).toBeUndefined();
  });
});

describe('waitOf', () => {
  it('takes numbers in the unit of the member and texts in their own', () => {
    expect([waitOf(3, 1000), waitOf('3', 1000), waitOf('3s', 1), waitOf('250ms', 1000)]).toEqual([
      3000, 3000, 3000, 250,
    ]);
    expect([waitOf(2_592_000, 1000), waitOf(1e300, 1000)]).toEqual([2_592_000_000, 31_622_400_000]);
  });

  it('takes a point in time for no wait', () => {
    expect([
      waitOf(1_795_000_000, 1000),
      waitOf('1795000000', 1000),
      waitOf(1_795_000_000_000, 1000),
      waitOf(1_795_000_000_000, 1),
      waitOf(1e12, 1000),
    ]).toEqual(Array.from({ length: 5 }));
    // Three days, thirty years, and three weeks in milliseconds are waits.
    expect([waitOf(259_200, 1000), waitOf(946_000_000, 1000), waitOf(1_795_000_000, 1)]).toEqual([
      259_200_000, 31_622_400_000, 1_795_000_000,
    ]);
  });

  it('ignores what is not a wait', () => {
    expect([waitOf(-1, 1000), waitOf('soon', 1000), waitOf(null, 1), waitOf(Number.NaN, 1)]).toEqual(
      Array.from({ length: 4 }),
    );
  });
});
