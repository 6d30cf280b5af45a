import { expect, it } from 'vitest';
import { withFewTexts } from './few-texts.ts';

const MANY = 1_000_000;
const text = (words: string) => ({ type: 'text', text: words });
const blocks = (count: number) => Array.from({ length: count }, (_, at) => text(`line ${at}`));

it('leaves a message as it is that has no more texts than are read', () => {
  const message = { jsonrpc: '2.0', id: 'a', result: { isError: true, content: blocks(4000) } };
  expect(withFewTexts(message, MANY)).toBe(message);
  const numbers = {
    result: { isError: true, structuredContent: Array.from({ length: 50_000 }, (_, at) => at) },
  };
  expect(withFewTexts(numbers, MANY)).toBe(numbers);
});

it('keeps the first blocks, says how many there are more, and stays a failing result with its id', () => {
  const message = {
    result: { content: blocks(20_000), isError: true, _meta: { a: 'b' } },
    id: 'a',
    jsonrpc: '2.0',
  };
  const few = withFewTexts(message, MANY) as typeof message;
  expect(few).toMatchObject({ jsonrpc: '2.0', id: 'a', result: { isError: true } });
  const { content } = few.result;
  expect(content.length).toBeLessThan(6000);
  expect(content.slice(0, 3)).toEqual([text('line 0'), text('line 1'), text('line 2')]);
  expect(content.at(-1)).toEqual(text(`… (${20_000 - content.length + 1} more, which are too many to read)`));
});

it('keeps code and message of an error whose data have too many', () => {
  const data = Array.from({ length: 20_000 }, () => 'a');
  const few = withFewTexts({ error: { data, code: -32000, message: 'no' }, id: 1 }, MANY) as {
    error: { data: string[] };
  };
  expect(few).toMatchObject({ id: 1, error: { code: -32000, message: 'no' } });
  expect(few.error.data.length).toBeLessThan(10_001);
  expect(few.error.data.at(-1)).toMatch(/^… \(\d+ more, which are too many to read\)$/);
});

it('keeps no text beyond them, wherever it stands', () => {
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`m${at}`, `secret ${at}`]));
  const few = withFewTexts({ result: { isError: true, structuredContent: wide } }, MANY);
  expect(JSON.stringify(few).split('secret').length).toBeLessThan(10_002);
  expect(few).toMatchObject({ result: { isError: true } });
});
