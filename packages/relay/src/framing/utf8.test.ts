import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toUtf8 } from './utf8.ts';

it('leaves UTF-8 alone', () => {
  const bytes = Buffer.from('{"a":"é"}');
  expect(toUtf8(bytes)).toBe(bytes);
});

it('drops a byte order mark', () => {
  expect(toUtf8(Buffer.from('\ufeff{}')).toString()).toBe('{}');
});

it('replaces what is no UTF-8 and nothing around it', () => {
  const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xe9]), Buffer.from('"}')]);
  expect(toUtf8(bytes).toString()).toBe('{"a":"\ufffd"}');
});

it('always gives UTF-8', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(isUtf8(toUtf8(Buffer.from(bytes)))).toBe(true);
    }),
  );
});
