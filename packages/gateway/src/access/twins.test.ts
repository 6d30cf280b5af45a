import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasTwins } from './twins.ts';

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
