import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cut } from '../../test/bytes.ts';
import { createLineSplitter, oneLine } from './lines.ts';

function split(
  maxBytes: number,
  chunks: readonly Buffer[],
): { lines: string[]; tooLong: string[]; skipped: string[] } {
  const lines: string[] = [];
  const tooLong: string[] = [];
  const skipped: string[] = [];
  const splitter = createLineSplitter(maxBytes, {
    onLine: (line) => lines.push(line.toString()),
    onTooLong: (start) => tooLong.push(start.toString()),
    onSkipped: (end) => skipped.push(end.toString()),
  });
  for (const chunk of chunks) splitter.push(chunk);
  return { lines, tooLong, skipped };
}

it('gives the same lines however the bytes are cut', () => {
  const text = 'one\r\n\ntwo\n{"three":"ü"}\nrest';
  fc.assert(
    fc.property(fc.array(fc.nat(60)), (places) => {
      expect(split(1000, cut(Buffer.from(text), places)).lines).toEqual(['one', 'two', '{"three":"ü"}']);
    }),
  );
});

it('skips a line that is too long to its end, says so once, and goes on', () => {
  const text = `ok\n${'a'.repeat(30)}\nfine\n${'b'.repeat(11)}\r\n${'c'.repeat(10)}\r\nend\n`;
  fc.assert(
    fc.property(fc.array(fc.nat(80)), (places) => {
      const { lines, tooLong } = split(10, cut(Buffer.from(text), places));
      expect(lines).toEqual(['ok', 'fine', 'cccccccccc', 'end']);
      expect(tooLong.map((start) => start[0])).toEqual(['a', 'b']);
    }),
  );
});

it('gives the last 1024 bytes of each line that is too long, however the bytes are cut', () => {
  const text = `${'a'.repeat(3000)}end1\nok\n${'b'.repeat(20)}end2\n`;
  fc.assert(
    fc.property(fc.array(fc.nat(3100)), (places) => {
      const { lines, skipped } = split(10, cut(Buffer.from(text), places));
      expect([lines, skipped]).toEqual([['ok'], [`${'a'.repeat(1020)}end1`, `${'b'.repeat(20)}end2`]]);
    }),
  );
});

it('keeps little of a line that never ends', () => {
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  const { lines, tooLong } = split(
    10_000,
    Array.from({ length: 200 }, () => chunk),
  );
  expect([lines.length, tooLong.length, tooLong[0]?.length]).toEqual([0, 1, 4096]);
});

it('puts JSON on one line', () => {
  expect(oneLine(Buffer.from('{\n "a": "\\n",\r\n "b": 1}')).toString()).toBe('{ "a": "\\n", "b": 1}');
});

it('says how a line begins whose end has not come, once', () => {
  const splitter = createLineSplitter(20_000, { onLine: () => {}, onTooLong: () => {} });
  expect(splitter.begun()).toBe(undefined);
  splitter.push(Buffer.from('one\ntw'));
  expect(splitter.begun()?.toString()).toBe('tw');
  splitter.push(Buffer.from('o'));
  expect(splitter.begun()).toBe(undefined);
  splitter.push(Buffer.from(`\n${'x'.repeat(10_000)}`));
  expect(splitter.begun()?.length).toBe(4096);
  splitter.push(Buffer.from('\n'));
  expect(splitter.begun()).toBe(undefined);
});
