import { expect, it } from 'vitest';
import { printable } from './printable.ts';

it.each([
  ['plain ünïcode 🙂 text', 'plain ünïcode 🙂 text'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b[1;38;5;208mor\u001b[Kange\u001b[?25h', 'orange'],
  ['\u009b31mred\u009b0m', 'red'],
  ['\u001b]8;;https://example.com\u0007link\u001b]8;;\u001b\\ \u009d0;title\u009cend', 'link end'],
  ['\u001b(B\u001b7saved\u001bc', 'saved'],
  ['without an end \u001b]8;;x, then \u001b[31', 'without an end 8;;x, then '],
  ['a\r\nb\tc\0d\u007fe\u0085f', 'a b c d e f'],
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

it('takes out what has no end as fast as anything', () => {
  const start = performance.now();
  for (const opening of ['\u001b]', '\u009d', '\u001b[', '\u001b[1 ', '\u001b '])
    printable(opening.repeat(200_000));
  expect(performance.now() - start).toBeLessThan(2000);
});
