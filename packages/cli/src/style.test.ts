import { expect, test } from 'vitest';
import { createStyle, field, harmless, wrap } from './style.ts';

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
