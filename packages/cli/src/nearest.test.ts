import { expect, test } from 'vitest';
import { didYouMean } from './nearest.ts';

test('names the nearest, and lists all names when none is near', () => {
  expect(didYouMean('zzz', ['read', 'redact'])).toBe('use one of read, redact');
  expect(didYouMean('raed', ['read', 'redact'])).toBe('did you mean read?');
});
