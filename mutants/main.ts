/** Changes the sources in small ways, and sees whether a test notices: `npm run mutants -- --help`. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { AREAS } from './areas.ts';
import { judge, type Verdict } from './judge.ts';
import { scores, survivors, told } from './report.ts';
import { sampleOf } from './sample.ts';
import { startWorker } from './workers.ts';

const HELP = `Usage: npm run mutants -- [options] [area…]

Changes the dialect tables, the plan, the kit's guards and the rules of the reference servers in small ways, one at a
time and only in memory, and runs the tests that can notice. A mutant that no test notices survives, and is listed.

Areas: ${AREAS.map(({ name }) => name).join(', ')}; all of them but ${AREAS.filter(
  ({ isLong }) => isLong === true,
)
  .map(({ name }) => name)
  .join(', ')}, if none is named.

  --sample N     how many mutants of each area are tried (12)
  --all          every mutant
  --seed N       which ones (1); the same seed chooses the same mutants
  --only PATH    only in files whose path begins so: packages/core/src/dialects/onx
  --list         print the chosen mutants, run nothing
  --score        print the score without the survivors
  --least N      end with status 1 when fewer than N of a hundred are noticed
  --workers N    how many are tried at a time (as many as there are cores)
  --help         this page

Exit status: 0 done, 1 fewer noticed than --least asks for, 2 wrong usage.
`;

const { values, positionals } = options();
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const [seed, size, count, least] = [values.seed, values.sample, values.workers, values.least].map(Number) as [
  number,
  number,
  number,
  number,
];
const unknown = positionals.filter((name) => !AREAS.some((area) => area.name === name));
if (unknown.length > 0) misused(`There is no area ${unknown.join(', ')}`);
if (![seed, size, count, least].every((one) => Number.isSafeInteger(one) && one >= 0) || count === 0)
  misused('Expected whole numbers for --sample, --seed, --least and --workers');

const samples = AREAS.filter(({ name, isLong }) =>
  positionals.length === 0 ? isLong !== true : positionals.includes(name),
)
  .map((area) =>
    sampleOf(area, { seed, size: values.all ? Number.POSITIVE_INFINITY : size, only: values.only }),
  )
  .filter(({ all }) => all > 0);
if (samples.length === 0) misused(`There is nothing to change in ${values.only}`);
const tried = samples.flatMap(({ area, tried: mutants }) => mutants.map((mutant) => ({ area, mutant })));
if (values.list) {
  process.stdout.write(tried.map(({ mutant }) => `${told(mutant)}\n`).join(''));
} else {
  await tryAll();
}

async function tryAll(): Promise<void> {
  // Whatever ends the run, ends its workers.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const workers = Array.from({ length: count }, startWorker);
  try {
    const onRed = (test: string): void =>
      void process.stderr.write(`${test} fails without a mutant: it is left out\n`);
    const verdicts = await judge(tried, workers, { onVerdict: progress(), onRed });
    if (!values.score) process.stdout.write(`${survivors(verdicts)}\n`);
    process.stdout.write(scores(samples, verdicts));
    const killed = verdicts.filter(({ by }) => by !== undefined).length;
    process.exitCode = (killed / verdicts.length) * 100 >= least ? 0 : 1;
  } finally {
    for (const worker of workers) worker.stop();
  }
}

function progress(): (verdict: Verdict) => void {
  let done = 0;
  let killed = 0;
  return ({ mutant, by }) => {
    done += 1;
    if (by !== undefined) killed += 1;
    const result = by === undefined ? 'SURVIVED' : `noticed by ${by}`;
    process.stderr.write(`${done}/${tried.length} ${killed} noticed  ${told(mutant)}  ${result}\n`);
  };
}

function options() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        sample: { type: 'string', default: '12' },
        all: { type: 'boolean', default: false },
        seed: { type: 'string', default: '1' },
        only: { type: 'string', default: '' },
        list: { type: 'boolean', default: false },
        score: { type: 'boolean', default: false },
        least: { type: 'string', default: '0' },
        workers: { type: 'string', default: String(availableParallelism()) },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (reason) {
    return misused((reason as Error).message);
  }
}

function misused(message: string): never {
  process.stderr.write(`${message}\n\nSee npm run mutants -- --help\n`);
  process.exit(2);
}
