/**
 * The groups of the fault journal: `npm run bench:grouping`. Pairwise precision and recall over labelled answers of real servers,
 * each met again with other values; `MAYDAY_CORPUS=FILE` adds a file of them, `--wrong N` shows where it is wrong.
 */
import { optionsOf } from './arguments.ts';
import { corpora, readable } from './reading/corpus.ts';
import { groupAll, type Mistake } from './state/grouping.ts';

const values = optionsOf(import.meta.url, {
  small: { type: 'boolean', default: false },
  wrong: { type: 'string', default: '5' },
});
const PRECISION = 0.98;
const RECALL = 0.98;
let isGood = true;

for (const [name, rows] of corpora()) {
  const failures = readable(rows).filter(({ label }) => label.failure !== false);
  if (failures.length < 100) continue; // misreadings that somebody met: one text of each
  const said = groupAll(values.small ? failures.slice(0, 200) : failures);
  isGood &&= said.precision >= PRECISION && said.recall >= RECALL;
  console.log(
    `\n${name}: ${failures.length} failures of ${new Set(rows.map(({ server }) => server)).size} servers, each met four times with other values`,
  );
  console.log(`  ${said.wanted} groups there should be, ${said.found} there are`);
  console.log(
    `  ${said.precision >= PRECISION ? 'ok  ' : 'MISS'} precision ${said.precision.toFixed(4)} (at least ${PRECISION})`,
  );
  console.log(
    `  ${said.recall >= RECALL ? 'ok  ' : 'MISS'} recall    ${said.recall.toFixed(4)} (at least ${RECALL})`,
  );
  show('together, and should not be', said.wronglyTogether);
  show('apart, and should not be', said.wronglyApart);
}
process.exit(isGood ? 0 : 1);

function show(what: string, mistakes: readonly Mistake[]): void {
  const most = mistakes.slice(0, Number(values.wrong));
  if (most.length > 0) console.log(`  ${what} (${mistakes.length} kinds of pairs):`);
  for (const { pairs, one, other } of most) {
    console.log(`    ${String(pairs).padStart(4)} × ${JSON.stringify(one.slice(0, 110))}`);
    console.log(`           ${JSON.stringify(other.slice(0, 110))}`);
  }
}
