import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIdFinder } from './top-level-id.ts';
import { invalidUtf8At } from './utf8.ts';

function find(text: string, cut = text.length): string | number | undefined {
  const bytes = Buffer.from(text);
  const finder = createIdFinder();
  finder.push(bytes.subarray(0, cut));
  finder.push(bytes.subarray(cut));
  return finder.id();
}

describe('the id of a message that is too large to parse', () => {
  it('is the one at the top level, wherever it stands', () => {
    expect(find('{"id": 7, "method": "x"}')).toBe(7);
    expect(find('{"params": {"id": 1, "a": ["}", {"id": 2}]}, "id": "seven"}')).toBe('seven');
    expect(find('{"params": {"id": 1}}')).toBeUndefined();
    expect(find('{"a\\"id": 3, "x": "\\\\"}')).toBeUndefined();
    expect(find('[{"id": 1}]')).toBeUndefined();
  });

  it('is what JSON.parse would have said, however the bytes come', () => {
    const odd = fc.string({ unit: fc.constantFrom('\\', '"', 'x', '{', ',', ':'), maxLength: 20 });
    const id = fc.oneof(fc.string({ maxLength: 20 }), odd, fc.integer());
    fc.assert(
      fc.property(fc.oneof(fc.object(), odd), id, fc.nat(), (params, given, cut) => {
        const text = JSON.stringify({ params, id: given, jsonrpc: '2.0' });
        expect(find(text, cut % Buffer.byteLength(text))).toBe(given);
      }),
    );
  });
});

describe('the first byte that is no UTF-8', () => {
  it('is found behind good text, and a sent U+FFFD is good text', () => {
    expect(invalidUtf8At(Buffer.from('é🙂\uFFFD'))).toBeUndefined();
    expect(invalidUtf8At(Buffer.concat([Buffer.from('é\uFFFD'), Buffer.from([0x80])]))).toBe(5);
    expect(invalidUtf8At(Buffer.from([0xe2, 0x82]))).toBe(0);
  });
});
