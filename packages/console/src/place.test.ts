import { expect, it } from 'vitest';
import { linkTo, placeOf } from './place.ts';

it.each([
  ['', 'faults', undefined],
  ['#/', 'faults', undefined],
  ['#/groups', 'groups', undefined],
  ['#/groups/2.e8e254b019cc4907', 'groups', '2.e8e254b019cc4907'],
  ['#/reference/a%2Fb%20c', 'reference', 'a/b c'],
  ['#/reference/100%', 'reference', '100%'],
])('%s is %s %s', (hash, page, what) => {
  expect(placeOf(hash)).toEqual({ page, what });
});

it('leads back to where it came from', () => {
  expect([linkTo('faults'), linkTo('reference', 'a/b ?#')]).toEqual([
    '#/faults',
    '#/reference/a%2Fb%20%3F%23',
  ]);
  expect(placeOf(linkTo('reference', 'a/b ?#'))).toEqual({ page: 'reference', what: 'a/b ?#' });
});
