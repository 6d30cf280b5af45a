/** Tries mutants: each against the tests that can notice it, until one does. */
import { resolve } from 'node:path';
import { type Area, testsOf } from './areas.ts';
import { applied } from './change.ts';
import type { Mutant } from './mutate.ts';
import type { Done, Job } from './worker-messages.ts';
import type { Worker } from './workers.ts';

/** What became of a mutant. */
export interface Verdict {
  readonly area: string;
  readonly mutant: Mutant;
  /** The test file that noticed it, or `time`; `undefined` for a survivor. */
  readonly by: string | undefined;
}

/** A mutant with its area. */
export interface Tried {
  readonly area: Area;
  readonly mutant: Mutant;
}

/** For every test file of a job, and beside. */
const TEST_MS = 20_000;
const MARGIN_MS = 60_000;
/** What a test file takes of which nobody knows. */
const USUAL_MS = 3000;

/** What is heard of a run while it goes on. */
export interface Listener {
  onVerdict(verdict: Verdict): void;
  /** A test fails without any mutant: it is left out. */
  onRed(test: string): void;
}

/** Tries every mutant. A test is believed once it has passed without one. */
export async function judge(
  tried: readonly Tried[],
  workers: readonly Worker[],
  { onVerdict, onRed }: Listener,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const noticed = new Map<string, number>();
  const sound = new Map<string, boolean>();
  const tookMs = new Map<string, number>();
  await shared(tried, workers, async ({ area, mutant }, worker) => {
    const known = (test: string): number => noticed.get(`${mutant.file} ${test}`) ?? 0;
    // What has noticed before comes first, then what is quick: a mutant has to be noticed once.
    const cost = (test: string): number => tookMs.get(resolve(test)) ?? USUAL_MS;
    const tests = testsOf(area, mutant.file).sort((a, b) => known(b) - known(a) || cost(a) - cost(b));
    const by = await firstToNotice(mutant, tests, worker);
    if (by !== undefined) noticed.set(`${mutant.file} ${by}`, known(by) + 1);
    const verdict = { area: area.name, mutant, by };
    verdicts.push(verdict);
    onVerdict(verdict);
  });
  return verdicts;

  async function firstToNotice(
    mutant: Mutant,
    tests: readonly string[],
    worker: Worker,
  ): Promise<string | undefined> {
    const believed = tests.filter((test) => sound.get(test) !== false);
    const done = await run(worker, {
      active: { path: resolve(mutant.file), code: applied(mutant.source, mutant) },
      tests: believed,
    });
    if (done === undefined) return 'time';
    for (const [test, ms] of Object.entries(done.tookMs)) tookMs.set(test, ms);
    const by = done.failed[0]?.replace(`${resolve('.')}/`, '');
    if (by === undefined || !believed.includes(by) || (await isSound(by, worker))) return by;
    return firstToNotice(mutant, believed, worker);
  }

  /** A test that fails gets a second chance: the machine may have been busy. */
  async function isSound(test: string, worker: Worker): Promise<boolean> {
    for (let tries = 0; tries < 2 && sound.get(test) !== true; tries += 1) {
      sound.set(test, (await run(worker, { active: null, tests: [test] }))?.failed.length === 0);
    }
    if (sound.get(test) !== true) onRed(test);
    return sound.get(test) === true;
  }
}

function run(worker: Worker, job: Job): Promise<Done | undefined> {
  return worker.run(job, MARGIN_MS + TEST_MS * job.tests.length);
}

/** Each worker takes the next one when it is free. */
async function shared<T>(
  all: readonly T[],
  workers: readonly Worker[],
  one: (item: T, worker: Worker) => Promise<void>,
): Promise<void> {
  const queue = [...all];
  await Promise.all(
    workers.map(async (worker) => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await one(item, worker);
    }),
  );
}
