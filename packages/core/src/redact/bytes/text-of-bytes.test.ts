import { describe, expect, it } from 'vitest';
import { textOfBytes } from './text-of-bytes.ts';

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const read = (bytes: Uint8Array | readonly number[], mimeType?: string) =>
  textOfBytes(Uint8Array.from(bytes), mimeType)?.text;

describe('a text that is sent as bytes', () => {
  it.each([
    ['ASCII', Buffer.from('secret\tword\r\n'), undefined, 'secret\tword\r\n'],
    ['UTF-8', Buffer.from('señor'), undefined, 'señor'],
    ['UTF-8, declared', Buffer.from('señor'), 'text/plain; charset=utf-8', 'señor'],
    ['with colours of a terminal', Buffer.from('\x1b[1mred'), undefined, '\x1b[1mred'],
    ['Latin 1', [0x73, 0xe9], undefined, 'sé'],
    ['Latin 1, declared', [0x73, 0xe9], 'text/plain; charset=latin1', 'sé'],
    ['UTF-16, with its mark', [0xff, 0xfe, 0x61, 0], undefined, 'a'],
    ['UTF-16, the other way round', [0xfe, 0xff, 0, 0x61], undefined, 'a'],
    ['UTF-16 without its mark', Buffer.from('secret', 'utf16le'), undefined, 'secret'],
    ['UTF-16 without it, the other way round', utf16be('secret'), undefined, 'secret'],
    ['four letters of UTF-16', Buffer.from('abcd', 'utf16le'), undefined, 'abcd'],
    ['mostly narrow letters', Buffer.from('abcdefg語', 'utf16le'), undefined, 'abcdefg語'],
    ['mostly narrow letters, the other way round', utf16be('abcdefg語'), undefined, 'abcdefg語'],
    ['Shift JIS, declared', [0x83, 0x65], "text/plain;charset='shift_jis'", 'テ'],
    ['Windows 1251, declared', [0xcf], 'text/plain; Charset = "windows-1251"', 'П'],
    ['UTF-16, declared', [0x61, 0, 0x62, 0], 'text/plain; charset=utf-16le', 'ab'],
    ['controls, declared as a text', [0x61, 0], 'text/plain', 'a\0'],
    ['an encoding that nobody knows', Buffer.from('abc'), 'text/plain; charset=klingon', 'abc'],
  ])('%s', (_what, bytes, mimeType, text) => {
    expect(read(bytes, mimeType)).toBe(text);
  });

  it.each([
    'text/html',
    'TEXT/plain',
    'application/json',
    'application/problem+json',
    'image/svg+xml',
    'application/xml; a=b',
    'application/yaml',
    'application/javascript',
    'application/x-www-form-urlencoded',
    'application/x-sh',
    'application/sql',
    'application/toml',
    'application/csv',
  ])('%s is a text, whatever its bytes are', (mimeType) => {
    expect(read([0x61, 0x01], mimeType)).toBe('a\x01');
  });

  it.each([
    ['nothing', [], undefined],
    ['nothing, declared as a text', [], 'text/plain'],
    ['a picture', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0], 'image/png'],
    ['an archive', [0x50, 0x4b, 0x03, 0x04], undefined],
    ['three letters of UTF-16, which may be anything', Buffer.from('abc', 'utf16le'), undefined],
    [
      'an odd number of bytes',
      Buffer.concat([Buffer.from('secret', 'utf16le'), Buffer.from([1])]),
      undefined,
    ],
    ['zeros on both sides', Buffer.alloc(16), undefined],
    ['few zeros', [1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1], undefined],
    ['few zeros, the other way round', [0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1], undefined],
    ['what only looks like a type of text', [0x61, 0x01], 'image/png; x=application/jsonx'],
    ['a declared encoding that it is not in', [0x81, 0x01], 'application/x; charset=shift_jis'],
  ])('is not %s', (_what, bytes, mimeType) => {
    expect(read(bytes, mimeType)).toBeUndefined();
  });

  it.each([0x00, 0x08, 0x0e, 0x1a, 0x1c, 0x1f, 0x7f])('has no byte %i, unless it is declared', (byte) => {
    expect(read([0x61, byte])).toBeUndefined();
    expect(read([0x61, byte], 'text/plain')).toBe(`a${String.fromCharCode(byte)}`);
  });

  it('is looked at as far as 4,096 bytes to tell whether it is wide', () => {
    const wide = Buffer.from('a'.repeat(2048), 'utf16le');
    const narrow = Buffer.alloc(20_000, 0x61);
    expect(read(Buffer.concat([wide, narrow]))).toHaveLength(2048 + 10_000);
  });
});
