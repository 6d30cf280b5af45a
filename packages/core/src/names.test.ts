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

/** Counted without leaving anything out. */
function slips(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0]) return slips(restA, restB);
  const swapped = a[0] === b[1] && a[1] === b[0] ? slips(a.slice(2), b.slice(2)) : Infinity;
  return 1 + Math.min(slips(restA, b), slips(a, restB), slips(restA, restB), swapped);
}

test('leaves out only what is far, whatever it saves', () => {
  const letters = ['a', 'b', 'A', '!', 'ä'];
  const words = [0, 1, 2, 3, 4, 5, 6].flatMap((length) =>
    Array.from({ length: 12 }, (_, n) =>
      Array.from({ length }, (_, i) => letters[(n * 7 + i * (n + 3)) % letters.length]).join(''),
    ),
  );
  for (const wrong of words) {
    const said = wrong.toLowerCase();
    const allowed = Math.max(1, Math.floor(said.length / 3));
    for (const known of words) {
      const isBeginning = said.length >= 3 && known.toLowerCase().startsWith(said);
      const isNear = slips(said, known.toLowerCase()) <= allowed;
      expect(nearest(wrong, [known])).toBe(isNear || isBeginning ? known : undefined);
    }
  }
});

test('finds the nearest of very many soon', () => {
  const known = Array.from({ length: 20_000 }, (_, index) => `update_thing_${index}`);
  let least = Infinity;
  for (let time = 0; time < 5; time += 1) {
    const before = process.cpuUsage();
    expect(nearest('nothing like these', known)).toBe(undefined);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  expect(least).toBeLessThan(60);
});
