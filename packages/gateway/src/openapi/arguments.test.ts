import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shapeOf, toHeaderText, toPathText } from './arguments.ts';

const BACKSLASH = { refused: 'Expected a path without backslashes' };
const DOTS = { refused: 'Expected a name: not empty, and not only dots' };
const CONTROL = { refused: 'Expected text without control characters' };
const HALF = { refused: 'Expected text; this holds half a character' };

describe('a part of a path', () => {
  it.each([
    ['A-1', 'A-1'],
    ['a b?c#d&e', 'a%20b%3Fc%23d%26e'],
    ['v1.2', 'v1.2'],
    ['.hidden', '.hidden'],
    ['a..b', 'a..b'],
    ['100%', '100%25'],
    ['50% off', '50%25%20off'],
    ['日本', '%E6%97%A5%E6%9C%AC'],
    ['$&', '%24%26'],
    ['{id}', '%7Bid%7D'],
    ['a/b', 'a%2Fb'],
    [7, '7'],
    [true, 'true'],
    [['a', 'b'], 'a%2Cb'],
  ])('is %j', (value, text) => {
    expect(toPathText(value, false)).toBe(text);
  });

  it.each<[unknown, object]>([
    ['..', DOTS],
    ['.', DOTS],
    ['...', DOTS],
    ['', DOTS],
    [' ', DOTS],
    ['.. ', DOTS],
    ['..;', DOTS],
    ['..;x=1', DOTS],
    ['%2e%2e', DOTS],
    ['%2E.', DOTS],
    ['%252e%252e', DOTS],
    ['%25252e%25252E', DOTS],
    [[], DOTS],
    [[''], DOTS],
    ['../users', DOTS],
    ['a/../b', DOTS],
    ['a%2f..', DOTS],
    ['a%252F%2e', DOTS],
    ['..\\users', BACKSLASH],
    ['%5c', BACKSLASH],
    ['a\u0000', CONTROL],
    ['a%00', CONTROL],
    ['a\r\nb', CONTROL],
    ['\ud800', HALF],
    [['x', '\udc00'], HALF],
  ])('is not %j', (value, refused) => {
    expect(toPathText(value, false)).toEqual(refused);
  });

  it('goes over several segments where the document says so, each of them a name', () => {
    expect(toPathText('src/my file.ts', true)).toBe('src/my%20file.ts');
    expect(
      ['a/../b', 'a//b', '/a', 'a/', 'a/%2e%2e/b', 'a\\b'].map((path) => toPathText(path, true)),
    ).toEqual([DOTS, DOTS, DOTS, DOTS, DOTS, BACKSLASH]);
  });

  it('never leads out of its segment, whatever it is made of', () => {
    const unit = fc.constantFrom(
      '.',
      '/',
      '\\',
      '%',
      '2',
      'e',
      'f',
      '5',
      'c',
      ';',
      ' ',
      'a',
      '\u0000',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (value) => {
        const text = toPathText(value, false);
        if (typeof text !== 'string') return true;
        const { pathname } = new URL(`http://x/users/${text}/keys`);
        let decoded = text;
        for (let i = 0; i < 12; i++)
          decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_all, hex) =>
            String.fromCharCode(Number.parseInt(hex, 16)),
          );
        const climbs = decoded.split('/').some((segment) => /^\.*$/.test(segment));
        return pathname === `/users/${text}/keys` && !decoded.includes('\\') && !climbs;
      }),
      { numRuns: 5000 },
    );
  });
});

describe('a header', () => {
  it.each(['', 'one two', 'a\tb', 'caf\u00e9'])('is %j', (value) => expect(toHeaderText(value)).toBe(value));

  it.each(['a\nb', 'a\rb', '\u0001', '\u007f', '☎', '\ud800', 'a\u0000'])('is not %j', (value) => {
    expect(toHeaderText(value)).toEqual({ refused: 'Expected the value of a header: one line of Latin-1' });
  });
});

describe('arguments', () => {
  const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

  it('are refused when they are too deep, however deep that is', () => {
    expect(shapeOf({ a: deep(200_000) }, 64).issues).toEqual([
      { path: ['a', 0, 0, 0, 0, 0, 0, 0], message: 'Nested more than 64 deep', code: 'invalid_value' },
    ]);
    expect(shapeOf({ a: deep(60) }, 64)).toEqual({ issues: [], size: 61 });
    expect(shapeOf({ a: deep(200_000) }, 2000).issues).toHaveLength(1);
  });

  it.each(['12345678901234567890', '-9007199254740993', '1e400', '-1e400'])(
    'are refused when %s would arrive as another number',
    (number) => {
      expect(shapeOf(JSON.parse(`{"a":[{"id":${number}}]}`), 64).issues).toEqual([
        {
          path: ['a', 0, 'id'],
          message: 'Too large to be sure of its last digits; send it as text',
          code: 'invalid_value',
        },
      ]);
    },
  );

  it('are fine otherwise', () => {
    const args = { a: [1, -1.5, 9007199254740991, 'x', null, true, { b: {} }] };
    expect(shapeOf(args, 64)).toEqual({ issues: [], size: 10 });
  });
});
