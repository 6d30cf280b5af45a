import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPile } from './pile.ts';

describe('a pile', () => {
  it('gives what was added, however it was cut, and begins anew', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)));
    fc.assert(
      fc.property(pieces, pieces, (first, second) => {
        const pile = createPile();
        for (const given of [first, second]) {
          for (const piece of given) pile.add(piece);
          const whole = Buffer.concat(given);
          expect(pile.size).toBe(whole.length);
          expect(pile.take()).toEqual(whole);
          expect(pile.size).toBe(0);
        }
      }),
    );
  });

  it('copies pieces, so that none is held for its one byte; a piece alone is given as it came', () => {
    const pile = createPile();
    const pieces = ['a', 'b', 'c'].map((text) => Buffer.from(text));
    for (const piece of pieces) pile.add(piece);
    for (const piece of pieces) piece.fill('x');
    expect(pile.take().toString()).toBe('abc');
    const alone = Buffer.from('alone');
    pile.add(alone);
    expect(pile.take()).toBe(alone);
  });
});
