/** One warm Vitest: takes a mutant, runs its tests until one fails, says which. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createVitest,
  type TestModule,
  type TestSequencer,
  type TestSpecification,
  type Vitest,
} from 'vitest/node';
import { ACTIVE, type Active, type Done, type Job } from './worker-messages.ts';

let active: Active | null = null;
let order: readonly string[] = [];

const activeFile = join(process.argv[2] ?? '', 'active.json');
setActive(null);
process.env[ACTIVE] = activeFile;
process.env['NODE_OPTIONS'] = `--import ${fileURLToPath(new URL('preload.ts', import.meta.url))}`;

/** The nearest tests run first. */
class AsAsked implements TestSequencer {
  async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => order.indexOf(moduleId);
    return files.sort((a, b) => place(a) - place(b));
  }
}

const vitest = await warmVitest();
const specifications = new Map((await vitest.globTestSpecifications()).map((one) => [one.moduleId, one]));
process.on('message', (job: Job) => {
  run(job).then(
    (done) => process.send?.(done),
    (reason: unknown) => {
      process.stderr.write(`A worker cannot go on: ${String(reason)}\n`);
      process.exit(70);
    },
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ failed: [], tookMs: {} } satisfies Done);

async function run({ active: next, tests }: Job): Promise<Done> {
  if (active !== null) vitest.invalidateFile(active.path);
  setActive(next);
  if (next !== null) vitest.invalidateFile(next.path);
  order = tests.map((test) => resolve(test));
  const wanted = order.map((test) => specifications.get(test)).filter((one) => one !== undefined);
  // Vitest answers with all that it remembers: what failed for an earlier mutant too.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted);
  const failed = testModules.filter((one) => one.state() === 'failed').map((one) => one.moduleId);
  const ran = testModules.filter((one) => ['passed', 'failed'].includes(one.state()));
  return {
    failed: failed.length === 0 && unhandledErrors.length > 0 ? ['an unhandled error'] : failed,
    tookMs: Object.fromEntries(ran.map((one) => [one.moduleId, durationOf(one)])),
  };
}

function durationOf(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic();
  return collectDuration + duration;
}

function setActive(next: Active | null): void {
  active = next;
  writeFileSync(activeFile, JSON.stringify(next));
}

/** Without the cache on disk, which would keep mutants, and answer for files that are mutated now. */
async function warmVitest(): Promise<Vitest> {
  const made = await createVitest(
    {
      watch: false,
      bail: 1,
      reporters: [{}],
      maxWorkers: 1,
      pool: 'forks',
      silent: true,
      fsModuleCache: false,
      sequence: { sequencer: AsAsked },
    },
    { plugins: [{ name: 'mutant', enforce: 'pre', load: mutated }] },
  );
  await made.standalone();
  return made;
}

function mutated(id: string): string | undefined {
  return active !== null && id === active.path ? active.code : undefined;
}
