import { expect, it } from 'vitest';
import { createPlaces } from './places.ts';

it('holds what came in until it goes, once, and uses its place again', () => {
  let emptied = 0;
  const places = createPlaces<string>(() => {
    emptied += 1;
  });
  const [first, second] = [places.add('a'), places.add('b')];
  first();
  first();
  const third = places.add('c');
  expect([places.size, [...places.all()].sort(), emptied]).toEqual([2, ['b', 'c'], 0]);
  second();
  third();
  expect([places.size, places.all(), emptied]).toEqual([0, [], 1]);
});
