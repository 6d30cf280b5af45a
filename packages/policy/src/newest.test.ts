import { expect, it } from 'vitest';
import { addLast, dropOldest, setLast } from './newest.ts';

it('keeps the last that were set, in the order in which they were', () => {
  const map = new Map<string, number>();
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
    ['a', 4],
    ['d', 5],
  ] as const)
    setLast(map, key, value, 3);
  expect([...map]).toEqual([
    ['c', 3],
    ['a', 4],
    ['d', 5],
  ]);
});

it('keeps the last that were added', () => {
  const set = new Set<unknown>();
  for (const value of ['a', undefined, 'b', undefined, 'c']) addLast(set, value, 2);
  expect([...set]).toEqual([undefined, 'c']);
});

it('lets as many go as are too many', () => {
  const set = new Set([1, 2, 3, 4]);
  const dropped: [number, boolean][] = [];
  dropOldest(set, 2, (oldest) => dropped.push([oldest, set.has(oldest)]));
  expect([...set]).toEqual([3, 4]);
  expect(dropped).toEqual([
    [1, true],
    [2, true],
  ]);
  dropOldest(set, 2);
  expect([...set]).toEqual([3, 4]);
});
