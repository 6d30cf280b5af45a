import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

it('so many work at once, the others in the order in which they came, and a failure frees its place', async () => {
  const inTurn = createTurns(2);
  const begun: number[] = [];
  const ends: ((failed?: Error) => void)[] = [];
  const work = (n: number) =>
    inTurn(() => {
      begun.push(n);
      return new Promise<number>((resolve, reject) => {
        ends[n] = (failed) => (failed === undefined ? resolve(n) : reject(failed));
      });
    });
  const all = [0, 1, 2, 3].map(work);
  const first = all[0]?.catch(({ message }: Error) => message);
  expect(begun).toEqual([0, 1]);
  ends[0]?.(new Error('lost'));
  expect(await first).toBe('lost');
  expect(begun).toEqual([0, 1, 2]);
  for (const n of [1, 2]) ends[n]?.();
  expect(await Promise.all([all[1], all[2]])).toEqual([1, 2]);
  ends[3]?.();
  expect(await all[3]).toBe(3);
  expect(begun).toEqual([0, 1, 2, 3]);
});
