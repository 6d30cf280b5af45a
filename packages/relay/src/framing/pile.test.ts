import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPile } from './pile.ts';

it('gives back what was added', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.uint8Array({ maxLength: 3000 }))), (rounds) => {
      const pile = createPile();
      for (const pieces of rounds) {
        for (const piece of pieces) pile.add(Buffer.from(piece));
        const whole = Buffer.concat(pieces);
        expect(pile.size).toBe(whole.length);
        expect(pile.take().equals(whole)).toBe(true);
        expect(pile.size).toBe(0);
      }
    }),
  );
});

it('does not copy one piece', () => {
  const pile = createPile();
  const piece = Buffer.from('x');
  pile.add(piece);
  expect(pile.take()).toBe(piece);
});

it('does not change what was taken', () => {
  const pile = createPile();
  for (const text of ['a', 'b']) pile.add(Buffer.from(text));
  const first = pile.take();
  for (const text of ['c', 'd']) pile.add(Buffer.from(text));
  expect([first.toString(), pile.take().toString()]).toEqual(['ab', 'cd']);
});
