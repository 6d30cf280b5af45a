import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import type { Area } from './areas.ts';
import { judge } from './judge.ts';
import { mutantsOf } from './mutate.ts';
import { scores, survivors } from './report.ts';
import { startWorker } from './workers.ts';

const FILE = 'mutants/fixture/table.ts';

/** Tries every mutant of the table against some tests. */
async function run(
  ...tests: string[]
): Promise<{ readonly survived: string; readonly score: string; readonly red: readonly string[] }> {
  const worker = startWorker();
  onTestFinished(() => worker.stop());
  const area: Area = { name: 'a table', sources: [FILE], tests: () => tests };
  const mutants = mutantsOf(FILE, readFileSync(FILE, 'utf8'));
  const tried = mutants.map((mutant) => ({ area, mutant }));
  const red: string[] = [];
  const verdicts = await judge(tried, [worker], {
    onVerdict: () => undefined,
    onRed: (test) => red.push(test),
  });
  return {
    red,
    survived: survivors(verdicts),
    score: scores([{ area, all: mutants.length, tried: mutants }], verdicts),
  };
}

it('gives what nobody looks at as survivors, and leaves the file as it is', {
  timeout: 120_000,
}, async () => {
  const before = readFileSync(FILE, 'utf8');
  const { survived, score, red } = await run('mutants/fixture/table.test.ts');
  const line = 'export const STATUS: { readonly [name: string]: number } = { ok: 200,…';
  expect(red).toEqual([]);
  expect(survived).toBe(`${FILE}:2  410 → 411  in  ${line}\n${FILE}:2  drops gone: 410  in  ${line}\n`);
  expect(score).toContain('| a table | 8 | 8 | 6 | 75.0 % |');
  expect(readFileSync(FILE, 'utf8')).toBe(before);
});

it('reaches the processes that a test starts', { timeout: 120_000 }, async () => {
  const { survived } = await run('mutants/fixture/table.test.ts', 'mutants/fixture/told.test.ts');
  expect(survived).toBe('');
});

it('does not believe a test that fails without a mutant', { timeout: 120_000 }, async () => {
  const { survived, red } = await run('mutants/fixture/red.test.ts', 'mutants/fixture/told.test.ts');
  expect(red).toEqual(['mutants/fixture/red.test.ts']);
  expect(survived).toContain('200 → 201');
  expect(survived).not.toContain('410 → 411');
});
