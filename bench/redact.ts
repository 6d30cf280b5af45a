/**
 * Redaction against secretlint's recommended preset and a naive loop over the same formats, in one run:
 * what is caught, what is wrongly touched, how fast, and whether any input makes it slow.
 *
 * `npm run bench:redact`
 */
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { createRedactor } from '../packages/core/src/redact/index.ts';
import { NAMED, PREFIXED } from '../packages/core/src/redact/rules/format-table.ts';
import { formatSource } from '../packages/core/src/redact/rules/formats.ts';
import { threadClock } from './measure.ts';
import { ADVERSARIAL, cleanText, inDisorder } from './redact-adversarial.ts';
import { BENIGN, INTERNALS, PERSONAL, SECRETS } from './redact-cases.ts';
import { PREFIXED_FIXTURES } from './redact-fixtures.ts';
import { createRandom, expand } from './redact-random.ts';

type Redact = (text: string) => string | Promise<string>;

const redactor = createRedactor();
const rows = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
const expressions = [
  ...rows(PREFIXED).map((row) => row[1] ?? ''),
  ...rows(NAMED).map((row) => row[2] ?? ''),
].map((format) => new RegExp(`\\b${formatSource(format.replace(/^[~!]/, ''))}`, 'g'));

async function withSecretlint(text: string): Promise<string> {
  const { messages } = await lintSource({
    source: { content: text, filePath: 'message.txt', ext: '.txt', contentType: 'text' },
    options: {
      noPhysicFilePath: true,
      config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] },
    },
  });
  const ranges = messages.map((message) => message.range).sort((a, b) => b[0] - a[0]);
  return ranges.reduce((out, [start, end]) => `${out.slice(0, start)}[secret]${out.slice(end)}`, text);
}

const contestants: ReadonlyArray<readonly [name: string, redact: Redact]> = [
  ['mayday', (text) => redactor.redactText(text).value],
  [
    'naive loop',
    (text) => expressions.reduce((out, expression) => out.replace(expression, '[secret]'), text),
  ],
  ['secretlint', withSecretlint],
];

const SEEDS = 5;
const formats = PREFIXED_FIXTURES.trim()
  .split('\n')
  .map((line) => `request with ⟦${line.split(' | ')[1]}⟧ was refused`);

async function recall(redact: Redact, templates: readonly string[]): Promise<number> {
  let caught = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = createRandom(seed);
    for (const template of templates) {
      const marked = expand(template, random);
      const planted = [...marked.matchAll(/⟦([^⟧]*)⟧/g)].map((match) => match[1] as string);
      const out = await redact(marked.replace(/[⟦⟧]/g, ''));
      caught += planted.some((part) => out.includes(part)) ? 0 : 1;
    }
  }
  return caught / (SEEDS * templates.length);
}

async function untouched(redact: Redact): Promise<number> {
  const random = createRandom(1);
  const texts = BENIGN.map((template) => expand(template, random));
  let same = 0;
  for (const text of texts) {
    same += (await redact(text)) === text ? 1 : 0;
  }
  return same / texts.length;
}

/** Best of several runs, in milliseconds: the machine's other work only ever adds. */
async function time(
  run: () => unknown,
  rounds: number,
  clock: () => number = () => performance.now(),
): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rounds; i++) {
    const start = clock();
    await run();
    best = Math.min(best, clock() - start);
  }
  return best;
}

const twoKilobytes = `${cleanText(1950)} ${expand('password={n12} jane@example.com ghp_{n36}', createRandom(2))}`;
const megabyte = cleanText(1_000_000);

const results: Array<Record<string, string | number>> = [];
const speeds: number[] = [];
for (const [name, redact] of contestants) {
  const small = await time(() => redact(twoKilobytes), name === 'mayday' ? 400 : 30);
  const rate = 1000 / (await time(() => redact(megabyte), name === 'mayday' ? 20 : 2));
  speeds.push(rate);
  results.push({
    '': name,
    secrets: (await recall(redact, SECRETS)).toFixed(3),
    formats: (await recall(redact, formats)).toFixed(3),
    personal: (await recall(redact, PERSONAL)).toFixed(3),
    internals: (await recall(redact, INTERNALS)).toFixed(3),
    'benign untouched': (await untouched(redact)).toFixed(3),
    'ms for 2 KB': small.toFixed(3),
    'MB/s clean': rate.toFixed(1),
    'times slower': ((speeds[0] as number) / rate).toFixed(1),
  });
}
console.log(`${SECRETS.length} secrets in context, ${formats.length} formats, ${PERSONAL.length} personal,`);
console.log(`${INTERNALS.length} internals (${SEEDS} expansions of each), ${BENIGN.length} benign texts\n`);
console.table(results);

console.log(
  '\nInputs made to be slow: time of the processor per MB, repeated and in disorder (at random with a blank between), and how that grows from 0.5 to 1 MB. Linear is a growth of 2.\n',
);
const MEGABYTE = 1e6;
const costOf = (text: string): Promise<number> => time(() => redactor.redactText(text), 5, threadClock);
const slow: Array<{ part: string; repeated: number; disorder: number; growth: number }> = [];
for (const part of ADVERSARIAL) {
  // A megabyte as it travels: in UTF-8.
  const size = (MEGABYTE / Buffer.byteLength(part)) * part.length;
  const repeated = await costOf(part.repeat(size / part.length));
  const half = await costOf(inDisorder(part, size / 2));
  const disorder = await costOf(inDisorder(part, size));
  slow.push({ part, repeated, disorder, growth: disorder / half });
}
const greatest = (values: readonly number[]): number => Math.max(0, ...values);
slow.sort((a, b) => b.disorder - a.disorder);
console.table(
  slow.slice(0, 15).map(({ part, repeated, disorder, growth }) => {
    return {
      part: JSON.stringify(part).slice(0, 44),
      repeated: repeated.toFixed(0),
      'in disorder': disorder.toFixed(0),
      growth: growth.toFixed(1),
    };
  }),
);
// What takes a few milliseconds grows as the clock ticks.
const growth = greatest(slow.filter(({ disorder }) => disorder >= 50).map((row) => row.growth));
console.log(
  `${slow.length} inputs, slowest ${greatest(slow.map(({ repeated }) => repeated)).toFixed(0)} ms/MB repeated, ${greatest(slow.map(({ disorder }) => disorder)).toFixed(0)} in disorder, greatest growth ${growth.toFixed(1)} of those over 50; a clean megabyte takes ${(await costOf(megabyte)).toFixed(0)} ms meanwhile`,
);
