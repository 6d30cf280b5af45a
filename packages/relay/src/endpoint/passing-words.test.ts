import { expect, it } from 'vitest';
import { PassingWords } from './passing-words.ts';

const TEXT = Buffer.from('{"a":"é","dev/key":"k","dev/attempt":1}');

it.each(Array.from(TEXT, (_, at) => at))('finds words wherever the bytes are cut: %i', (at) => {
  const words = new PassingWords(['dev/key', 'dev/attempt', 'dev/executed']);
  words.see(TEXT.subarray(0, at));
  words.see(TEXT.subarray(at));
  expect([...words.found].sort()).toEqual(['dev/attempt', 'dev/key']);
});

it('finds them byte by byte, and nothing that is not there', () => {
  const words = new PassingWords(['dev/key', 'dev/keys']);
  for (const byte of TEXT) words.see(Buffer.of(byte));
  expect([...words.found]).toEqual(['dev/key']);
});

it('looks for nothing where nothing is sought', () => {
  const words = new PassingWords([]);
  words.see(TEXT);
  expect(words.found.size).toBe(0);
});
