/**
 * Fits the weights of the phrase families to labelled answers: `npm run read:fit [-- --write]`.
 *
 * Each family of `packages/core/src/prose/phrases.ts` has one weight. A weight is moved where that makes fewer mistakes,
 * wrong retries counted most; of equally good weights the nearest to where it began stays, so that the table moves only
 * where the answers ask for it. What that is worth on servers that had no say in it is measured by folds: no server is in
 * the answers that a fold was fitted to and in those it is scored on. The phrases themselves were chosen by people who
 * had seen answers, which no fold can undo; new servers are the measure of that.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { corpora, FOLDS, type Row, readable, split } from './corpus.ts';
import { HEAD, line, type Mistake, mayday, mistakes, score, sum } from './score.ts';

// Not part of the public surface, so it is taken from the source.
type Lexicon = typeof import('../../packages/core/src/prose/all-words.ts');
const lexiconSource = new URL('../../packages/core/src/prose/all-words.ts', import.meta.url);
const { lexicon } = (await import(lexiconSource.href)) as Lexicon;

const STEPS = [-12, -8, -5, -3, -2, -1, 1, 2, 3, 5, 8, 12];
const LIGHTEST = 40;
const HEAVIEST = 98;
const PASSES = 3;

/** What a mistake costs: a wrong retry is worse than a missed one. */
const COSTS: Readonly<Record<Mistake, number>> = {
  kind: 1,
  reaction: 1,
  wronglyRetryable: 5,
  missedRetry: 1,
  subject: 1,
};
/** What a step away from where a weight began costs: less than any mistake. */
const STEP_COST = 0.001;

interface Family {
  readonly line: number;
  /** As the table has it. */
  readonly present: number;
  weight: number;
  /** Its rules; the weight of each is the family's and something for its length. */
  readonly rules: { weight: number }[];
}

function families(): readonly Family[] {
  const found = new Map<number, Family & { readonly seen: Set<object> }>();
  for (const start of lexicon().starts) {
    if (start === undefined) continue;
    const rules = [
      ...start.alone,
      ...[start.next, start.far].flatMap((table) => [...(table?.values() ?? [])].flat()),
    ];
    for (const rule of rules) {
      const { line: at, family } = rule;
      const known = found.get(at) ?? {
        line: at,
        present: family,
        weight: family,
        rules: [],
        seen: new Set<object>(),
      };
      found.set(at, known);
      if (known.seen.has(rule)) continue;
      known.seen.add(rule);
      known.rules.push(rule as { weight: number });
    }
  }
  return [...found.values()].sort((one, other) => one.line - other.line);
}

function move(family: Family, weight: number): void {
  for (const rule of family.rules) rule.weight += weight - family.weight;
  family.weight = weight;
}

function cost(rows: readonly Row[]): number {
  let total = 0;
  for (const row of rows) for (const mistake of mistakes(row, mayday(row.wire))) total += COSTS[mistake];
  return total;
}

/** The answers whose reading can depend on a family's weight at all. */
function touched(family: Family, rows: readonly Row[]): readonly Row[] {
  const { weight } = family;
  move(family, 0);
  const without = rows.map((row) => mayday(row.wire));
  move(family, 200);
  const withAll = rows.map((row) => mayday(row.wire));
  move(family, weight);
  return rows.filter((_, at) => JSON.stringify(without[at]) !== JSON.stringify(withAll[at]));
}

/** Moves the weights, family by family, to where the answers are read best. */
function tune(
  all: readonly Family[],
  rows: readonly Row[],
  known: ReadonlyMap<Family, readonly Row[]>,
): void {
  const given = new Set(rows);
  const start = new Map(all.map((family) => [family, family.weight] as const));
  for (let pass = 0; pass < PASSES; pass++)
    for (const family of all) {
      const mine = (known.get(family) ?? []).filter((row) => given.has(row));
      if (mine.length === 0) continue;
      const from = family.weight;
      const anchor = start.get(family) ?? from;
      let best = from;
      let least = cost(mine) + STEP_COST * Math.abs(from - anchor);
      for (const step of STEPS) {
        const weight = from + step;
        if (weight < LIGHTEST || weight > HEAVIEST) continue;
        move(family, weight);
        const now = cost(mine) + STEP_COST * Math.abs(weight - anchor);
        if (now < least) [best, least] = [weight, now];
      }
      move(family, best);
    }
}

function reset(all: readonly Family[], weightOf: (family: Family) => number): void {
  for (const family of all) move(family, weightOf(family));
}

const rows = readable(corpora().flatMap(([, found]) => found));
const all = families();
const known = new Map(all.map((family) => [family, touched(family, rows)] as const));

/** The score on each fold of weights that were fitted to the others. */
function crossed(start: (family: Family) => number): ReturnType<typeof score> {
  const folds = Array.from({ length: FOLDS }, (_, fold) => {
    const { inside, outside } = split(rows, fold);
    reset(all, start);
    tune(all, outside, known);
    return score(inside);
  });
  return sum(folds);
}

const present = (family: Family): number => family.present;
const FLAT = 85;
console.log(HEAD);
console.log(line('the table as it is', score(rows)));
reset(all, () => FLAT);
console.log(line(`all weights ${FLAT}`, score(rows)));
console.log(
  line(
    `fitted from ${FLAT}, other folds`,
    crossed(() => FLAT),
  ),
);
console.log(line('fitted from the table, o. folds', crossed(present)));
reset(all, present);
tune(all, rows, known);
console.log(line('fitted from the table to all', score(rows)));

const moved = all.filter((family) => family.weight !== family.present);
const path = new URL('../../packages/core/src/prose/phrases.ts', import.meta.url);
const text = readFileSync(path, 'utf8');
const names = text
  .slice(text.indexOf('PHRASES'))
  .split('\n')
  .filter((row) => /^@?\w+[!~]*(?:\/\w+)? \d+: /.test(row));
console.log(`\n${moved.length} of ${all.length} families would move`);
for (const family of moved) {
  const name = names[family.line] ?? '(other languages)';
  const answers = known.get(family)?.length ?? 0;
  console.log(
    `  ${String(family.present).padStart(3)} → ${String(family.weight).padEnd(3)} ${String(answers).padStart(4)} answers  ${name.slice(0, 90)}`,
  );
}
if (process.argv.includes('--write')) {
  let next = text;
  for (const family of moved) {
    const name = names[family.line];
    if (name !== undefined) next = next.replace(name, name.replace(/ \d+: /, ` ${family.weight}: `));
  }
  writeFileSync(path, next);
  console.log('\nWritten. Read the difference before you keep it.');
}
