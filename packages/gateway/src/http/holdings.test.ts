import { expect, it } from 'vitest';
import { createHoldings } from './holdings.ts';

const LIMIT = 1_000_000;

it('lets a caller hold so much and no more, and others as much', () => {
  const holdings = createHoldings();
  const first = holdings.take('anna', 900_000, LIMIT);
  expect(holdings.take('anna', 100_000, LIMIT)).toBeUndefined();
  expect(holdings.take('bert', 900_000, LIMIT)).toBeDefined();
  first?.resize(10);
  const second = holdings.take('anna', 900_000, LIMIT);
  expect(second).toBeDefined();
  first?.release();
  second?.release();
  second?.release();
  expect(holdings.take('anna', 900_000, LIMIT)).toBeDefined();
});

it('lets in one request that is larger than all of it', () => {
  expect(createHoldings().take('anna', 5 * LIMIT, LIMIT)).toBeDefined();
});

it('bounds how many small ones wait', () => {
  const holdings = createHoldings();
  const taken = Array.from({ length: 100 }, () => holdings.take('anna', 10, LIMIT));
  expect(taken.filter((holding) => holding !== undefined)).toHaveLength(60);
});
