/**
 * What `mayday explain -32001` costs beyond starting Node: `npm run bench:startup`. Needs a build.
 * Runs alternate, so that whatever else the machine does hits both alike.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const RUNS = Number(process.argv[2] ?? 40);
const LIMIT_MS = 150;
const bin = fileURLToPath(new URL('../packages/cli/bin/mayday.js', import.meta.url));

if (!existsSync(fileURLToPath(new URL('../packages/cli/dist/main.js', import.meta.url)))) {
  console.error('The command line is not built; run `npm run build` first.');
  process.exit(2);
}

function timed(args: readonly string[]): number {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

const bare: number[] = [];
const explain: number[] = [];
timed([bin, 'explain', '-32001']); // the first run fills the compile cache
for (let run = 0; run < RUNS; run += 1) {
  bare.push(timed(['-e', '0']));
  explain.push(timed([bin, 'explain', '-32001']));
}
const difference = median(explain) - median(bare);
console.log(`node -e 0              ${median(bare).toFixed(1)} ms (median of ${RUNS})`);
console.log(`mayday explain -32001  ${median(explain).toFixed(1)} ms`);
console.log(`difference             ${difference.toFixed(1)} ms (limit ${LIMIT_MS} ms)`);
process.exitCode = difference < LIMIT_MS ? 0 : 1;
