import { describe, expect, test } from 'vitest';
import { type Candidate, judge, search, textOf, threadClock } from '../../../../bench/redact-slow.ts';
import { createRedactor, redact } from './index.ts';
import { builtInKeywords } from './redactor.ts';

/** Milliseconds a megabyte. The bench holds 300 on a quiet machine; tests share theirs. */
const LIMIT = 900;

const repeated = (unit: string): Candidate => ({ unit, head: '', tail: '' });

describe('no input makes redaction slow', () => {
  test.each(['key=', 'ak=', 'sk=', 'key_=', 'pin=', 'otp=', 'cvv=', 'secret="', 'token: ', ' -p', 'at '])(
    '%j repeated to a megabyte',
    (unit) => {
      const text = textOf(repeated(unit), 1_000_000);
      const start = threadClock();
      redact(text);
      expect(threadClock() - start).toBeLessThan(4000);
    },
  );

  test.each(['="', ': ', '%3d'])('every key word followed by %j', (separator) => {
    const slow = builtInKeywords()
      .map((keyword) => judge(repeated(keyword + separator), LIMIT))
      .filter((found) => found !== undefined);
    expect(slow).toEqual([]);
  });

  test('a key word before and after a long filler', () => {
    const slow = builtInKeywords()
      .flatMap((keyword) => ['a', '1'].map((unit) => judge({ unit, head: keyword, tail: keyword }, LIMIT)))
      .filter((found) => found !== undefined);
    expect(slow).toEqual([]);
  });

  test('random sequences of key words, separators and fillers', () => {
    const slow: unknown[] = [];
    const tried = search(3000, 11, (found) => slow.push(found), LIMIT);
    expect(tried).toBeGreaterThan(100);
    expect(slow).toEqual([]);
  });
});

describe('the time grows as the input does', () => {
  const growth = (make: (size: number) => unknown): number => {
    const cost = (size: number): number => {
      const value = make(size);
      let best = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 3; i++) {
        const start = threadClock();
        redact(value);
        best = Math.min(best, threadClock() - start);
      }
      return best;
    };
    return cost(40_000) / cost(10_000);
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
    // Four times the input: linear is 4, quadratic 16.
    expect(growth(make)).toBeLessThan(9);
  });

  test.each([1, 3, 50])('a stream in pieces of %i', (size) => {
    const time = (length: number): number => {
      const text = ' x\n'.repeat(length / 3);
      const start = threadClock();
      const stream = createRedactor().stream();
      for (let at = 0; at < text.length; at += size) {
        stream.push(text.slice(at, at + size));
      }
      stream.end();
      return threadClock() - start;
    };
    time(100_000);
    expect(time(400_000)).toBeLessThan(3000);
  });

  test('a user’s own rule whose key word is everywhere', () => {
    const badge = { id: 'acme-badge', class: 'badge', keywords: ['ab'], pattern: /ab\d{6}z/ };
    const redactor = createRedactor({ rules: [{ ...badge, truePositives: [], nearMisses: [] }] });
    const start = threadClock();
    redactor.redactText('ab'.repeat(500_000));
    expect(threadClock() - start).toBeLessThan(3000);
    expect(redactor.redactText(`${'ab'.repeat(1000)} ab123456z ${'ab'.repeat(1000)}`).value).toContain(
      'ab [badge:1] ab',
    );
  });
});

function numbered(size: number, entry: (i: number) => readonly [string, unknown]): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: size }, (_, i) => entry(i)));
}
