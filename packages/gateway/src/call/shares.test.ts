import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createShares } from './shares.ts';

/** Shares that write down who has lost what. */
function watched(maxOfOne: number, maxOfAll: number) {
  const lost: string[] = [];
  const shares = createShares(maxOfOne, maxOfAll);
  return { lost, add: (owner: string, name: string) => shares.add(owner, () => lost.push(name)) };
}

it('takes from a caller with too much its own oldest', () => {
  const { lost, add } = watched(2, 10);
  for (const name of ['b1', 'b2', 'b3', 'b4']) add('bob', name);
  add('alice', 'a1');
  expect(lost).toEqual(['b1', 'b2']);
});

it('takes from whoever comes when there is no room for anybody', () => {
  const { lost, add } = watched(5, 3);
  for (const name of ['b1', 'b2', 'b3']) add('bob', name);
  add('alice', 'a1');
  add('bob', 'b4');
  expect(lost).toEqual(['a1', 'b1']);
});

it('has room again for what is over', () => {
  const { lost, add } = watched(1, 1);
  const leave = add('bob', 'b1');
  leave();
  leave();
  add('alice', 'a1');
  expect(lost).toEqual([]);
});

it('never takes from one because of another', () => {
  const owners = fc.array(fc.constantFrom('alice', 'bob', 'eve'), { maxLength: 40 });
  fc.assert(
    fc.property(owners, (all) => {
      const { lost, add } = watched(3, 5);
      for (const owner of all) {
        const before = lost.length;
        add(owner, owner);
        expect(lost.slice(before).every((one) => one === owner)).toBe(true);
        expect(lost.length - before).toBeLessThanOrEqual(1);
      }
    }),
  );
});
