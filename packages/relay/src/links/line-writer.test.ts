import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineWriter } from './line-writer.ts';

function heard(): { readonly writer: LineWriter; readonly chunks: Buffer[]; readonly stdin: PassThrough } {
  const stdin = new PassThrough();
  const chunks: Buffer[] = [];
  stdin.on('data', (chunk: Buffer) => chunks.push(chunk));
  return { writer: new LineWriter(stdin), chunks, stdin };
}

test('what is said in one turn of the event loop goes out in one write', async () => {
  const { writer, chunks } = heard();
  writer.write(Buffer.from('{"id":1}'));
  writer.write(Buffer.from('{"id":2}'));
  expect(writer.backlog).toBe(18);
  await turn();
  expect(chunks.map(String)).toEqual(['{"id":1}\n{"id":2}\n']);
  expect(writer.backlog).toBe(0);
  writer.write(Buffer.from('{"id":3}'));
  await turn();
  expect(chunks.map(String)).toEqual(['{"id":1}\n{"id":2}\n', '{"id":3}\n']);
});

test('the end comes after what was said, and nothing comes after the end', async () => {
  const { writer, chunks, stdin } = heard();
  writer.write(Buffer.from('last words'));
  writer.end();
  writer.write(Buffer.from('too late'));
  await once(stdin, 'end');
  await turn();
  expect(Buffer.concat(chunks).toString()).toBe('last words\n');
});

test('lines of any size arrive whole and in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 8 }), async (sizes) => {
      const { writer, chunks } = heard();
      const lines = sizes.map((size, i) => Buffer.alloc(size, 97 + i));
      for (const line of lines) writer.write(line);
      await turn();
      await turn();
      expect(Buffer.concat(chunks).equals(Buffer.from(lines.map((line) => `${line}\n`).join('')))).toBe(true);
    }),
    { numRuns: 50 },
  );
});
