import { describe, expect, test } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { createRandom } from '../../../../bench/redact-random.ts';
import {
  type Candidate,
  candidatesOf,
  judge,
  type Redact,
  type Slow,
  search,
  textOf,
} from '../../../../bench/redact-slow.ts';
import { createRedactor, redact } from './index.ts';
import { builtInKeywords } from './redactor.ts';

/** How much more than prose an input may cost here; the bench is stricter, and says what misses its goal. */
const TIMES_PROSE = 120;
/** Large enough for a search of the rest of the text to cost more than the look itself. */
const LARGE_LOOK = 60_000;

const repeated = (unit: string): Candidate => ({ unit, head: '', tail: '' });

/** Walks through all the rest of the text from each `key=` on, as a careless rule would; returns its steps. */
const quadratic = (text: string): number => {
  let steps = 0;
  for (let at = text.indexOf('key='); at >= 0; at = text.indexOf('key=', at + 4)) {
    steps += text.length - at;
  }
  return steps;
};

/** Steps in place of time: what is slow is found whatever else the machine does. */
const inSteps = {
  redact: quadratic,
  cost: (redact: Redact, text: string): number => text.length + (redact === quadratic ? quadratic(text) : 0),
};

describe('no input makes redaction slow', () => {
  test.each([
    'key=',
    'ak=',
    'sk=',
    'key_=',
    'xs=',
    'li_at=',
    '/homes/a',
    '/home/a',
    'pin=',
    'otp=',
    'cvv=',
    'secret="',
    'token: ',
    ' -p',
    'at ',
    'http://',
  ])('%j repeated', (unit) => {
    expect(judge(repeated(unit), { size: 100_000, timesProse: TIMES_PROSE })).toBeUndefined();
  });

  test('every twelfth key word with a separator and a filler, picked by chance', () => {
    const random = createRandom(29);
    const slow = builtInKeywords()
      .filter(() => random() < 1 / 12)
      .map(candidatesOf)
      .map((all) => all[Math.floor(random() * all.length)] as Candidate)
      .flatMap((candidate) => judge(candidate, { size: LARGE_LOOK, timesProse: TIMES_PROSE }) ?? []);
    expect(slow).toEqual([]);
  });

  test('random sequences of key words, separators and fillers', () => {
    const slow: Slow[] = [];
    expect(search({ seed: 11, tries: 150, timesProse: TIMES_PROSE }, (found) => slow.push(found))).toBe(150);
    expect(slow).toEqual([]);
  });

  test('a rule that is slow would be found', () => {
    const found = judge(repeated('key='), { ...inSteps, timesProse: TIMES_PROSE });
    expect(found?.timesProse).toBeGreaterThan(TIMES_PROSE);
    expect(found?.growth).toBeGreaterThan(2.5);
    expect(judge(repeated('lock'), { ...inSteps, timesProse: TIMES_PROSE })).toBeUndefined();
  });
});

test('parts of several rules are searched in any order, not only one behind the other', () => {
  const mixed = textOf({ unit: ' ', head: '', tail: '', isMixed: true, others: ['<a>', '<b>'] }, 300);
  expect(['<a><b>', '<b><a>', '<a><a>', '<b> <b>'].filter((order) => !mixed.includes(order))).toEqual([]);
  const texts: string[] = [];
  const cost = (_redact: Redact, text: string): number => texts.push(text) * 0;
  expect(search({ seed: 5, tries: 60, cost, redact: () => undefined }, () => undefined)).toBe(60);
  // One sequence over and over comes again, once the blanks are gone that may stand between; prose is what it is measured by.
  const comesAgain = (text: string): boolean => {
    const end = text.replaceAll(' ', '').slice(-2000);
    return end.includes(end.slice(0, 200), 1);
  };
  expect(texts.some((text) => !comesAgain(text) && !text.includes('upstream service'))).toBe(true);
});

describe('the time grows as the input does', () => {
  const timeOf = (run: () => unknown): number => {
    const start = threadClock();
    run();
    return threadClock() - start;
  };

  /** How much more four times the input costs: linear is 4, quadratic 16. The best of more runs each before it is too much. */
  const growth = (run: (size: number) => () => unknown, costOf = timeOf): number => {
    let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    run(1500)(); // compiled by now, or the small one would seem to cost more than it does
    for (let i = 0; i < 1 || (i < 12 && large / small >= 9); i++) {
      small = Math.min(small, costOf(run(6000)));
      large = Math.min(large, costOf(run(24_000)));
    }
    return large / Math.max(4, small);
  };
  const redacting = (make: (size: number) => unknown) => (size: number) => {
    const value = make(size);
    return () => redact(value);
  };

  test.each<readonly [string, (size: number) => unknown]>([
    ['findings in a wide object', (size) => numbered(size, (i) => [`k${i}`, `password=abc${i}`])],
    ['objects in a wide object', (size) => numbered(size, (i) => [`k${i}`, { password: `hunter${i}` }])],
    ['keys that are secrets', (size) => numbered(size, (i) => [`user${i}@example.com`, { a: i }])],
    [
      'findings under a long key',
      (size) => ({ ['x'.repeat(size * 10)]: Array.from({ length: size }, (_, i) => `user${i}@example.com`) }),
    ],
    ['findings in one text', (size) => Array.from({ length: size }, (_, i) => `u${i}@example.com`).join(' ')],
  ])('%s', (_, make) => {
    expect(growth(redacting(make))).toBeLessThan(9);
  });

  test.each([1, 3, 50])('a stream in pieces of %i', (size) => {
    const streaming = (length: number) => () => {
      const text = ' x\n'.repeat(length * 10);
      const stream = createRedactor().stream();
      for (let at = 0; at < text.length; at += size) {
        stream.push(text.slice(at, at + size));
      }
      stream.end();
    };
    expect(growth(streaming)).toBeLessThan(9);
  });

  test('a user’s own rule whose key word is everywhere', () => {
    const badge = { id: 'acme-badge', class: 'badge', keywords: ['ab'], pattern: /ab\d{6}z/ };
    const redactor = createRedactor({ rules: [{ ...badge, truePositives: [], nearMisses: [] }] });
    expect(
      judge(repeated('ab'), { redact: (text) => redactor.redactText(text), timesProse: TIMES_PROSE }),
    ).toBeUndefined();
    expect(redactor.redactText(`${'ab'.repeat(1000)} ab123456z ${'ab'.repeat(1000)}`).value).toContain(
      'ab [badge:1] ab',
    );
  });

  test('growth that is not linear would be found', () => {
    const steps = (size: number) => () => size * size;
    expect(growth(steps, (run) => run() as number)).toBeGreaterThan(9);
  });
});

function numbered(size: number, entry: (i: number) => readonly [string, unknown]): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: size }, (_, i) => entry(i)));
}
