/**
 * Goodput: a simulated day of 200 agents against a server that fails in every usual way, once for each way to
 * retry, over several seeds, in virtual time. `npm run bench:goodput` prints the tables and writes them, and the
 * picture, into README and docs; `-- --real --seed 7` lives through one day against a process, in real time.
 */
import { parseArgs } from 'node:util';
import { AGENTS, planDay } from './goodput/day.ts';
import { type Figures, together } from './goodput/measure.ts';
import { writePages } from './goodput/pages.ts';
import { realDay } from './goodput/real.ts';
import { KEYED_STRATEGIES, STRATEGIES, type Strategy } from './goodput/strategies.ts';
import { table, verdicts } from './goodput/table.ts';
import { virtualDay } from './goodput/virtual.ts';

const { values } = parseArgs({
  options: {
    real: { type: 'boolean', default: false },
    seed: { type: 'string', multiple: true },
    only: { type: 'string' },
  },
});
const seeds = (values.seed ?? (values.real ? ['1'] : ['1', '2', '3', '4', '5'])).map(Number);
const live = values.real ? realDay : virtualDay;

async function run(strategies: readonly Strategy[], knowsKeys: boolean): Promise<Figures[]> {
  const all: Figures[] = [];
  for (const strategy of strategies) {
    if (values.only !== undefined && !strategy.name.includes(values.only)) continue;
    const days: Figures[] = [];
    for (const seed of seeds) {
      process.stderr.write(`${strategy.name}, seed ${seed} …\n`);
      days.push(await live(strategy, planDay(seed), seed, knowsKeys));
    }
    all.push(together(days));
  }
  return all;
}

const calls = seeds.reduce((sum, seed) => sum + planDay(seed).length, 0);
const where = values.real ? 'a process on loopback, in real time' : 'virtual time';
console.log(`${calls} calls by ${AGENTS} agents, seeds ${seeds.join(', ')}, ${where}\n`);
const plain = await run(STRATEGIES, false);
console.log('A server that knows no keys\n');
console.log(`${table(plain, plain[0]!)}\n`);
const keyed = await run(KEYED_STRATEGIES, true);
console.log('A server that recognises an order by its idempotency key, and says so\n');
console.log(`${table(keyed, plain[0]!)}\n`);
for (const { name, settings } of STRATEGIES) console.log(`${name}: ${settings}`);
for (const { name, settings } of KEYED_STRATEGIES.slice(0, 2)) console.log(`${name}, with keys: ${settings}`);
if (values.only === undefined) {
  const results = verdicts(plain, keyed);
  console.log('');
  for (const { goal, got, met } of results) console.log(`${met ? 'met   ' : 'MISSED'}  ${goal}: ${got}`);
  if (!values.real && values.seed === undefined) await writePages(plain, keyed, seeds.length, calls);
  process.exitCode = results.every(({ met }) => met) ? 0 : 1;
}
