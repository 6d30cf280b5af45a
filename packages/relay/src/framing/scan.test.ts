import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { runs } from '../../../../test/runs.ts';
import { almostJson } from '../../test/bytes.ts';
import { skipKnown, skipSpace, skipValue } from './scan.ts';

/** What the runtime says. */
function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

function isWalked(bytes: Buffer): boolean {
  const end = skipValue(bytes, skipSpace(bytes, 0));
  return end >= 0 && skipSpace(bytes, end) === bytes.length;
}

it('walks to the end what JSON.parse accepts, and nothing else', () => {
  fc.assert(
    fc.property(almostJson(), (bytes) => {
      fc.pre(isUtf8(bytes));
      expect(isWalked(bytes)).toBe(isJson(bytes));
    }),
    { numRuns: runs(20_000) },
  );
});

it('agrees about long strings, wherever in them something is wrong', () => {
  const plain = 'x'.repeat(150);
  fc.assert(
    fc.property(
      fc.nat(150),
      fc.constantFrom(
        '\n',
        '\\n',
        '\\',
        '"',
        '\\"',
        '\\u00e',
        '\\u00e9',
        '\\x',
        'é',
        '\u001f',
        '\u007f',
        '\\\\',
      ),
      (at, piece) => {
        const bytes = Buffer.from(`"${plain.slice(0, at)}${piece}${plain.slice(at)}"`);
        expect(isWalked(bytes)).toBe(isJson(bytes));
      },
    ),
    { numRuns: runs(3000) },
  );
});

it.each(['0', '-0', '1.5e+10', '1E5', '-12.0e-1', 'true', '[]', '{}', '[[],{}]', '""', '"\\ud800"'])(
  'walks %s',
  (text) => {
    expect([skipValue(Buffer.from(text), 0), skipKnown(Buffer.from(text), 0)]).toEqual([
      text.length,
      text.length,
    ]);
  },
);

it.each([
  '01',
  '+1',
  '.5',
  '1.',
  '1e',
  '-',
  'NaN',
  'Infinity',
  'tru',
  "'a'",
  '[1,]',
  '{"a":1,}',
  '{a:1}',
  '{"a"}',
])('does not walk %s to its end', (text) => {
  expect(isWalked(Buffer.from(text))).toBe(false);
});

it('stops at the depth it is given, without a stack', () => {
  const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth));
  expect(skipValue(nested(1000), 0)).toBe(2000);
  expect(skipValue(nested(1001), 0)).toBe(-2);
  expect(skipValue(nested(200_000), 0)).toBe(-2);
  expect(skipValue(nested(5), 0, 4)).toBe(-2);
  expect(skipValue(nested(5000), 0, 5000)).toBe(10_000);
});

it('takes linear time for what never ends', () => {
  const bytes = Buffer.from(`"${'\\"'.repeat(2_000_000)}`);
  const start = threadClock();
  expect(skipValue(bytes, 0)).toBe(-1);
  expect(threadClock() - start).toBeLessThan(2000);
});
