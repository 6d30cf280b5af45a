import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WaitingRoom } from './waiting-room.ts';

interface Guest {
  readonly number: number;
}

it('is a map by number, whoever comes and goes', () => {
  const steps = fc.array(fc.record({ come: fc.nat(40), go: fc.array(fc.nat(9000), { maxLength: 40 }) }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, (rounds) => {
      const room = new WaitingRoom<Guest>(({ number }) => number);
      const model = new Map<number, Guest>();
      let issued = 0;
      for (const { come, go } of rounds) {
        for (let i = 0; i < come; i++) {
          const guest = { number: ++issued };
          room.add(guest);
          model.set(issued, guest);
        }
        for (const pick of go) {
          const number = pick % (issued + 2);
          expect(room.take(number)).toBe(model.get(number));
          model.delete(number);
        }
        expect(room.size).toBe(model.size);
        expect(room.all()).toEqual([...model.values()]);
      }
      for (let number = 0; number <= issued + 1; number++) expect(room.get(number)).toBe(model.get(number));
    }),
  );
});

it('keeps one who waits while a hundred thousand come and go', () => {
  const room = new WaitingRoom<Guest>(({ number }) => number);
  const slow = { number: 1 };
  room.add(slow);
  for (let number = 2; number < 100_000; number++) {
    room.add({ number });
    expect(room.take(number)?.number).toBe(number);
  }
  expect([room.size, room.get(1), room.take(1), room.take(1), room.size]).toEqual([
    1,
    slow,
    slow,
    undefined,
    0,
  ]);
});

it('finds nothing under numbers that are none', () => {
  const room = new WaitingRoom<Guest>(({ number }) => number);
  room.add({ number: 1 });
  for (const number of [-1, 0, 1.5, 33, Number.NaN, 2 ** 40 + 1, Number.POSITIVE_INFINITY])
    expect(room.get(number)).toBeUndefined();
});
