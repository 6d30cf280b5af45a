import { describe, expect, test } from 'vitest';
import { THIRD_ROUND } from '../../../../bench/redact-classes/third-round.ts';
import { redact } from './index.ts';

const { benign = {}, ...hidden } = THIRD_ROUND;

describe.each(Object.values(hidden).flatMap((classes) => Object.entries(classes)))('%s', (_, texts) => {
  test.each(texts)('%s', (marked) => {
    const planted = [...marked.matchAll(/⟦([^⟧]*)⟧/g)].map((match) => match[1] as string);
    const { value } = redact(marked.replace(/[⟦⟧]/g, ''));
    expect(planted.length).toBeGreaterThan(0);
    expect(planted.filter((part) => value.includes(part))).toEqual([]);
    expect(redact(value).value).toBe(value);
  });
});

describe.each(Object.entries(benign))('%s', (_, texts) => {
  test.each(texts)('stays: %s', (text) => {
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });
});
