/**
 * Scores `read` again over every labelled answer: `npm run read:score [-- --misread]`.
 *
 * The files of the repository (`packages/core/test/fixtures/reading`) are scored, and the one in `MAYDAY_CORPUS`. The
 * servers are divided into five folds by their names; each fold has a line, so that a rule that helps one server and
 * harms another is seen. `--misread` lists what is read wrongly, `--compact` scores the compact reader beside the whole one.
 */
import { corpora, FOLDS, type Row, readable, split, textOf } from './corpus.ts';
import { crossValidated, foundAt, suspectedDocuments, suspicions, words } from './disguise.ts';
import { compact, HEAD, line, mayday, mistakes, score } from './score.ts';

const files = corpora();
const all = files.flatMap(([, rows]) => rows);

function servers(rows: readonly Row[]): string {
  return `${new Set(rows.map((row) => row.server)).size} servers`;
}

console.log(HEAD);
for (const [name, rows] of files)
  if (readable(rows).length > 0) console.log(line(`${name}, ${servers(rows)}`, score(readable(rows))));
console.log(line(`all, ${servers(readable(all))}`, score(readable(all))));
for (let fold = 0; fold < FOLDS; fold++) {
  const { inside } = split(readable(all), fold);
  console.log(line(`fold ${fold + 1}, ${servers(inside)}`, score(inside)));
}

if (process.argv.includes('--compact')) {
  console.log('\nThe compact reader: mcp and mayday, exceptions, HTTP, the phrases that most servers use');
  for (const [name, rows] of files)
    if (readable(rows).length > 0)
      console.log(line(`${name}, ${servers(rows)}`, score(readable(rows), compact)));
  console.log(line(`all, ${servers(readable(all))}`, score(readable(all), compact)));
}

console.log('\nFailures that come as success (a guess, off by default)');
const suspected = suspicions(all);
console.log(`  at 0.7, as \`--disguised\` has it: ${words(foundAt(suspected, 0.7))}`);
const crossed = crossValidated(suspected);
console.log(`  threshold of precision ≥ .99 from the other folds: ${words(crossed)}`);
console.log(`  thresholds: ${crossed.thresholds.join(', ')}`);
console.log(`  genuine documents suspected at 0.7: ${suspectedDocuments(0.7)}`);

if (process.argv.includes('--misread')) {
  console.log('\nRead wrongly');
  for (const row of readable(all)) {
    const got = mayday(row.wire);
    const wrong = mistakes(row, got);
    if (wrong.length === 0) continue;
    const { kind, subject, retryable } = row.label;
    console.log(`  ${row.server} ${row.case}: ${wrong.join(', ')}`);
    console.log(`    is   ${[kind, subject, retryable ? 'retryable' : ''].filter(Boolean).join(' ')}`);
    console.log(
      `    read ${[got.kind, got.subject, got.retryable ? 'retryable' : ''].filter(Boolean).join(' ')}, ${got.by}`,
    );
    console.log(`    ${JSON.stringify(textOf(row.wire).slice(0, 300))}`);
  }
}
