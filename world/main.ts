/** The model of the world, as far as one likes: `npm run world -- --steps 10000000 --seed 7 --make policies`. */
import { parseArgs } from 'node:util';
import { explore } from './explore.ts';
import type { Make } from './story.ts';

const MAKES: readonly Make[] = ['whole', 'policies'];

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    make: { type: 'string', default: 'policies' },
    calls: { type: 'string', default: '12' },
  },
});
const make = MAKES.find((one) => one === values.make);
const [steps, seed, calls] = [values.steps, values.seed, values.calls].map(Number) as [
  number,
  number,
  number,
];
if (make === undefined || ![steps, seed, calls].every(Number.isSafeInteger)) {
  process.stderr.write(
    'Usage: npm run world -- [--steps N] [--seed N] [--calls N] [--make whole|policies]\n',
  );
  process.exit(2);
}

const startedAt = performance.now();
let told = 0;
const found = await explore({
  make,
  steps,
  seed,
  calls,
  onProgress(so) {
    if (so.steps - told < 100_000) return;
    told = so.steps;
    process.stderr.write(`${so.steps} steps, ${so.stories} stories\n`);
  },
});
const seconds = (performance.now() - startedAt) / 1000;
process.stdout.write(
  `${make}, seed ${seed}: ${found.steps} steps in ${found.stories} stories of ${found.calls} calls, ${seconds.toFixed(0)} s\n` +
    `tools ran ${found.runs} times, ${found.repeats} of them again, and had ${found.effects} effects\n`,
);
if (found.broken === undefined) process.stdout.write('every law held\n');
else {
  process.stdout.write(
    `broken: ${found.broken.laws.join('; ')}\n${JSON.stringify(found.broken.story, null, 1)}\n`,
  );
  process.exitCode = 1;
}
