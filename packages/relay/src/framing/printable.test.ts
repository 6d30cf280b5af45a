import { expect, it } from 'vitest';
import { printable } from './printable.ts';

it.each([
  ['plain ünïcode 🙂 text', 'plain ünïcode 🙂 text'],
  ['\u001b[31mred\u001b[0m', ' [31mred [0m'],
  ['a\r\nb\tc\0d\u007fe\u009bf', 'a b c d e f'],
  ['abc\u202edcba', 'abc dcba'],
  ['zero\u200bwidth\ufeff', 'zero width '],
  ['two\u2028lines', 'two lines'],
  ['half \ud800', 'half \ufffd'],
])('makes %j harmless', (text, harmless) => {
  expect(printable(text)).toBe(harmless);
});

it('cuts what is too long', () => {
  expect(printable('x'.repeat(1000))).toBe(`${'x'.repeat(400)}…`);
  expect(printable('abcdef', 3)).toBe('abc…');
});
