import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasTwins, withTwins } from './twins.ts';

it.each([
  ['{}', false],
  ['{"a":1,"b":{"a":1}}', false],
  ['{"a":1,"a":1}', true],
  ['{"a":1,"\\u0061":2}', true],
  ['[{"a":[{"b":1,"b":2}]}]', true],
  ['{"a":":\\":","b":"{\\"a\\":1}"}', false],
  ['{"__proto__":1}', false],
  ['"a:b"', false],
])('%s: %s', (json, has) => {
  expect(hasTwins(Buffer.from(json))).toBe(has);
});

it('finds none in what was written by a program', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => !hasTwins(Buffer.from(JSON.stringify(value)))));
});

it.each([
  ['{"a":1,"b":{"c":"x"}}', { a: 1, b: { c: 'x' } }],
  [' { "a" : 1 , "\\u0061" : [2] , "a":{"b":3,"b":4} } ', { a: [1, [2], { b: [3, 4] }] }],
  ['[{"a":1,"a":2},"b"]', [{ a: [1, 2] }, 'b']],
  ['"a"', 'a'],
])('%s is said as %j to all readers', (json, said) => {
  expect(withTwins(Buffer.from(json))).toEqual(said);
});
