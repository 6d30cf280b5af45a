import fc from 'fast-check';
import { expect, it } from 'vitest';
import { elementsOf, foldedKey, locate, splice, textAt, valuesOf } from './members.ts';

const find = (text: string, ...path: string[]) => {
  const range = locate(Buffer.from(text), 0, ...path);
  return range === undefined ? undefined : Buffer.from(text).subarray(range.start, range.end).toString();
};

it.each([
  ['{"a":1}', ['a'], '1'],
  ['{ "b" : [1,{"a":2}] , "a" : { "c" : "x" } }', ['a'], '{ "c" : "x" }'],
  ['{"a":{"b":{"c":-0}}}', ['a', 'b', 'c'], '-0'],
  ['{"\\u0061":1}', ['a'], '1'],
  ['{"a":1,"a":2}', ['a'], '2'],
  ['{"x":"\\"a\\":1","a":9007199254740993}', ['a'], '9007199254740993'],
  ['{}', ['a'], undefined],
  ['{"a":[{"b":1}]}', ['a', 'b'], undefined],
  ['{"a":null}', ['a', 'b'], undefined],
  ['[{"a":1}]', ['a'], undefined],
])('finds in %s the member %j', (text, path, value) => {
  expect(find(text, ...path)).toBe(value);
});

it('finds what JSON.parse finds, for any object', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (object, other) => {
      const text = JSON.stringify(object);
      for (const key of [...Object.keys(object), other]) {
        const value: unknown = (JSON.parse(text) as { [key: string]: unknown })[key];
        const own = Object.hasOwn(object, key) ? JSON.stringify(value) : undefined;
        expect(find(text, key)).toBe(own);
      }
    }),
  );
});

it('finds nothing where there is no object', () => {
  expect(locate(Buffer.from('{}'), -1, 'a')).toBeUndefined();
  expect(locate(Buffer.from(''), 0, 'a')).toBeUndefined();
  expect(locate(Buffer.from('{"a'), 0, 'a')).toBeUndefined();
});

it.each([
  ['[]', []],
  ['[ ]', []],
  ['[1]', ['1']],
  ['[ {"a":[1,2]} ,"x,]\\"" , [] , -0 ]', ['{"a":[1,2]}', '"x,]\\""', '[]', '-0']],
  ['{"a":1}', []],
  ['[1,', ['1']],
  ['', []],
])('finds the elements of %s', (text, elements) => {
  const bytes = Buffer.from(text);
  expect(elementsOf(bytes, 0).map(({ start, end }) => bytes.toString('utf8', start, end))).toEqual(elements);
});

it('exchanges all values of a member and leaves the rest to the letter', () => {
  const bytes = Buffer.from('{ "t":1, "n":-0 ,"big":12345678901234567890,"t" : "two","n":1.50}');
  expect(splice(bytes, valuesOf(bytes, 0, 't'), Buffer.from('42')).toString()).toBe(
    '{ "t":42, "n":-0 ,"big":12345678901234567890,"t" : 42,"n":1.50}',
  );
});

it('decodes a string, and only a string', () => {
  const bytes = Buffer.from('{"a":"é\\n\\ud800","b":1}');
  expect(textAt(bytes, locate(bytes, 0, 'a'))).toBe('é\n\ud800');
  expect(textAt(bytes, locate(bytes, 0, 'b'))).toBeUndefined();
  expect(textAt(bytes, undefined)).toBeUndefined();
});

it.each([
  ['"Name"', 'name'],
  ['"name"', 'name'],
  ['"par\u0061m\u017f"', 'params'],
  ['"\u212aey"', 'key'],
])('folds %s as a parser that ignores case', (text, folded) => {
  const bytes = Buffer.from(text);
  expect(foldedKey(bytes, 0, bytes.length)).toBe(folded);
});

it('comes to an end in whatever bytes', () => {
  const piece = fc.constantFrom('{', '}', '"', ':', ',', 'x', '1', ' ', '[', ']', '"id":1', '""');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const bytes = Buffer.from(`{${pieces.join('')}`);
      const ends = valuesOf(bytes, 0, 'id').map(({ end }) => end);
      expect(ends).toEqual([...new Set(ends)].sort((a, b) => a - b));
    }),
    { numRuns: 2000 },
  );
});
