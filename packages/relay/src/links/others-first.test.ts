import { beforeEach, expect, it } from 'vitest';
import { OthersFirst } from './others-first.ts';
import { Turns } from './turns.ts';

const MUCH = 4096;

let now: number;
let done: string[];
/** What happens once others were heard, and what happens so many milliseconds later. */
let soon: (() => void)[];
let rests: number[];
let first: OthersFirst;

beforeEach(() => {
  now = 0;
  done = [];
  soon = [];
  rests = [];
  first = new OthersFirst({
    now: () => now,
    afterOthers: (next) => soon.push(next),
    afterMs: (next, ms) => {
      rests.push(ms);
      soon.push(next);
    },
  });
});

function othersWereHeard(): void {
  for (const next of soon.splice(0)) next();
}

/** Something that takes so long. */
async function work(name: string, who: string, size = MUCH, ms = 5): Promise<void> {
  await first.turn(who, size);
  done.push(name);
  now += ms;
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('lets little pass, however much waits', () => {
  expect(first.turn('a', MUCH)).toBeUndefined();
  expect(first.turn('a', MUCH)).toBeInstanceOf(Promise);
  expect(first.turn('b', MUCH - 1)).toBeUndefined();
});

it('does much one at a time, and others are heard in between', async () => {
  const all = ['1', '2', '3'].map((name) => work(name, 'a'));
  await settle();
  expect(done).toEqual(['1']);
  othersWereHeard();
  await settle();
  expect(done).toEqual(['1', '2']);
  othersWereHeard();
  await Promise.all(all);
  expect([done, rests]).toEqual([['1', '2', '3'], []]);
  othersWereHeard();
  expect([soon.length, first.isSpent, first.turn('b', MUCH)]).toEqual([0, false, undefined]);
});

it('begins none for a while behind one that was long: a call of another takes more than one turn', async () => {
  void work('1', 'a', MUCH, 51);
  void work('2', 'a');
  await settle();
  othersWereHeard();
  await settle();
  expect([done, rests]).toEqual([['1'], [50]]);
  othersWereHeard();
  await settle();
  expect(done).toEqual(['1', '2']);
});

it('gives each server its turn, however much another has waiting', async () => {
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void work(name, name.slice(0, 1));
  for (let i = 0; i < 7; i++) {
    await settle();
    othersWereHeard();
  }
  expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

/** A source of which each piece takes so long. */
function source(name: string, ms: number): Turns {
  return new Turns({
    source: { pause: () => undefined, resume: () => undefined },
    take(bytes, from) {
      done.push(`${name}${bytes.toString('latin1', from, from + 1)}`);
      now += ms;
      return Math.min(bytes.length, from + MUCH);
    },
    now: () => now,
    othersFirst: first,
  });
}

const pieces = (letters: string): Buffer =>
  Buffer.from([...letters].map((letter) => letter.repeat(MUCH)).join(''));

it('takes one message of all sources at a time, where each takes long', () => {
  const [a, b, c] = [source('a', 2000), source('b', 2000), source('c', 2000)];
  a.push(pieces('12'));
  b.push(pieces('12'));
  c.push(pieces('1'));
  expect(done).toEqual(['a1']);
  const steps: number[] = [];
  for (let i = 0; i < 20; i++) {
    const before = done.length;
    othersWereHeard();
    steps.push(done.length - before);
  }
  expect(done.toSorted()).toEqual(['a1', 'a2', 'b1', 'b2', 'c1']);
  expect(Math.max(...steps)).toBe(1);
  expect(rests).toEqual([50, 50, 50, 50, 50]);
});

it('lets a source that says little to do come before those that had a long turn', () => {
  const [slow, quick] = [source('s', 2000), source('q', 1)];
  slow.push(pieces('123'));
  quick.push(pieces('123'));
  expect(done).toEqual(['s1']);
  othersWereHeard();
  othersWereHeard();
  expect(done.slice(0, 4)).toEqual(['s1', 'q1', 'q2', 'q3']);
});

it('counts the end of a long message, however short that is', () => {
  const [a, b] = [source('a', 2000), source('b', 2000)];
  a.push(Buffer.from('1'));
  b.push(pieces('1'));
  expect(done).toEqual(['a1']);
});
