import { describe, expect, test } from 'vitest';
import { cleanText } from '../../../../bench/redact-adversarial.ts';
import { partsNear } from './changed-parts.ts';
import { createEngine } from './redactor.ts';
import { createNamer, outsideSurrogates } from './surrogates.ts';
import { detect, redactString } from './text.ts';

const engine = createEngine();

/** Reads the whole text again in each round. */
function redactWhole(input: string): string {
  const namer = createNamer();
  namer.reserve(input);
  for (let text = input; ; ) {
    const spans = detect(engine, text);
    if (spans.length === 0) return text;
    let out = '';
    let from = 0;
    for (const span of spans) {
      for (const [start, end] of outsideSurrogates(text, span.start, span.end)) {
        out +=
          text.slice(from, start) + span.quote + namer.name(text.slice(start, end), span.class) + span.quote;
        from = end;
      }
    }
    text = out + text.slice(from);
  }
}

/** Texts in which something more is found once something was replaced, and others. */
const PLANTED: readonly string[] = [
  'password=hunter2x9 token ',
  '密鑰@1密鑰@1密鑰@1密鑰@1密鑰@1密鑰@1密鑰@1密鑰@1密鑰@1密鑰@1密鑰@1密鑰@1 ',
  '{"user":"bob","password":"x7Kq29","token":"abc123XYZ9","n":[{"secret":"q1w2e3r4"}]}',
  'user,password\nbob,hunter2x9\nann,qwertz77\n',
  "\nINSERT INTO users VALUES ('bob', 'hunter2x9');\n",
  'postgres://app:hunter2@db.internal:5432/shop ',
  '\nError: no\n    at f (/home/jdoe/app/index.js:1:2)\n    at g (/home/jdoe/app/index.js:3:4)\n',
  'ｐａｓｓｗｏｒｄ＝hunter2x9 ',
];

describe('a long text is read again only around what was replaced, and says the same', () => {
  test.each(PLANTED)('%s', (planted) => {
    const clean = cleanText(90_000);
    const text = `${planted}${clean.slice(0, 45_000)}${planted} ${clean.slice(45_000)}${planted}`;
    expect(redactString(engine, createNamer(), text, () => '$', [])).toBe(redactWhole(text));
  });
});

test('parts begin and end between words, and those that meet are one', () => {
  const text = 'word '.repeat(40_000);
  const parts = partsNear(text, [
    { start: 50_001, end: 50_003 },
    { start: 60_001, end: 60_003 },
    { start: 150_001, end: 150_003 },
  ]);
  expect(parts).toEqual([
    { start: 41_805, end: 68_199 },
    { start: 141_805, end: 158_199 },
  ]);
});

test('where changes are all over, the whole text is read', () => {
  const changes = Array.from({ length: 20 }, (_, index) => ({
    start: index * 10_000,
    end: index * 10_000 + 5,
  }));
  expect(partsNear('word '.repeat(40_000), changes)).toBeUndefined();
});

test('where no word ends near, the whole text is read, and no search goes on to its end', () => {
  const changes = Array.from({ length: 4 }, (_, index) => ({ start: index * 1e5, end: index * 1e5 + 5 }));
  expect(partsNear('x'.repeat(1e6), changes)).toBeUndefined();
});
