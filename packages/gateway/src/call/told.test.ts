/** What an answer says already. */
import { expect, it } from 'vitest';
import { Told } from './told.ts';

const told = new Told({
  error: {
    message: 'Row 17 of "users" is locked (limit 5.5, since 1.5e+300)',
    data: { id: 42, path: 'a\\b' },
  },
});

it('finds words, alone and among others, as they are written', () => {
  expect(['Row 17', 'users', 'a\\b', '"users" is', 'message'].filter((words) => !told.has(words))).toEqual(
    [],
  );
  expect(told.has('Row 18')).toBe(false);
});

it('finds numbers that are no part of another', () => {
  expect([17, 42, -42, 5.5, 1.5e300].filter((value) => !told.hasNumber(value))).toEqual([]);
  expect([1, 7, 4, 2, 5, 1e300].filter((value) => told.hasNumber(value))).toEqual([]);
});

it('has an end, however much is asked', () => {
  const large = new Told({ text: `${'x'.repeat(2 ** 20)} the end` });
  for (let i = 0; i < 31; i++) expect(large.has(`none ${i}`)).toBe(false);
  expect(large.has('the end')).toBe(true);
  expect(large.has('none')).toBe(false);
  expect(large.has('the end')).toBe(false);
});
