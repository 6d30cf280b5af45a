import fc from 'fast-check';
import { expect, it } from 'vitest';
import { threadClock } from '../../../bench/measure.ts';
import { canFitBelow, canMeet, fitsAllBelow, fitsAny } from './patterns.ts';

it.each([
  ['bank/pay', 'bank/pay', true],
  ['bank/pay', 'bank/payment', false],
  ['bank/pay', 'xbank/pay', false],
  ['bank/*', 'bank/', true],
  ['bank/*', 'bank/a/b://c', true],
  ['bank/*', 'bank', false],
  ['bank/*', 'Bank/pay', false],
  ['*', '', true],
  ['*/delete_*', 'files/delete_all', true],
  ['*/delete_*', 'files/x/delete_all', true],
  ['*/delete_*', 'files/undelete_all', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a**b', 'ab', true],
  ['*b*b*', 'b', false],
  ['a.c', 'abc', false],
  ['a?c', 'abc', false],
  ['[ab]', 'a', false],
  ['files/file:///tmp/*.txt', 'files/file:///tmp/a.txt', true],
  ['', '', true],
  ['', 'a', false],
])('%s: %s is %s', (pattern, text, fits) => {
  expect(fitsAny([pattern])(text)).toBe(fits);
});

it('fits what one of several fits, and nothing without any', () => {
  expect(fitsAny(['a', 'b*'])('bc')).toBe(true);
  expect(fitsAny([])('')).toBe(false);
});

it('fits what an expression fits', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '/'), maxLength: 8 });
  fc.assert(
    fc.property(letters, letters, (pattern, text) => {
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
      expect(fitsAny([pattern])(text)).toBe(expression.test(text));
    }),
  );
});

it('takes no longer than a text is long', () => {
  const text = 'ab'.repeat(500_000);
  expect(fitsAny([`${'*a*b'.repeat(20)}*c`])(text)).toBe(false);
});

it.each([
  ['bank/pay', true],
  ['bank/*', true],
  ['*', true],
  ['b*', true],
  ['*/pay', true],
  ['pay', false],
  ['bnak/*', false],
  ['bank', false],
])('%s can fit something of bank: %s', (pattern, can) => {
  expect(canFitBelow(pattern, 'bank/')).toBe(can);
});

it('takes little time, whatever is written', () => {
  const fits = fitsAny([`${'*a'.repeat(1000)}*b`]);
  const began = threadClock();
  expect(fits('a'.repeat(100_000))).toBe(false);
  expect(threadClock() - began).toBeLessThan(1000);
});

it.each([
  ['*', true],
  ['ba*', true],
  ['bank/*', true],
  ['bank/**', true],
  ['bank', false],
  ['bank/', false],
  ['bank/a*', false],
  ['bank/*_all', false],
  ['*k/*', false],
])('says of %s whether it fits everything below bank/: %s', (pattern, does) => {
  expect(fitsAllBelow(pattern, 'bank/')).toBe(does);
});

it.each([
  ['a/pay', 'a/pay', true],
  ['a/pay', 'a/pays', false],
  ['a/*', 'a/pay', true],
  ['a/pay_*', 'a/*_all', true],
  ['a/pay_*', 'a/look*', false],
  ['*b*', 'a*c', true],
  ['a*b', 'a*c', false],
  ['*', '', true],
  ['', 'a', false],
  ['a**b', 'a*', true],
])('%s and %s have a text in common: %s', (one, other, expected) => {
  expect([canMeet(one, other), canMeet(other, one)]).toEqual([expected, expected]);
});
