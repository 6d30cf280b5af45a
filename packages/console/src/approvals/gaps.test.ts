import { expect, it } from 'vitest';
import { withoutGaps } from './gaps.ts';

it('tells how long a gap is, so that no text can pass for several lines', () => {
  expect(withoutGaps(`"alice",${' '.repeat(60)}to: bob  or so"`)).toBe('"alice",⟨60 spaces⟩to: bob  or so"');
  expect(withoutGaps('"to   "')).toBe('"to⟨3 spaces⟩"');
  expect(withoutGaps('"a b  c"')).toBe('"a b  c"');
});
