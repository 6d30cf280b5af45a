import { beforeEach, expect, it } from 'vitest';
import { OthersFirst } from './others-first.ts';
import { Turns } from './turns.ts';

const PIECE = 4096;

/** The clock, which only moves where a piece is taken. */
let now: number;
let costMs: number;
let taken: string;
let isFlowing: boolean;
/** What happens when everybody else has had a turn. */
let later: (() => void)[];
let turns: Turns;

beforeEach(() => {
  now = 0;
  costMs = 4;
  taken = '';
  isFlowing = true;
  later = [];
  turns = new Turns({
    source: {
      pause: () => {
        isFlowing = false;
      },
      resume: () => {
        isFlowing = true;
      },
    },
    take(bytes, from) {
      const to = Math.min(bytes.length, from + PIECE);
      taken += bytes.toString('latin1', from, to);
      now += costMs;
      return to;
    },
    now: () => now,
    othersFirst: new OthersFirst({
      now: () => now,
      afterOthers: (next) => later.push(next),
      afterMs: (next) => later.push(next),
    }),
  });
});

function pieces(letters: string): Buffer {
  return Buffer.from([...letters].map((letter) => letter.repeat(PIECE)).join(''));
}

/** The first letter of each piece. */
function letters(): string {
  return [...taken].filter((_, at) => at % PIECE === 0).join('');
}

function othersHadTheirTurn(): void {
  for (const next of later.splice(0)) next();
}

it('takes little at once', () => {
  turns.push(Buffer.from('ab'));
  turns.push(Buffer.from('cd'));
  expect([taken, isFlowing, later.length]).toEqual(['abcd', true, 0]);
});

it('holds the source back after ten milliseconds, and goes on when others have had their turn', () => {
  turns.push(pieces('abcdefg'));
  expect([letters(), isFlowing]).toEqual(['abc', false]);
  othersHadTheirTurn();
  expect([letters(), isFlowing]).toEqual(['abcdef', false]);
  othersHadTheirTurn();
  expect([letters(), isFlowing]).toEqual(['abcdefg', true]);
});

it('counts what comes in several pieces as one turn', () => {
  turns.push(pieces('a'));
  turns.push(pieces('b'));
  expect(isFlowing).toBe(true);
  turns.push(pieces('c'));
  expect([letters(), isFlowing]).toEqual(['abc', false]);
  othersHadTheirTurn();
  expect(isFlowing).toBe(true);
});

it('keeps the order of what comes although the source is held back', () => {
  turns.push(pieces('abcd'));
  turns.push(pieces('e'));
  expect(letters()).toBe('abc');
  othersHadTheirTurn();
  expect([letters(), isFlowing]).toEqual(['abcde', true]);
});

it('is not resumed while whoever is told holds it back', () => {
  turns.push(pieces('abcd'));
  turns.pause();
  othersHadTheirTurn();
  expect([letters(), isFlowing]).toEqual(['abcd', false]);
  turns.resume();
  expect(isFlowing).toBe(true);
});

it('is not resumed by whoever is told while something waits', () => {
  turns.push(pieces('abcd'));
  turns.pause();
  turns.resume();
  expect(isFlowing).toBe(false);
  othersHadTheirTurn();
  expect(isFlowing).toBe(true);
});

it('gives all that waits when no more will come', () => {
  turns.push(pieces('abcdefg'));
  turns.flush();
  expect(letters()).toBe('abcdefg');
  othersHadTheirTurn();
  expect(letters()).toBe('abcdefg');
});

it('forgets what waits when nobody wants it', () => {
  turns.push(pieces('abcd'));
  turns.drop();
  othersHadTheirTurn();
  turns.flush();
  expect(letters()).toBe('abc');
});
