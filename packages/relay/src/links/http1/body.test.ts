import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cut } from '../../../test/bytes.ts';
import { createBodyReader } from './body.ts';
import type { BodyEnd } from './head.ts';

interface Read {
  readonly body: string;
  /** How many bytes were taken; -1: it goes on; -2: it is no HTTP. */
  readonly end: number;
}

function readAll(end: BodyEnd, chunks: readonly Buffer[]): Read {
  let body = '';
  let taken = 0;
  const reader = createBodyReader(end, (data) => {
    body += data.toString('latin1');
  });
  try {
    for (const chunk of chunks) {
      const at = reader.push(chunk, 0);
      if (at >= 0) return { body, end: taken + at };
      taken += chunk.length;
    }
    return { body, end: -1 };
  } catch {
    return { body: '', end: -2 };
  }
}

const chunked = (pieces: readonly string[], trailers = ''): string =>
  `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n${trailers}\r\n`;

it('gives the same body however it is cut', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ minLength: 1, maxLength: 40 }).map((text) => Buffer.from(text).toString('latin1')),
      ),
      fc.array(fc.nat(200), { maxLength: 20 }),
      fc.constantFrom('', 'a: b\r\n', 'a: b\r\nc: d\r\n'),
      (pieces, places, trailers) => {
        const wire = chunked(pieces, trailers);
        const bytes = Buffer.from(`${wire}HTTP/1.1 200 smuggled`, 'latin1');
        expect(readAll('chunked', cut(bytes, places))).toEqual({ body: pieces.join(''), end: wire.length });
      },
    ),
    { numRuns: 2000 },
  );
});

it('takes so many bytes and no more', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.array(fc.nat(60)), (length, places) => {
      const bytes = Buffer.from('x'.repeat(length) + 'y'.repeat(10));
      expect(readAll(length, cut(bytes, places))).toEqual({ body: 'x'.repeat(length), end: length });
    }),
  );
});

it('goes on until it is told to end', () => {
  expect(readAll('close', [Buffer.from('a'), Buffer.from('b')])).toEqual({ body: 'ab', end: -1 });
});

it.each([
  ['5;name=value\r\nhello\r\n0\r\n\r\n', 'hello'],
  ['5 ;x\r\nhello\r\n0\r\n\r\n', undefined],
  ['00005\r\nhello\r\n0;last\r\n\r\n', 'hello'],
  ['A\r\n0123456789\r\n00\r\n\r\n', '0123456789'],
  ['5\nhello\n0\n\n', undefined],
  ['5\r\nhello0\r\n\r\n', undefined],
  ['5\r\nhelloX\r\n0\r\n\r\n', undefined],
  ['\r\n', undefined],
  ['-1\r\n', undefined],
  ['0x5\r\nhello\r\n', undefined],
  ['5\r\rhello\r\n0\r\n\r\n', undefined],
  ['g\r\n', undefined],
  ['fffffffffffff\r\n', undefined],
  ['0\r\nx: y\n\r\n', undefined],
  ['0\r\nx: y\r\r\n\r\n', undefined],
  ['0\r\n\rx', undefined],
  [`1;${'x'.repeat(5000)}\r\n`, undefined],
  [`0\r\n${'x: y\r\n'.repeat(2000)}`, undefined],
])('reads %j', (text, body) => {
  for (const places of [[], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]]) {
    const { body: got, end } = readAll('chunked', cut(Buffer.from(text), places));
    expect([got, end >= 0]).toEqual([body ?? '', body !== undefined]);
  }
});
