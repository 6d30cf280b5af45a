import { expect, test } from 'vitest';
import { lineDiff } from './diff.ts';

test('tells the lines that are gone and those that are new', () => {
  expect(lineDiff('a\nb\nc\nd', 'a\nx\nc\ny\nd')).toEqual(['-b', '+x', '+y']);
  expect(lineDiff('', 'a\nb')).toEqual(['-', '+a', '+b']);
  expect(lineDiff('same\ntext', 'same\ntext')).toEqual([]);
});

test('texts too long to compare are told as a whole', () => {
  const lines = (of: string): string => Array.from({ length: 3000 }, (_, i) => `${of}${i}`).join('\n');
  const told = lineDiff(lines('a'), lines('b'));
  expect([told.length, told[0], told[3000]]).toEqual([6000, '-a0', '+b0']);
});
