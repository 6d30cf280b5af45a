/**
 * Searches for inputs that make redaction slow: every rule's key words × separators × fillers, repeated, then random
 * sequences of the same parts that are changed as long as they get slower. No input may cost more than `LIMIT`
 * milliseconds a megabyte, or grow faster than the text does.
 *
 * `npm run bench:redact-slow` tries all pairs and searches for five minutes; `-- 60` searches for one.
 */
import { createRedactor } from '../packages/core/src/redact/index.ts';
import { builtInKeywords } from '../packages/core/src/redact/redactor.ts';
import { createRandom } from './redact-random.ts';

/** Milliseconds a megabyte. */
export const LIMIT = 300;
/** Growth when the text doubles. */
export const GROWTH = 2.2;

const SEPARATORS: readonly string[] = [
  '',
  '=',
  ': ',
  ':',
  ' ',
  '="',
  "='",
  '\\"',
  '":"',
  "':",
  '=>',
  '(',
  '://',
  ' is ',
  '\n',
  '\n    ',
  '\\n',
  '/',
  '@',
  '.',
  '-',
  '_',
  ',',
  '<',
  '>',
  '&',
  '?',
  '%3d',
  '\\u0022',
  '\\',
  '[',
  '{',
  '\t',
];

const FILLERS: readonly string[] = [
  '',
  'a',
  '1',
  'aB3x',
  'x ',
  '1.',
  '0:',
  '-',
  '"',
  'é',
  'a1b2c3d4e5f6g7h8 ',
];

const redactor = createRedactor();
/** Patterns are compiled when first needed; that is not the input's doing. */
const WARM = 2000;

/** One input: a part that is repeated, and what may stand before and after all the repetitions. */
export interface Candidate {
  readonly unit: string;
  readonly head: string;
  readonly tail: string;
}

/** The text of a candidate, of about the given size. */
export function textOf({ unit, head, tail }: Candidate, size: number): string {
  return head + unit.repeat(Math.max(1, Math.ceil(size / unit.length))) + tail;
}

/** Every key word with every separator and filler: repeated, or once before or after a long filler. */
export function* candidates(keywords: readonly string[] = builtInKeywords()): Generator<Candidate> {
  for (const keyword of keywords) {
    for (const separator of SEPARATORS) {
      for (const filler of FILLERS) {
        yield { unit: keyword + separator + filler, head: '', tail: '' };
      }
    }
    for (const filler of FILLERS.filter((one) => one !== '')) {
      yield { unit: filler, head: keyword, tail: keyword };
    }
  }
}

/** Milliseconds a megabyte, the best of some runs: the machine's other work only ever adds. */
export function cost(
  candidate: Candidate,
  size: number,
  runs: number,
  clock: () => number = wallClock,
): number {
  redactor.redactText(textOf(candidate, WARM));
  const text = textOf(candidate, size);
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < runs; i++) {
    const start = clock();
    redactor.redactText(text);
    best = Math.min(best, clock() - start);
  }
  return (best / text.length) * 1e6;
}

const wallClock = (): number => performance.now();

/** The time this thread had the processor, too coarse for small texts; the wall clock where Node does not tell. */
export function threadClock(): number {
  const usage = process.threadCpuUsage?.();
  return usage ? (usage.user + usage.system) / 1000 : performance.now();
}

/** A candidate that costs too much or grows too fast, measured with care. */
export interface Slow extends Candidate {
  readonly perMegabyte: number;
  readonly growth: number;
}

/** Sizes and runs of the looks that a candidate gets, as long as it seems slow: noise only ever adds. */
const GLANCES: ReadonlyArray<readonly [size: number, runs: number]> = [
  [6000, 1],
  [8000, 3],
  [50_000, 2],
];

/** Judges a candidate: at a glance, then, if it seems slow, at two greater sizes. */
export function judge(candidate: Candidate, limit: number = LIMIT): Slow | undefined {
  if (GLANCES.some(([size, runs]) => cost(candidate, size, runs) < limit)) {
    return undefined;
  }
  const once = cost(candidate, 200_000, 3, threadClock);
  const twice = cost(candidate, 400_000, 3, threadClock);
  const growth = (2 * twice) / once;
  return twice > limit || (growth > GROWTH && twice > limit / 2)
    ? { ...candidate, perMegabyte: twice, growth }
    : undefined;
}

/** Random sequences of key words, separators and fillers; the slowest are changed further. */
export function search(
  milliseconds: number,
  seed: number,
  report: (slow: Slow) => void,
  limit: number = LIMIT,
): number {
  const random = createRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const keywords = builtInKeywords();
  const part = (): string => pick([pick(keywords), pick(keywords), pick(SEPARATORS), pick(FILLERS)]);
  const change = (parts: readonly string[]): string[] => {
    const next = [...parts];
    const at = Math.floor(random() * (next.length + 1));
    next.splice(at, random() < 0.4 ? 0 : 1, ...(random() < 0.2 && next.length > 1 ? [] : [part()]));
    return next.length === 0 ? [part()] : next.slice(0, 8);
  };
  const stop = performance.now() + milliseconds;
  let pool: Array<readonly [parts: string[], cost: number]> = [];
  let tried = 0;
  while (performance.now() < stop) {
    const fresh = pool.length < 40 || random() < 0.3;
    const parts = fresh ? [part(), part(), part()] : change(pick(pool)[0]);
    const candidate: Candidate = {
      unit: parts.join('') || ' ',
      head: random() < 0.1 ? part() : '',
      tail: '',
    };
    const price = cost(candidate, 12_000, 1);
    tried++;
    pool = [...pool, [parts, price] as const].sort((a, b) => b[1] - a[1]).slice(0, 60);
    const slow = price > limit ? judge(candidate, limit) : undefined;
    if (slow) {
      report(slow);
    }
  }
  return tried;
}

function line({ unit, head, perMegabyte, growth }: Slow): string {
  const shown = JSON.stringify(head === '' ? unit : `${head} … ${unit}`).slice(0, 70);
  return `${perMegabyte.toFixed(0).padStart(6)} ms/MB  growth ${growth.toFixed(1)}  ${shown}`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const seconds = Number(process.argv[2] ?? 300);
  let bad = 0;
  let count = 0;
  for (const candidate of candidates()) {
    count++;
    const slow = judge(candidate);
    if (slow) {
      bad++;
      console.log(line(slow));
    }
  }
  const tried = search(seconds * 1000, 7, (slow) => {
    bad++;
    console.log(line(slow));
  });
  console.log(
    `${count} combinations and ${tried} random sequences: ${bad} over ${LIMIT} ms/MB or growing faster than ${GROWTH}`,
  );
  process.exitCode = bad === 0 ? 0 : 1;
}
