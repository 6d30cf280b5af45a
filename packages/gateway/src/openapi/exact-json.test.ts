import fc from 'fast-check';
import { expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { readExact, rounded, writeExact } from './exact-json.ts';

it('reads and writes what JSON itself does, wherever doubles are enough', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(readExact(text)).toEqual(JSON.parse(text));
      expect(writeExact(readExact(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

it('gives every number back that a double cannot hold, whatever stands around it', () => {
  const large = fc.bigInt({ min: 2n ** 63n, max: 2n ** 128n }).map((number) => `${number * 10n + 1n}`);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), large, fc.jsonValue(), (text, number, other) => {
      const json = `{"a":${JSON.stringify(text)},"b":[${number},-${number},"${number}"],"c":${JSON.stringify(JSON.parse(JSON.stringify(other)))}}`;
      expect(writeExact(readExact(json))).toBe(json);
      expect(rounded(readExact(json))).toEqual(JSON.parse(json));
    }),
  );
});

it.each([
  ['[1.0,1e2,-0,0.10,1e21,100000000000000000000,0.1e-6]', '[1,100,0,0.1,1e+21,100000000000000000000,1e-7]'],
  ['[9007199254740992,9007199254740993]', '[9007199254740992,9007199254740993]'],
  ['[0.10000000000000000001,1e400,1e-400]', '[0.10000000000000000001,1e400,1e-400]'],
  ['"9007199254740993"', '"9007199254740993"'],
  ['9007199254740993', '9007199254740993'],
])('%s is written %s', (given, written) => {
  expect(writeExact(readExact(given))).toBe(written);
});

it.each(['', '{', '[9007199254740993', '{"a":9007199254740993', '01234567890123456789', '"\\', '-'])(
  'is undefined where there is no JSON: %j',
  (given) => {
    expect(readExact(given)).toBeUndefined();
  },
);

it('takes no longer for what is made to take long', () => {
  const began = threadClock();
  for (const hostile of [`1${'0'.repeat(3e6)}1`, `0.${'0'.repeat(3e6)}1`, `["${'\\"'.repeat(2e6)}",1e5]`])
    expect(writeExact(readExact(hostile))).toBe(hostile.replace('1e5', '100000'));
  expect(threadClock() - began).toBeLessThan(20_000);
});
