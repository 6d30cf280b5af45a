import { expect, test } from 'vitest';
import { toJsonText } from './json-text.ts';

function nest(value: unknown, depth: number): unknown {
  let nested = value;
  for (let level = 0; level < depth; level += 1) nested = level % 2 === 0 ? [nested] : { a: nested, b: 1 };
  return nested;
}

test('writes what JSON.stringify writes, at any depth', () => {
  const leaf = { text: 'a"b\ud800', list: [1, null, true], none: undefined, empty: {}, __proto__: null };
  const shallow = JSON.stringify(leaf);
  const deep = toJsonText(nest(leaf, 50_000));
  expect(toJsonText(leaf)).toBe(shallow);
  expect(deep).toContain(shallow);
  expect(() => JSON.parse(deep)).not.toThrow();
});

test('escapes what a terminal would obey, and means the same', () => {
  const said = { 'a\u202e': 'safe\u202egpj.exe\u007f\u009b2J\u2066\u2028', ok: 'Zoë 漢字' };
  const text = '{"a\\u202e":"safe\\u202egpj.exe\\u007f\\u009b2J\\u2066\\u2028","ok":"Zoë 漢字"}';
  expect([toJsonText(said), JSON.parse(text)]).toEqual([text, said]);
});

test('indents where it is asked to', () => {
  expect(toJsonText({ a: 1 }, 2)).toBe('{\n  "a": 1\n}');
});
