/** The figures as a table, and whether ours are good enough. */
import type { Figures } from './measure.ts';

export const percent = (value: number): string => `${(value * 100).toFixed(2)} %`;
export const times = (value: number): string => `${value.toFixed(2)} ×`;
export const seconds = (value: number): string =>
  Number.isFinite(value) ? `${value.toFixed(1)} s` : 'never';

/** Rows of text with the columns in line. */
export function table(all: readonly Figures[], base: Figures): string {
  const head = [
    '',
    'reads',
    'writes',
    'load, steady',
    'load, outage',
    'written twice',
    'on the dead tool',
    'recovery: brownout',
    'outage',
  ];
  const rows = all.map((one) => [
    one.name,
    percent(one.reads),
    percent(one.writes),
    times(one.steadyRequests / base.steadyRequests),
    times(one.outageRequests / base.outageRequests),
    String(one.duplicateWrites),
    seconds(one.deadSeconds),
    seconds(one.recoverySeconds.brownout),
    seconds(one.recoverySeconds.outage),
  ]);
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(' | ')} |`;
  const rule = `|${widths.map((width, at) => (at === 0 ? `:${'-'.repeat(width + 1)}` : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** What ours must reach with its defaults, each with what it reached. */
export function verdicts(
  plain: readonly Figures[],
  keyed: readonly Figures[],
): readonly { readonly goal: string; readonly got: string; readonly met: boolean }[] {
  const base = plain[0]!;
  const ours = plain.find(({ name }) => name === 'Mayday, defaults')!;
  const helped = keyed.at(-1)!;
  const steady = ours.steadyRequests / base.steadyRequests;
  const outage = ours.outageRequests / base.outageRequests;
  const recovery = Math.max(ours.recoverySeconds.brownout, ours.recoverySeconds.outage);
  const twice = ours.duplicateWrites + helped.duplicateWrites;
  return [
    { goal: 'at least 99.9 % of the reads succeed', got: percent(ours.reads), met: ours.reads >= 0.999 },
    { goal: 'nothing is written twice', got: String(twice), met: twice === 0 },
    {
      goal: 'with keys, at least 99.9 % of the writes succeed',
      got: percent(helped.writes),
      met: helped.writes >= 0.999,
    },
    { goal: 'at most 1.15 × the load, day to day', got: times(steady), met: steady <= 1.15 },
    { goal: 'at most 1.1 × the load in an outage', got: times(outage), met: outage <= 1.1 },
    { goal: 'recovered 10 s after the upstream', got: seconds(recovery), met: recovery <= 10 },
  ];
}
