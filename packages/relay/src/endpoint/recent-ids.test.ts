import { expect, it } from 'vitest';
import { RecentIds } from './recent-ids.ts';

it('knows an id until another request has it', () => {
  const ids = new RecentIds();
  ids.note(1, true);
  ids.note('1', false);
  expect([ids.has(1), ids.has('1')]).toEqual([true, false]);
  ids.note(1, false);
  expect(ids.has(1)).toBe(false);
});

it('knows the last thousand', () => {
  const ids = new RecentIds();
  for (let id = 0; id <= 1000; id++) ids.note(id, true);
  expect([ids.has(0), ids.has(1), ids.has(1000)]).toEqual([false, true, true]);
});

it('tells long ones apart', () => {
  const ids = new RecentIds();
  const long = (last: string): string => `${'x'.repeat(60_000)}${last}`;
  ids.note(long('a'), true);
  expect([ids.has(long('a')), ids.has(long('b')), ids.has('x')]).toEqual([true, false, false]);
  ids.note(long('a'), false);
  expect(ids.has(long('a'))).toBe(false);
});
