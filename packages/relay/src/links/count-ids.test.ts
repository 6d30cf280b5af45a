import { expect, it } from 'vitest';
import { countIds } from './asked-as.ts';

const taken = (next: () => number, count: number): number[] => Array.from({ length: count }, next);

it('gives no id twice, among workers neither', () => {
  const workers = [1, 2, 3].map((worker) => countIds({ worker, count: 3 }, () => 0.5));
  const ids = workers.flatMap((next) => taken(next, 1000));
  expect(new Set(ids).size).toBe(3000);
});

it('begins elsewhere each time', () => {
  const firsts = taken(() => countIds()(), 50);
  expect(new Set(firsts).size).toBeGreaterThan(45);
});

it.each([0, 0.5, 0.999_999_999_9])(
  'has ids from 1 on that fit in 32 bits and leave room, begun at %f',
  (at) => {
    const ids = taken(
      countIds({ worker: 2, count: 2 }, () => at),
      3,
    );
    expect(ids.every((id) => Number.isInteger(id) && id >= 1 && id <= 1_073_741_830)).toBe(true);
    expect(ids.map((id) => id % 2)).toEqual([0, 0, 0]);
  },
);

it('begins again in its own lane when they are used up', () => {
  const next = countIds({ worker: 2, count: 3 }, () => 1.999_999_995); // further than chance ever goes
  const ids = taken(next, 5);
  expect(ids.every((id) => id <= 2_147_483_647 && id % 3 === 2)).toBe(true);
  expect(ids).toContain(2);
});
