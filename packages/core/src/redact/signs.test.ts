import { expect, test } from 'vitest';
import { ALNUM, BEYOND, BLANK, hasAny, hasOnly, kindsIn, kindsOf, LETTER, WORD } from './signs.ts';
import { startsWord, wordStarts, wordsIn } from './word-starts.ts';

const EVERY: readonly string[] = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));

test.each([
  ['\\s', BLANK, /\s/],
  ['\\w', WORD, /\w/],
  ['letters', LETTER, /[A-Za-z]/],
  ['letters and digits', ALNUM, /[A-Za-z\d]/],
  ['beyond ASCII', BEYOND, /[\u0080-\uffff]/],
])('%s are the characters that the expression finds', (_, kinds, expression) => {
  expect(EVERY.filter((char) => (kindsOf(char) & kinds) !== 0)).toEqual(
    EVERY.filter((char) => expression.test(char)),
  );
});

test('every character is of some kind', () => {
  expect(EVERY.filter((char) => kindsOf(char) === 0)).toEqual([]);
});

test('a value is asked for its own kinds, whichever was asked before', () => {
  expect([kindsIn('abc'), kindsIn('a1'), kindsIn('abc')]).toEqual([
    kindsOf('abc'),
    kindsOf('a1'),
    kindsOf('abc'),
  ]);
  expect([hasAny('a 1', BLANK), hasAny('a1', BLANK), hasOnly('a1', ALNUM), hasOnly('a-1', ALNUM)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

const TEXT = 'To be: MUST, must_not, amust, shoulder 1one one\tTOken is\u00e9is is';

test('words are found where a word starts, in any case, as the expression finds them', () => {
  const words = 'must|should|to|one|is';
  const starts = wordStarts(words);
  for (let from = 0; from < TEXT.length; from++) {
    for (let to = from; to <= TEXT.length; to++) {
      const found = [...TEXT.slice(from, to).matchAll(new RegExp(`\\b(?:${words})`, 'gi'))];
      expect(wordsIn(starts, TEXT, from, to)).toEqual(found.map(({ index }) => from + index));
    }
  }
});

test('a word that is cut off is none', () => {
  const starts = wordStarts('must');
  expect([
    startsWord(starts, 'Must', 0, 4),
    startsWord(starts, 'must', 0, 3),
    startsWord(starts, 'mus', 0, 3),
  ]).toEqual([true, false, false]);
});
