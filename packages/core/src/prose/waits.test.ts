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
  ])('%s', (text, wait) => {
    expect(waitIn(text)).toBe(wait);
  });

  it.each([
    'try again later',
    'Maximum 5 calls per 20 seconds',
    '',
    'retry in 0 seconds',
    'retry in 900 days',
  ])('finds no wait in "%s"', (text) => {
    expect(waitIn(text)).toBeUndefined();
  });
});

describe('waitOf', () => {
  it('takes numbers in the unit of the member and texts in their own', () => {
    expect([waitOf(3, 1000), waitOf('3', 1000), waitOf('3s', 1), waitOf('250ms', 1000)]).toEqual([
      3000, 3000, 3000, 250,
    ]);
  });

  it('ignores what is not a wait', () => {
    expect([waitOf(-1, 1000), waitOf('soon', 1000), waitOf(null, 1), waitOf(Number.NaN, 1)]).toEqual(
      Array.from({ length: 4 }),
    );
  });
});
