import fc from 'fast-check';
import { expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { counting, piecesOf, visible, visibleName } from './visible.ts';

it.each([
  ['plain words', 'plain words'],
  ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
  ['Windows\r\nlines', 'Windows\nlines'],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['pay \u202Ebob\u202C', 'pay ⟨U+202E⟩bob⟨U+202C⟩'],
  ['a\u200Bb\u2060c\uFEFF', 'a⟨U+200B⟩b⟨U+2060⟩c⟨U+FEFF⟩'],
  ['\u2066left\u2069', '⟨U+2066⟩left⟨U+2069⟩'],
  ['a\rb\u001B[31mred\u0000', 'a⟨U+000D⟩b⟨U+001B⟩[31mred⟨U+0000⟩'],
  ['\u2028\u2029\u0085', '⟨U+2028⟩⟨U+2029⟩⟨U+0085⟩'],
  ['tag \u{E0041}\u{E007F}', 'tag ⟨U+E0041⟩⟨U+E007F⟩'],
  ['a\u3164b\u115Fc\u00ADd', 'a⟨U+3164⟩b⟨U+115F⟩c⟨U+00AD⟩d'],
  ['a\u00A0b\u2003c\u3000d', 'a⟨U+00A0⟩b⟨U+2003⟩c⟨U+3000⟩d'],
  ['half \uD83D', 'half ⟨U+D83D⟩'],
  ['größe 価格 😀 עברית', 'größe 価格 😀 עברית'],
])('shows %j as %j', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

const HOSTILE = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\u202E', '\u200B', '\u2066', '\uFEFF', '\u0000', '\u061C', '\uD800', '<script>', '&lt;'),
  ),
);

it('shows everything, and leaves nothing in it that hides or turns', () => {
  fc.assert(
    fc.property(HOSTILE, (parts) => {
      const text = parts.join('');
      const pieces = piecesOf(text);
      const back = pieces
        .map((piece) =>
          'text' in piece ? piece.text : String.fromCodePoint(Number.parseInt(piece.odd.slice(2), 16)),
        )
        .join('');
      expect(back).toBe(text.replaceAll('\r\n', '\n'));
      expect(visible(text)).not.toMatch(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?![\n\t])\p{Cc}/u);
    }),
    { numRuns: 500 },
  );
});

it('counts what repeats, where there is very much of it', () => {
  expect(counting(piecesOf(`a${'\u200B'.repeat(3000)}\u202Eb\u202E`))).toBe(
    'a⟨U+200B × 3000⟩⟨U+202E⟩b⟨U+202E⟩',
  );
});

it.each([
  ['evil/pay', 'evil/pay'],
  ['evil/pay ', 'evil/pay⟨U+0020⟩'],
  ['evil/pay\n', 'evil/pay⟨U+000A⟩'],
  ['evil/pay\t', 'evil/pay⟨U+0009⟩'],
  ['evil/pay\u00A0', 'evil/pay⟨U+00A0⟩'],
  [' two  words here', '⟨U+0020⟩two⟨U+0020⟩⟨U+0020⟩words here'],
  ['evil/p\u0430y', 'evil/p⟨U+0430⟩y'],
  ['evil/p\u03BFst', 'evil/p⟨U+03BF⟩st'],
  ['evil/\uFF50ay', 'evil/⟨U+FF50⟩ay'],
  ['Größe naïve 価格', 'Größe naïve 価格'],
  ['анна', 'анна'],
])('shows the name %j as %j', (name, shown) => {
  expect(visibleName(name)).toBe(shown);
});

it('shows the beginning and the end of a very long name', () => {
  const shown = visibleName(`bank/${'p'.repeat(2990)}ay-me`);
  expect(shown).toMatch(/^bank\/p{85} \[2820 more characters\] p{85}ay-me$/);
});

it('costs no more than its length', () => {
  const since = threadClock();
  piecesOf('\u202Ea'.repeat(200_000));
  expect(threadClock() - since).toBeLessThan(2000);
});
