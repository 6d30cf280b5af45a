import { expect, it } from 'vitest';
import { anyOf, patternOf } from './patterns.ts';

it.each([
  ['bank/pay', 'bank/pay', true],
  ['bank/pay', 'bank/pays', false],
  ['bank/pay', 'Bank/pay', false],
  ['bank/*', 'bank/pay', true],
  ['bank/*', 'bank/', true],
  ['bank/*', 'banks/pay', false],
  ['*', '', true],
  ['*/delete_*', 'shop/delete_order', true],
  ['*/delete_*', 'shop/undelete_order', false],
  ['*/delete_*', 'files/x/delete_y', true],
  ['files/file://*.txt', 'files/file:///a/b.txt', true],
  ['files/file://*.txt', 'files/file:///a/b.txt.bak', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['a*bc*c', 'abc', false],
  ['shop/p.y', 'shop/pay', false],
  ['shop/[a-z]', 'shop/b', false],
  ['shop/*\n*', 'shop/a\nb', true],
])('%j and %j', (written, text, fits) => {
  expect(patternOf(written)(text)).toBe(fits);
});

it('takes little time, whatever is written', () => {
  const fits = patternOf(`${'*a'.repeat(1000)}*b`);
  const began = performance.now();
  expect(fits('a'.repeat(100_000))).toBe(false);
  expect(performance.now() - began).toBeLessThan(1000);
});

it('fits everything where there are no patterns, and nothing where the list is empty', () => {
  expect([anyOf(undefined)('a/b'), anyOf([])('a/b'), anyOf(['x/*', 'a/*'])('a/b')]).toEqual([
    true,
    false,
    true,
  ]);
});
