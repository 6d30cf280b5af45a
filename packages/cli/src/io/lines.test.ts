import { expect, test } from 'vitest';
import { lineBatches } from './lines.ts';

async function linesOf(chunks: readonly string[], maxBytes = 100): Promise<(string | undefined)[]> {
  async function* input(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const lines: (string | undefined)[] = [];
  for await (const batch of lineBatches(input(), maxBytes)) {
    for (const { bytes, number } of batch) {
      expect(number).toBe(lines.length + 1);
      lines.push(bytes === undefined ? undefined : Buffer.from(bytes).toString());
    }
  }
  return lines;
}

test.each([
  ['lines within a chunk', ['a\nb\n'], ['a', 'b']],
  ['a line across chunks', ['a', 'b', 'c\nd\n'], ['abc', 'd']],
  ['blank lines', ['\n\na\n'], ['', '', 'a']],
  ['a last line without an end', ['a\nb'], ['a', 'b']],
  ['nothing', [], []],
])('splits %s', async (_what, chunks, lines) => {
  expect(await linesOf(chunks)).toEqual(lines);
});

test('drops the content of a line that is too long, and goes on', async () => {
  expect(await linesOf(['abc', 'def', 'g\nh\n'], 4)).toEqual([undefined, 'h']);
});
