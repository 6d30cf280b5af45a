/** What a run has found, as text. */
import { short } from './change.ts';
import type { Verdict } from './judge.ts';
import type { Mutant } from './mutate.ts';
import type { Sample } from './sample.ts';

/** A mutant on one line: where, what was changed, and the line that it was changed in. */
export function told({ file, line, what, code }: Mutant): string {
  return `${file}:${line}  ${what}  in  ${short(code)}`;
}

/** The mutants that nobody noticed, one a line. */
export function survivors(verdicts: readonly Verdict[]): string {
  return verdicts
    .filter(({ by }) => by === undefined)
    .map(({ mutant }) => `${told(mutant)}\n`)
    .sort()
    .join('');
}

/** The score of each area, and of all: each area counts by its size. */
export function scores(samples: readonly Sample[], verdicts: readonly Verdict[]): string {
  const rows = samples.map(({ area, all, tried }) => {
    const killed = verdicts.filter((one) => one.area === area.name && one.by !== undefined).length;
    return { name: area.name, all, tried: tried.length, killed };
  });
  const sum = (of: (row: (typeof rows)[number]) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  const [all, tried, killed] = [sum((row) => row.all), sum((row) => row.tried), sum((row) => row.killed)];
  const overall = sum((row) => (row.tried === 0 ? 0 : (row.killed / row.tried) * row.all)) / all;
  return [
    '| area | mutants | tried | noticed | score |',
    '|:--|--:|--:|--:|--:|',
    ...rows.map(
      (row) =>
        `| ${row.name} | ${row.all} | ${row.tried} | ${row.killed} | ${percent(row.killed / row.tried)} |`,
    ),
    `| together, each area by its size | ${all} | ${tried} | ${killed} | ${percent(overall)} |`,
    '',
  ].join('\n');
}

function percent(share: number): string {
  return Number.isFinite(share) ? `${(share * 100).toFixed(1)} %` : '–';
}
