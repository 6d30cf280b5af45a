import { expect, test } from 'vitest';
import { createStyle, field, harmless, visible, wrap } from './style.ts';

test('writes no escape codes without colours', () => {
  const plain = createStyle(false);
  expect([plain.strong('a'), plain.quiet('a'), plain.name('a'), plain.warn('a')]).toEqual([
    'a',
    'a',
    'a',
    'a',
  ]);
  expect(createStyle(true).strong('a')).toBe('\u001b[1ma\u001b[22m');
});

test('breaks lines between words, and leaves long words whole', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrap('abcdefghij k', 4)).toEqual(['abcdefghij', 'k']);
});

test('puts text into a column beside its label', () => {
  expect(field(createStyle(false), 'do', 'one two three', 20)).toBe('  do        one two\n            three');
});

test('replaces control characters and direction marks', () => {
  expect(harmless('a\u001b[2Jb\u202ec')).toBe('a [2Jb c');
});

test('spells out what nobody sees', () => {
  expect(visible('ann\u200b \u2028\u2029\ufeff\u{e0041}\u3164!')).toBe(
    'ann\\u{200b} \\u{2028}\\u{2029}\\u{feff}\\u{e0041}\\u{3164}!',
  );
  expect(visible('pay\u00a0 \u3000')).toBe('pay\\u{a0} \\u{3000}');
  expect(visible('a\u202eb\u2069\u007f\u0085\u001b[2J\u0000')).toBe(
    'a\\u{202e}b\\u{2069}\\u{7f}\\u{85}\\u{1b}[2J\\u{0}',
  );
  expect(visible('one\r\n\ttwo')).toBe('one two');
  expect(visible('ab Zoë 漢字 – “x”')).toBe('ab Zoë 漢字 – “x”');
});
