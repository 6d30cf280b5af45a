import { expect, it } from 'vitest';
import { createHoldings } from './holdings.ts';

const LIMIT = 1_000_000;
const ignore = (): void => {};

it('lets a caller hold so much and no more, and others as much', () => {
  const holdings = createHoldings();
  const first = holdings.take('anna', 900_000, LIMIT, ignore);
  expect(holdings.take('anna', 100_000, LIMIT, ignore)).toBeUndefined();
  expect(holdings.take('bert', 900_000, LIMIT, ignore)).toBeDefined();
  first?.resize(10);
  const second = holdings.take('anna', 900_000, LIMIT, ignore);
  expect(second).toBeDefined();
  first?.release();
  second?.release();
  second?.release();
  expect(holdings.take('anna', 900_000, LIMIT, ignore)).toBeDefined();
});

it('lets in one request that is larger than all of it', () => {
  expect(createHoldings().take('anna', 5 * LIMIT, LIMIT, ignore)).toBeDefined();
});

it('bounds how many small ones wait', () => {
  const holdings = createHoldings();
  const taken = Array.from({ length: 100 }, () => holdings.take('anna', 10, LIMIT, ignore));
  expect(taken.filter((holding) => holding !== undefined)).toHaveLength(60);
});

it('counts answers that are not read, and cuts the one that has waited longest', () => {
  const holdings = createHoldings();
  const cut: string[] = [];
  const take = (name: string) => holdings.take('anna', 10, LIMIT, () => cut.push(name));
  const [first, second, third] = [take('first'), take('second'), take('third')];
  first?.unread(500_000);
  second?.unread(400_000);
  expect(take('fourth')).toBeDefined();
  expect(cut).toEqual([]);
  third?.unread(300_000);
  expect(cut).toEqual(['first']);
  third?.unread(550_000);
  expect(cut).toEqual(['first']);
  expect(take('fifth')).toBeUndefined();
  second?.unread(0);
  expect(take('sixth')).toBeDefined();
});

it('gives one answer that is larger than all of it', () => {
  const cut: string[] = [];
  createHoldings()
    .take('anna', 10, LIMIT, () => cut.push('only'))
    ?.unread(5 * LIMIT);
  expect(cut).toEqual([]);
});

it('forgets what is released, whatever is said of it later', () => {
  const holdings = createHoldings();
  const first = holdings.take('anna', 10, LIMIT, ignore);
  first?.release();
  first?.unread(900_000);
  first?.resize(900_000);
  expect(holdings.take('anna', 900_000, LIMIT, ignore)).toBeDefined();
});
