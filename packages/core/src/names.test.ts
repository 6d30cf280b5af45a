import { expect, test } from 'vitest';
import { editDistance, nearest, nearestNames } from './names.ts';

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
  expect(nearestNames('timeot', ['tieot', 'rate_limited', 'timeouts', 'timeout'], 2)).toEqual([
    'tieot',
    'timeout',
  ]);
  expect(nearestNames('xyz', ['timeout'], 3)).toEqual([]);
  expect(nearest('xyz', ['timeout'])).toBe(undefined);
});

test.each([
  ['maxresults', 'max_results'],
  ['max-results', 'maxResults'],
  ['Serch', 'search'],
  ['sear', 'search_orders'],
])('takes %j for %j', (wrong, known) => {
  expect(nearest(wrong, ['other', known])).toBe(known);
});

test('prefers a slip of the keys to a beginning', () => {
  expect(nearest('serch', ['serchable_orders', 'search'])).toBe('search');
  expect(nearest('se', ['search'])).toBe(undefined);
});

test('does not compare what is longer than any name', () => {
  const long = 'a'.repeat(1_000_000);
  expect(nearestNames(long, [long], 1)).toEqual([]);
  expect(nearest('a', [long])).toBe(undefined);
});
