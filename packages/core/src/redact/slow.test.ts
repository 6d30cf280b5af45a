import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../../bench/redact-random.ts';
import {
  type Candidate,
  candidatesOf,
  judge,
  type Slow,
  search,
  threadClock,
} from '../../../../bench/redact-slow.ts';
import { createRedactor, redact } from './index.ts';
import { builtInKeywords } from './redactor.ts';

/** How much more than prose an input may cost here; the bench holds half of it. */
const TIMES_PROSE = 60;
/** Large enough for a search of the rest of the text to cost more than the look itself. */
const LARGE_LOOK = 60_000;

const repeated = (unit: string): Candidate => ({ unit, head: '', tail: '' });

/** Walks through all the rest of the text from each `key=` on, as a careless rule would. */
const quadratic = (text: string): number => {
  let found = 0;
  for (let at = text.indexOf('key='); at >= 0; at = text.indexOf('key=', at + 4)) {
    for (let i = at; i < text.length; i += 4) found += text.charCodeAt(i) & 1;
  }
  return found;
};

describe('no input makes redaction slow', () => {
  test.each(['key=', 'ak=', 'sk=', 'key_=', 'pin=', 'otp=', 'cvv=', 'secret="', 'token: ', ' -p', 'at '])(
    '%j repeated',
    (unit) => {
      expect(judge(repeated(unit), { size: 100_000, timesProse: TIMES_PROSE })).toBeUndefined();
    },
  );

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

  test('a rule that is slow would be found', { retry: 8, timeout: 60_000 }, () => {
    for (let i = 0; i < 5; i++) quadratic('key='.repeat(3000)); // compiled, its price does not fall in the midst
    const found = judge(repeated('key='), { redact: quadratic, size: 60_000, large: 25_000 });
    expect(found?.timesProse).toBeGreaterThan(TIMES_PROSE);
    expect(found?.growth).toBeGreaterThan(2.5);
    expect(judge(repeated('lock'), { redact: quadratic, size: LARGE_LOOK })).toBeUndefined();
  });
});

describe('the time grows as the input does', () => {
  const timeOf = (run: () => unknown): number => {
    const start = threadClock();
    run();
    return threadClock() - start;
  };

  /** How much more four times the input costs, the best of some runs each: linear is 4, quadratic 16. */
  const growth = (run: (size: number) => () => unknown): number => {
    let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let i = 0; i < 2 || (i < 6 && large / small >= 9); i++) {
      small = Math.min(small, timeOf(run(6000)));
      large = Math.min(large, timeOf(run(24_000)));
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

  test('growth that is not linear would be found', { retry: 3 }, () => {
    const pairs = (size: number) => () => {
      let sum = 0;
      for (let i = 0; i < size; i += 2) for (let j = 0; j < size; j += 4) sum += i ^ j;
      return sum;
    };
    expect(growth(pairs)).toBeGreaterThan(9);
  });
});

function numbered(size: number, entry: (i: number) => readonly [string, unknown]): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: size }, (_, i) => entry(i)));
}
