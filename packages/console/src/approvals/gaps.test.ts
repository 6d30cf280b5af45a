/** Gaps within texts. */
import { expect, it } from 'vitest';
import { withoutGaps } from './gaps.ts';

it('tells gaps of texts by their length, wherever they are, and leaves all else as it is', () => {
  const given = {
    to: `ann${' '.repeat(40)}"amount": 1`,
    list: ['a   b', 'a  b', 3, null],
    deep: { yes: true },
  };
  expect(withoutGaps(given)).toEqual({
    to: 'ann⟨40 spaces⟩"amount": 1',
    list: ['a⟨3 spaces⟩b', 'a  b', 3, null],
    deep: { yes: true },
  });
});
