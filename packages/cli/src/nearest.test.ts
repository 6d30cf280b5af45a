import { editDistance } from '@mayday/core';
import { expect, test } from 'vitest';
import { didYouMean, nearest } from './nearest.ts';

test.each([
  ['', '', 0],
  ['read', 'read', 0],
  ['reed', 'read', 1],
  ['raed', 'read', 1],
  ['rea', 'read', 1],
  ['', 'read', 4],
])('counts the mistakes between %j and %j', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
});

test('finds the nearest names first and leaves out what is far', () => {
  expect(nearest('timeot', ['tieot', 'rate_limited', 'timeouts', 'timeout'], 2)).toEqual([
    'tieot',
    'timeout',
  ]);
  expect(nearest('xyz', ['timeout'])).toEqual([]);
});

test('does not compare what is longer than any name', () => {
  expect(nearest('a'.repeat(1_000_000), ['a'.repeat(1_000_000)])).toEqual([]);
});

test('lists all names when none is near', () => {
  expect(didYouMean('zzz', ['read', 'redact'])).toBe('use one of read, redact');
  expect(didYouMean('raed', ['read', 'redact'])).toBe('did you mean read?');
});
