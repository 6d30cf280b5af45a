/**
 * Searches for inputs that make redaction slow: every rule's key words × separators × fillers, repeated and in disorder
 * (what only repeats itself is not read to its end, and cannot tell whether a rule is slow), then random sequences of the
 * same parts that are changed as long as they get slower, each sequence as it is or its parts, of whatever rules, in any order.
 * What counts is how much more an input costs than plain prose of
 * the same size, measured in the same moment, because a busy machine slows both; and how that grows with the size.
 *
 * `npm run bench:redact-slow` tries all pairs and searches for five minutes; `-- 60` searches for one minute, and tries
 * as many of the pairs, picked by chance, as another minute allows.
 */
import { createRedactor } from '../packages/core/src/redact/index.ts';
import { builtInKeywords } from '../packages/core/src/redact/redactor.ts';
import { threadClock } from './measure.ts';
import { cleanText, inDisorder } from './redact-adversarial.ts';
import { createRandom } from './redact-random.ts';

/** Milliseconds a megabyte, of the processor's time. */
const LIMIT = 300;
/** How much more than prose an input may cost: prose costs 10 ms a megabyte where nothing else runs. */
const TIMES_PROSE = 30;
/** Growth of the cost when the text doubles; four times the text may cost the square of it. */
const GROWTH = 2.2;

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

/** What is searched: the engine, or another one, so that the search itself can be put to the test. */
export type Redact = (text: string) => unknown;

const redactor = createRedactor();
const standard: Redact = (text) => redactor.redactText(text);

/** One input: a part that is repeated, and what may stand before and after all the repetitions. */
export interface Candidate {
  readonly unit: string;
  readonly head: string;
  readonly tail: string;
  /** Whether blanks stand between the repetitions at random. */
  readonly isMixed?: boolean;
  /** Parts of other rules, which then stand in its place at random: what is slow may take several rules together. */
  readonly others?: readonly string[];
}

/** The text of a candidate, of about the given size. */
export function textOf({ unit, head, tail, isMixed = false, others }: Candidate, size: number): string {
  const middle = isMixed
    ? inDisorder(unit, size, others)
    : unit.repeat(Math.max(1, Math.ceil(size / unit.length)));
  return head + middle + tail;
}

/** Every key word with every separator and filler: repeated and in disorder, or once before and after a long filler. */
export function candidatesOf(keyword: string): Candidate[] {
  const fillers = FILLERS.filter((one) => one !== '');
  const repeated = [
    ...SEPARATORS.flatMap((separator) =>
      FILLERS.map((filler) => ({ unit: keyword + separator + filler, head: '', tail: '' })),
    ),
    ...fillers.map((unit) => ({ unit, head: keyword, tail: keyword })),
  ];
  return repeated.flatMap((candidate) => [candidate, { ...candidate, isMixed: true }]);
}

/** Shorter runs are over before the machine's other work comes in between, and the thread's clock is too coarse. */
const SHORT = 20_000;

/** What one run costs; a count of steps in its place puts the search itself to the test, whatever the machine does. */
export type Cost = (redact: Redact, text: string) => number;

const timeOf: Cost = (redact, text) => {
  const clock = text.length <= SHORT ? () => performance.now() : threadClock;
  const start = clock();
  redact(text);
  return clock() - start;
};

/** Prose is quick: it takes a megabyte of it for the thread's clock to tell how quick. */
const PROSE = cleanText(1_000_000);

/** What an input costs: milliseconds a megabyte, and how many times what prose costs at that moment. */
interface Price {
  readonly perMegabyte: number;
  readonly timesProse: number;
}

/** What a megabyte of prose cost when it was measured last, in the measure of each. */
const proseLately = new Map<Cost, number>();

/** Whether one run costs so much that it is worth a closer look. */
function seemsSlow(candidate: Candidate, { redact, cost, size, timesProse }: Required<Judging>): boolean {
  const text = textOf(candidate, size);
  return (cost(redact, text) / text.length) * 1e6 > (proseLately.get(cost) ?? 10) * timesProse;
}

/** The best of some runs, in turns with prose: the machine's other work only ever adds. */
function priceOf(candidate: Candidate, { redact, cost }: Meter, size: number, runs: number): Price {
  const text = textOf(candidate, size);
  const prose = size <= SHORT ? PROSE.slice(0, size) : PROSE;
  let [best, plain] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < runs; i++) {
    plain = Math.min(plain, cost(standard, prose));
    best = Math.min(best, cost(redact, text));
  }
  const perMegabyte = (best / text.length) * 1e6;
  // No clock tells less than a millisecond a megabyte from nothing.
  const perMegabyteOfProse = Math.max(1, (plain / prose.length) * 1e6);
  proseLately.set(cost, perMegabyteOfProse);
  return { perMegabyte, timesProse: perMegabyte / perMegabyteOfProse };
}

/** A candidate that costs too much or grows too fast. */
export interface Slow extends Candidate, Price {
  /** How the cost grows when the text doubles. */
  readonly growth: number;
}

/** Patterns are compiled when first needed; that is not the input's doing. */
const WARM = 2000;
const GLANCE = 8000;
const LARGE = 50_000;

/** How a candidate is judged. */
export interface Judging {
  readonly redact?: Redact;
  /** What one run costs: the processor's time. */
  readonly cost?: Cost;
  /** The size of the first look. */
  readonly size?: number;
  /** The size of the closer look, which then is doubled twice. */
  readonly large?: number;
  /** How much more than prose it may cost. */
  readonly timesProse?: number;
}

type Meter = Pick<Required<Judging>, 'redact' | 'cost'>;

/** Judges a candidate: at a glance, then, if it seems slow, at two greater sizes, and once more before it is believed. */
export function judge(candidate: Candidate, judging: Judging = {}): Slow | undefined {
  const all = {
    redact: standard,
    cost: timeOf,
    size: GLANCE,
    large: LARGE,
    timesProse: TIMES_PROSE,
    ...judging,
  };
  all.redact(textOf(candidate, WARM));
  if (!seemsSlow(candidate, all)) return undefined;
  if (priceOf(candidate, all, all.size, 3).timesProse < all.timesProse) return undefined;
  const slow = measured(candidate, all);
  return slow && measured(candidate, all) ? slow : undefined;
}

function measured(candidate: Candidate, judging: Required<Judging>): Slow | undefined {
  const { large, timesProse } = judging;
  const once = priceOf(candidate, judging, large, 3);
  const most = priceOf(candidate, judging, 4 * large, 1);
  const growth = 2 * Math.sqrt(most.perMegabyte / once.perMegabyte);
  const isSlow = most.timesProse > timesProse || (growth > GROWTH && most.timesProse > timesProse / 2);
  return isSlow ? { ...candidate, ...most, growth } : undefined;
}

/** What {@link search} may use. */
export interface SearchOptions extends Judging {
  readonly seed: number;
  /** So many sequences are tried. */
  readonly tries: number;
  /** In the midst of it the search may be over. */
  readonly isOver?: () => boolean;
}

/** Tries random sequences of key words, separators and fillers; the slowest are changed further. Returns how many. */
export function search(options: SearchOptions, report: (slow: Slow) => void): number {
  const {
    seed,
    tries,
    isOver = () => false,
    redact = standard,
    cost = timeOf,
    timesProse: limit = TIMES_PROSE,
  } = options;
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
  let pool: Array<readonly [parts: string[], cost: number]> = [];
  let tried = 0;
  for (; tried < tries && !isOver(); tried++) {
    const fresh = pool.length < 40 || random() < 0.3;
    const parts = fresh ? [part(), part(), part()] : change(pick(pool)[0]);
    const unit = parts.join('') || ' ';
    const head = random() < 0.1 ? part() : '';
    const isMixed = random() < 0.5;
    const isOfSeveral = isMixed && parts.length > 1 && random() < 0.5;
    const others = isOfSeveral ? parts.map((one) => one || ' ') : [];
    const candidate: Candidate = { unit: isOfSeveral ? ' ' : unit, head, tail: '', isMixed, others };
    redact(textOf(candidate, WARM));
    const { timesProse } = priceOf(candidate, { redact, cost }, GLANCE, 1);
    pool = [...pool, [parts, timesProse] as const].sort((a, b) => b[1] - a[1]).slice(0, 60);
    const slow = timesProse > limit ? judge(candidate, options) : undefined;
    if (slow) report(slow);
  }
  return tried;
}

function line({ unit, head, isMixed, others = [], perMegabyte, timesProse, growth }: Slow): string {
  const said = others.length > 0 ? others.join(' | ') : unit;
  const shown = `${JSON.stringify(head === '' ? said : `${head} … ${said}`).slice(0, 70)}${isMixed ? ' in disorder' : ''}`;
  return `${perMegabyte.toFixed(0).padStart(6)} ms/MB  ${timesProse.toFixed(0)} × prose  growth ${growth.toFixed(1)}  ${shown}`;
}

/** Looks at all pairs, or at those picked by chance until the time is over. */
function lookAtPairs(milliseconds: number, report: (slow: Slow) => void): number {
  const stop = performance.now() + milliseconds;
  const random = createRandom(3);
  const keywords = builtInKeywords().sort(() => random() - 0.5);
  const share = milliseconds === Number.POSITIVE_INFINITY ? 1 : 0.02;
  let count = 0;
  for (const candidate of keywords.flatMap(candidatesOf)) {
    if (performance.now() > stop) break;
    if (random() > share) continue;
    count++;
    const slow = judge(candidate);
    if (slow) report(slow);
  }
  return count;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const seconds = process.argv[2] === undefined ? undefined : Number(process.argv[2]);
  let bad = 0;
  const report = (slow: Slow): void => {
    bad++;
    console.log(line(slow));
  };
  const pairs = lookAtPairs(seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1000, report);
  const stop = performance.now() + (seconds ?? 300) * 1000;
  const isOver = (): boolean => performance.now() > stop;
  const tried = search({ seed: 7, tries: Number.POSITIVE_INFINITY, isOver }, report);
  console.log(
    `${pairs} pairs and ${tried} random sequences: ${bad} cost more than ${TIMES_PROSE} × prose (about ${LIMIT} ms/MB), or grow faster than ${GROWTH} when doubled`,
  );
  process.exitCode = bad === 0 ? 0 : 1;
}
