import { redact } from '@mayday/core/redact';
import { describe, expect, it } from 'vitest';
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

describe('a message of very many members', () => {
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]));

  it('keeps the first, and what says what it is, also where that comes last', () => {
    const message = { ...members(50_000), result: { ...members(50_000), isError: true }, id: 1 };
    const few = withFewTexts(message, MANY) as unknown as Record<string, Record<string, unknown>>;
    const { id, result = {} } = few;
    expect([id, result['isError'], result['f0']]).toEqual([1, true, 0]);
    expect(Object.keys(few).length + Object.keys(result).length).toBeLessThan(41_000);
    expect(String(few['…'])).toMatch(/^\(\d+ more, which are too many to read\)$/);
  });

  it('is the same one with as many as somebody reads', () => {
    const message = { error: { code: 1, message: 'no', data: members(30_000) } };
    expect(withFewTexts(message, MANY)).toBe(message);
  });
});

describe('a message of very many letters', () => {
  const long = (letters: number) => 'a '.repeat(letters / 2);

  it('keeps the first texts of them, and never less than one', () => {
    const message = {
      result: { isError: true, content: Array.from({ length: 16 }, () => text(long(250_000))) },
    };
    const { content } = (withFewTexts(message, 4_000_000) as typeof message).result;
    expect(content).toEqual([
      ...[text(long(250_000)), text(long(250_000))],
      text('… (14 more, which are too many to read)'),
    ]);
    const one = { result: { isError: true, content: [text(long(3_000_000))] } };
    expect(withFewTexts(one, 3_000_000)).toBe(one);
  });

  it('has a text shortened that is longer than all of them', () => {
    const message = { params: { level: 'error', data: long(3_000_000) } };
    const short = { params: { level: 'error', data: long(10) } };
    expect(withFewTexts(message, 3_000_000, { shorten: (said) => said.slice(0, 10) })).toEqual(short);
  });
});

describe('a list that is cut', () => {
  const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
  const split = (size: number) => SECRET.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
  const letters = (count: number) => Array.from({ length: count }, () => text('a'));
  const end = withFewTexts(letters(20_000), MANY).length - 1;

  it.each([1, 4, 9, 31])('tells nothing of a secret in pieces of %i that goes over the cut', (size) => {
    const halves: number[] = [];
    const [first = '', ...others] = split(size);
    for (let before = end - 40; before < end + 4; before += 3) {
      const parts = [`behind ${first}`, ...others].map(text);
      const few = withFewTexts([...letters(before), ...parts, ...blocks(10_000)], MANY);
      // What is left is looked through later, without what was cut off.
      const told = redact(few.slice(-100)).value.map((each) => each.text);
      if (told.some((words) => words.startsWith('behind s')) || /[\dA-Z]{3}/.test(told.slice(0, -1).join('')))
        halves.push(before);
    }
    expect(halves).toEqual([]);
  });

  it('loses nothing else', () => {
    const long = `begins ${'so it goes on '.repeat(1000)}and ends`;
    const told = withFewTexts(
      Array.from({ length: 100 }, () => text(long)),
      MANY,
    );
    expect(told.length).toBeLessThan(41);
    expect(told.at(-2)).toEqual(text(long));
    const endless = Array.from({ length: 100 }, () => 'lorem-ipsum,'.repeat(1200));
    expect(withFewTexts(endless, MANY).at(-2)).toBe('lorem-ipsum,'.repeat(1200));
  });
});
