import { expect, it } from 'vitest';
import { nearest } from './nearest.ts';

it.each([
  ['dialekt', 'dialect'],
  ['TIMEOUT_MS', 'timeout_ms'],
  ['tiemout_ms', 'timeout_ms'],
  ['timeout', 'timeout_ms'],
  ['zzz', undefined],
  ['', undefined],
  ['timeout_ms'.repeat(10_000), undefined],
])('%#: finds what was meant', (word, meant) => {
  expect(nearest(word, ['dialect', 'timeout_ms', 'retry'])).toBe(meant);
});
