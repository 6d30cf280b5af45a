import fc from 'fast-check';
import { expect, it } from 'vitest';
import { idBytes, idOf, withId } from './ids.ts';
import { decode, encode } from './json.ts';
import { peek } from './peek.ts';

it('exchanges the id and nothing else', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (params, id) => {
      const bytes = encode({ id, method: 'x', params });
      const other = withId(bytes, peek(bytes), Buffer.from('42'));
      expect(decode(other)).toEqual({ ...(decode(bytes) as object), id: 42 });
    }),
  );
});

it.each([
  ['{"id":null,"error":{"code":1}}', '{"id":7,"error":{"code":1}}'],
  ['{"error":{"code":1}}', '{"id":7,"error":{"code":1}}'],
  ['  { "error" : 1 }', '  {"id":7, "error" : 1 }'],
])('gives an id to %s', (text, given) => {
  const bytes = Buffer.from(text);
  expect(withId(bytes, peek(bytes), Buffer.from('7')).toString()).toBe(given);
});

it.each([
  ['{"id":"\\u0061","result":1}', 'a', '"\\u0061"'],
  ['{"id":1.0,"result":1}', 1, '1.0'],
  ['{"id":null,"error":1}', undefined, 'null'],
  ['{"error":1}', undefined, 'null'],
])('knows the id of %s', (text, value, raw) => {
  const bytes = Buffer.from(text);
  const seen = peek(bytes);
  expect([idOf(bytes, seen), idBytes(bytes, seen).toString()]).toEqual([value, raw]);
});
