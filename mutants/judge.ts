/** Tries mutants: each against the tests that can notice it, until one does. */
import { resolve } from 'node:path';
import { type Area, testsOf } from './areas.ts';
import type { Mutant } from './mutate.ts';
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

/** How long each test file takes without a mutant, in milliseconds; those that fail even so are not in it. */
export type Times = ReadonlyMap<string, number>;

/** For a test alone; and for a mutant, beside the time of its tests. */
const TEST_MS = 240_000;
const MARGIN_MS = 30_000;

/** Runs every test that is needed once, without a mutant. A test that fails gets a second chance alone. */
export async function timesOf(
  tried: readonly Tried[],
  workers: readonly Worker[],
  onRed: (test: string) => void,
): Promise<Times> {
  const tests = new Set(tried.flatMap(({ area, mutant }) => testsOf(area, mutant.file)));
  const times = new Map<string, number>();
  await shared([...tests], workers, async (test, worker) => {
    for (const _ of [1, 2]) {
      const startedAt = performance.now();
      const failed = await worker.run({ active: null, tests: [test] }, TEST_MS);
      if (failed?.length === 0) return void times.set(test, performance.now() - startedAt);
    }
    onRed(test);
  });
  return times;
}

/** Tries every mutant. */
export async function judge(
  tried: readonly Tried[],
  workers: readonly Worker[],
  times: Times,
  onVerdict: (verdict: Verdict) => void,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const noticed = new Map<string, number>();
  await shared(tried, workers, async ({ area, mutant }, worker) => {
    const { file, start, end, text } = mutant;
    const known = (test: string): number => noticed.get(`${file} ${test}`) ?? 0;
    const tests = testsOf(area, file)
      .filter((test) => times.has(test))
      .sort((a, b) => known(b) - known(a));
    const limit = MARGIN_MS + 3 * tests.reduce((sum, test) => sum + (times.get(test) ?? 0), 0);
    const failed = await worker.run({ active: { path: resolve(file), start, end, text }, tests }, limit);
    const by = failed === undefined ? 'time' : failed[0]?.replace(`${resolve('.')}/`, '');
    if (by !== undefined) noticed.set(`${file} ${by}`, known(by) + 1);
    const verdict = { area: area.name, mutant, by };
    verdicts.push(verdict);
    onVerdict(verdict);
  });
  return verdicts;
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
