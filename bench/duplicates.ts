/**
 * Is anything done twice? Tools that do their work and fail then, in every form, with everybody's default options, in
 * real processes over real sockets: `npm run bench:duplicates`.
 */

import { CONTROL } from './duplicates/callers.ts';
import { allCells, controlCells, type Measured, measureCells } from './duplicates/cells.ts';
import { FORMS, TOOL_FORMS } from './duplicates/forms.ts';

const GROUPS = [
  ['plain', 'direct'],
  ['plain', 'gateway'],
  ['guarded', 'direct'],
  ['guarded', 'gateway'],
] as const;

const controlled = Object.keys(TOOL_FORMS);
const measured = await measureCells([...allCells(FORMS), ...controlCells(controlled)]);
const cells = measured.filter(({ caller }) => caller !== CONTROL);
const repeated = measured.filter(({ caller, effects }) => caller === CONTROL && effects > 1).length;

function row(form: string): string {
  const own = cells.filter((cell) => cell.form === form);
  const groups = GROUPS.map(([server, way]) =>
    own
      .filter((cell) => cell.server === server && cell.way === way)
      .map(({ effects }) => effects)
      .join(' '),
  );
  const reads = own.filter(({ isRead }) => isRead).length;
  return `| ${[form, ...groups, `${reads} of ${own.length}`].join(' | ')} |`;
}

const count = (is: (cell: Measured) => boolean): number => cells.filter(is).length;
const lines = [
  `${FORMS.length} ways to fail after the work, each with our client over SDK v1, over SDK v2, and the official client`,
  '(as a tool of the AI SDK, or alone through the gateway): how often a write was executed, and how many reads succeeded',
  '',
  '| after the work | plain, direct | plain, gateway | guarded, direct | guarded, gateway | reads |',
  '|:--|:-:|:-:|:-:|:-:|--:|',
  ...FORMS.map(row),
  '',
  `${cells.length} writes: ${count(({ effects }) => effects === 1)} executed once, ${count(({ effects }) => effects > 1)} more than once, ${count(({ effects }) => effects === 0)} not at all`,
  `${cells.length} reads: ${count(({ isRead }) => isRead)} succeeded`,
  `for comparison, the official client with three attempts at everything: ${repeated} of ${controlled.length} writes more than once`,
];
process.stdout.write(`${lines.join('\n')}\n`);
if (count(({ effects }) => effects > 1) > 0) process.exitCode = 1;
