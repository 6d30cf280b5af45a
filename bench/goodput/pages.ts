/** Puts the figures where they are claimed: README, docs/client.md and the picture. Nothing there is typed by hand. */
import { readFile, writeFile } from 'node:fs/promises';
import { chart } from './chart.ts';
import type { Figures } from './measure.ts';
import { KEYED_STRATEGIES, STRATEGIES } from './strategies.ts';
import { percent, seconds, table, times } from './table.ts';

const DEFAULTS = 'Mayday, defaults';

/** Writes all of them. */
export async function writePages(
  plain: readonly Figures[],
  keyed: readonly Figures[],
  days: number,
  calls: number,
): Promise<void> {
  const shown = plain.filter(({ name }) => name !== 'Mayday, tuned');
  await writeFile(new URL('../../docs/goodput.svg', import.meta.url), chart(shown));
  await put('docs/client.md', guide(plain, keyed, days, calls));
  await put('README.md', summary(plain, keyed, days));
}

const START = '<!-- written by npm run bench:goodput -->';
const END = '<!-- end of what it wrote -->';

async function put(page: string, text: string): Promise<void> {
  const file = new URL(`../../${page}`, import.meta.url);
  const before = await readFile(file, 'utf8');
  const [from, to] = [before.indexOf(START), before.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`Expected ${page} to hold "${START}" and, below it, "${END}"`);
  await writeFile(file, `${before.slice(0, from)}${START}\n\n${text}\n\n${before.slice(to)}`);
}

function guide(plain: readonly Figures[], keyed: readonly Figures[], days: number, calls: number): string {
  const settings = [
    ...STRATEGIES,
    ...KEYED_STRATEGIES.slice(0, 2).map((one) => ({ ...one, name: `${one.name}, with keys` })),
  ];
  return [
    `${count(days)} days, ${calls} calls. A server that knows no idempotency keys:`,
    table(plain, plain[0]!),
    'The same, where the server recognises an order by its key and says so; ours makes the keys by itself:',
    table(keyed, plain[0]!),
    settings.map(({ name, settings: said }) => `- **${name}**: ${said}`).join('\n'),
    'Where others are better than our defaults:',
    better(plain, keyed)
      .map((line) => `- ${line}`)
      .join('\n'),
  ].join('\n\n');
}

/** Every column in which a peer beats our defaults. */
function better(plain: readonly Figures[], keyed: readonly Figures[]): readonly string[] {
  const found: string[] = [];
  const columns: readonly [string, (of: Figures) => number, (value: number) => string, 1 | -1][] = [
    ['reads', ({ reads }) => reads, percent, 1],
    ['writes', ({ writes }) => writes, percent, 1],
    ['time on the dead tool', ({ deadSeconds }) => deadSeconds, seconds, -1],
    ['recovery after the brownout', ({ recoverySeconds }) => recoverySeconds.brownout, seconds, -1],
    ['recovery after the outage', ({ recoverySeconds }) => recoverySeconds.outage, seconds, -1],
  ];
  for (const [where, all] of [
    ['without keys', plain],
    ['with keys', keyed],
  ] as const) {
    const ours = all.find(({ name }) => name === DEFAULTS)!;
    for (const [column, of, show, sign] of columns) {
      const peers = all.filter((one) => !one.name.startsWith('Mayday') && sign * (of(one) - of(ours)) > 0);
      if (peers.length === 0) continue;
      const shown = peers.map(
        (one) => `${one.name} ${show(of(one))}${column === 'writes' ? twice(one) : ''}`,
      );
      found.push(`${column} ${where}, ours ${show(of(ours))}: ${shown.join('; ')}`);
    }
  }
  return found;
}

function twice({ duplicateWrites }: Figures): string {
  return duplicateWrites === 0 ? '' : ` (${duplicateWrites} orders written twice)`;
}

function summary(plain: readonly Figures[], keyed: readonly Figures[], days: number): string {
  const named = (all: readonly Figures[], name: string): Figures => all.find((one) => one.name === name)!;
  const base = plain[0]!;
  const rows = ['no retry', 'p-retry, careful', 'p-retry, tuned', 'cockatiel, tuned', DEFAULTS].map(
    (name) => {
      const one = named(plain, name);
      const helped = keyed.find((other) => other.name === name);
      const load = times(one.outageRequests / base.outageRequests);
      const writes = [percent(one.writes), helped === undefined ? '–' : percent(helped.writes)];
      return [
        name,
        percent(one.reads),
        ...writes,
        String(one.duplicateWrites),
        load,
        seconds(one.deadSeconds),
      ];
    },
  );
  const head = [
    '',
    'reads',
    'writes',
    'writes, with keys',
    'written twice',
    'load in the outage',
    'on the dead tool',
  ];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = [head, [':--', ...head.slice(1).map(() => '--:')], ...rows].map(line).join('\n');
  return `${count(days)} days together:\n\n${lines}`;
}

function count(days: number): string {
  return ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six'][days] ?? String(days);
}
