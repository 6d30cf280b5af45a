import { describe, expect, test } from 'vitest';
import { ADVERSARIAL } from '../../../../bench/redact-adversarial.ts';
import { createRedactor } from './index.ts';
import type { Span } from './page.ts';
import { shorten } from './repeats.ts';

const LONG = 45_000;
const long = (unit: string): string => unit.repeat(Math.ceil(LONG / unit.length));
const redactor = createRedactor();
/** A rule that finds nothing: with rules of a user's own, every text is read to its end. */
const unshortened = createRedactor({
  rules: [
    {
      id: 'none',
      class: 'none',
      keywords: ['qzqz-none'],
      pattern: /qzqz-none/,
      truePositives: [],
      nearMisses: [],
    },
  ],
});
const span = (start: number, end: number): Span => ({
  start,
  end,
  rule: 'r',
  class: 'c',
  weight: 1,
  quote: '',
});

describe('a text that repeats itself', () => {
  test.each([
    ...ADVERSARIAL.filter((_, at) => at % 4 === 0),
    '密码":a',
    '{"password":1\'',
    'password="',
    'expected a-密码A1b2,got 1(',
  ])('is redacted like one that is read to its end: %j', (unit) => {
    const text = `token=a1b2c3d4e5 ${long(unit)} jane.doe@acme-corp.com`;
    expect(redactor.redactText(text)).toEqual(unshortened.redactText(text));
  });

  test('loses no secret that stands in it, before it or behind it', () => {
    const text = `password=hunter2x9 ${long('ok password: s3cr3tW0rd! done\n')} mail jane.doe@acme-corp.com`;
    const { value, findings } = redactor.redactText(text);
    expect(value).not.toMatch(/hunter2|s3cr3t|jane/);
    expect(findings).toHaveLength(2 + Math.ceil(LONG / 'ok password: s3cr3tW0rd! done\n'.length));
  });

  test('loses no value that is known, however long it is', () => {
    const value = long('abcdefg-').slice(0, 30_000);
    const known = createRedactor({ hide: [value] });
    expect(known.redactText(`${value} ${long('lorem ')}`).value.startsWith('[secret:1] lorem')).toBe(true);
  });
});

describe('what is left of a text that repeats itself', () => {
  test('is much less, and nothing where nothing repeats', () => {
    expect(shorten(long('key='))?.text.length).toBeLessThan(LONG - 20_000);
    expect(shorten(Array.from({ length: 20_000 }, (_, i) => `${i} `).join(''))).toBeUndefined();
    expect(shorten('key='.repeat(2000))).toBeUndefined();
  });

  test('tells what is found in all of it', () => {
    const unit = '01234567';
    const short = shorten(`head ${long(unit)} tail`);
    const found = (text: string): Span[] =>
      [...text.matchAll(/45|head|tail/g)].map(({ 0: { length }, index }) => span(index, index + length));
    expect(short?.whole(found(short.text))).toEqual(found(`head ${long(unit)} tail`));
  });

  test('tells what goes on over all of it', () => {
    const short = shorten(`"${long('ab')}" c`);
    expect(short?.whole([span(1, (short.text.length ?? 0) - 3)])).toEqual([span(1, 1 + LONG)]);
  });

  test('tells nothing where what is found does not recur', () => {
    const short = shorten(long('ab'));
    const middle = 8192;
    expect(short?.whole([span(middle, middle + 4)])).toBeUndefined();
    expect(short?.whole([span(0, middle + 100)])).toBeUndefined();
    expect(short?.whole([])).toEqual([]);
  });
});
